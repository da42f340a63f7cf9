/* A version as a workload, compiled and counted by an engine. Versions with the same code and the
 * same launches have the same counts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TUNE_VERSION_H
#define PM_TUNE_VERSION_H

#include "base/memory.h"
#include "collector/measure.h"
#include "counts/counts.h"
#include "worker/worker.h"

/* What a workload runs beside its code: launches, and how large buffers are. Their contents are the
 * same in all versions of that size. */
uint64_t pm_version_launches(const pm_workload *workload);

/* What follows ends the memory's attempt where it fails. */

pm_worker *pm_version_worker(pm_memory *memory, pm_session *session);
/* Counts by the target's rules, on one thread. */
pm_executor *pm_version_engine(pm_memory *memory, pm_session *session, const char *target,
                               pm_worker *worker, const pm_counter_table *table);

typedef struct {
    pm_executor *engine;
    const pm_count_columns *columns;
    const char *target;
    const pm_workload *workload;
    pm_timing *timing; /* empty; the caller's to free, also after a failure, as is to unload */
} pm_version_counting;
/* A sample of each kernel, with counters as columns; how many. */
size_t pm_version_count(pm_memory *memory, const pm_version_counting *v, pm_sample **kernels);

#endif
