/* Runs the launches of a workload on this machine, with one coroutine for each work-item.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_RANDOM_MACHINE_H
#define PM_TESTS_RANDOM_MACHINE_H

#include "library.h"
#include "program/workload.h"

enum { RD_ANYWHERE = 256 }; /* largest number of buffers of a Workload */

typedef struct rd_machine rd_machine;

typedef struct {
    size_t low, high; /* bytes of a buffer that were accessed: from low up to high */
} rd_range;

/* padded: reads of uninitialized local memory are allowed, because they may be padding of structs.
 * Returns NULL if out of memory. */
rd_machine *rd_machine_create(bool padded);
void rd_machine_free(rd_machine *machine);

/* Runs all launches and passes the outputs to the check. Between barriers, `order` determines the
 * order of work-items. ranges: receives the accessed range of each buffer, or NULL; with ranges,
 * races in buffers are not checked. PM_FAILED: an invalid access (memory.h), a barrier that not all
 * work-items of a group reach, or wrong outputs. */
pm_status rd_machine_run(rd_machine *machine, const pm_workload *workload,
                         const rd_library *library, uint64_t order, rd_range *ranges,
                         pm_error *err);

#endif
