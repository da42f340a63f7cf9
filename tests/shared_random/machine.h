/* Runs the launches of a Workload on this machine, one coroutine a work-item.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_SHARED_RANDOM_MACHINE_H
#define PM_TESTS_SHARED_RANDOM_MACHINE_H

#include "collector/workload.h"
#include "library.h"

enum { SR_ANYWHERE = 64 }; /* buffers of a Workload, at most */

typedef struct sr_machine sr_machine;

typedef struct {
    size_t low, high; /* bytes of a buffer that were accessed: from low up to high */
} sr_range;

sr_machine *sr_machine_create(void);
void sr_machine_free(sr_machine *machine);

/* Runs all launches and hands the outputs to the check. Between barriers, work-items run in an
 * order that comes from `order`. ranges: of each buffer, or NULL;
 * with them, races in buffers are not looked for. PM_FAILED: an access that may not
 * be (memory.h), a barrier that not all work-items of a group come to, other outputs. */
pm_status sr_machine_run(sr_machine *machine, const pm_workload *workload,
                         const sr_library *library, uint64_t order, sr_range *ranges,
                         pm_error *err);

#endif
