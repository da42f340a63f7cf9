/* Runs the launches of a Workload on this machine, one coroutine a work-item.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_RANDOM_MACHINE_H
#define PM_TESTS_RANDOM_MACHINE_H

#include "library.h"
#include "program/workload.h"

enum { RD_ANYWHERE = 256 }; /* buffers of a Workload, at most */

typedef struct rd_machine rd_machine;

typedef struct {
    size_t low, high; /* bytes of a buffer that were accessed: from low up to high */
} rd_range;

/* padded: see memory.h. NULL: out of memory. */
rd_machine *rd_machine_create(bool padded);
void rd_machine_free(rd_machine *machine);

/* Runs all launches and hands the outputs to the check. Between barriers, work-items run in an
 * order that comes from `order`. ranges: of each buffer, or NULL; with them, races in buffers are
 * not looked for. PM_FAILED: an access that may not be (memory.h), a barrier that not all
 * work-items of a group come to, other outputs. */
pm_status rd_machine_run(rd_machine *machine, const pm_workload *workload,
                         const rd_library *library, uint64_t order, rd_range *ranges,
                         pm_error *err);

#endif
