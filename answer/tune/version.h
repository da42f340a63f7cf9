/* Builds the workload of one version (combination of tuning parameters), and lets the trace engine
 * compile it and count its events. Versions with the same code and the same launches have the same
 * counts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_TUNE_VERSION_H
#define PM_ANSWER_TUNE_VERSION_H

#include "answer/counts/counts.h"
#include "base/memory.h"
#include "collector/measure.h"
#include "collector/worker/worker.h"

/* Returns a hash of everything besides the code that the counts of a version (combination of tuning
 * parameters) depend on: launches with their arguments, sizes of buffers, and contents of constants
 * that the host sets (symbols). Contents of buffers are not hashed because they are equal for all
 * versions of a size. */
uint64_t pm_version_launches(const pm_workload *workload);

/* The functions below raise errors with `memory` (base/memory.h). */

pm_worker *pm_version_worker(pm_memory *memory, pm_session *session);
/* Opens a single-threaded trace engine that simulates the target GPU. */
pm_executor *pm_version_engine(pm_memory *memory, pm_session *session, const char *target,
                               pm_worker *worker, const pm_counter_table *table);

typedef struct {
    pm_executor *engine;
    const pm_count_columns *columns;
    const char *target;
    const pm_workload *workload;
    /* kernels of the workload with their results; zeros on entry. The caller frees it and unloads
     * the engine, also after a failure. */
    pm_timing *timing;
} pm_version_counting;
/* Traces the workload to count its events. Sets *kernels to an array with one dataset row (sample)
 * per kernel, which has a value for each of v->columns. Returns the number of kernels. The times in
 * the rows are NaN. */
size_t pm_version_count(pm_memory *memory, const pm_version_counting *v, pm_sample **kernels);

#endif
