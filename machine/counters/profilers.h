/* Reads profilers.csv, the table of the names that profilers (such as Nsight Compute and rocprof)
 * have for perfmodel's counters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file has a row per counter and a column per profiler. A column's header is the profiler's
 * name. NVIDIA's columns add " from " and the compute capability from which the column applies,
 * up to the next column's. An empty cell means that the profiler has no counter of the same
 * meaning. "NAME / 4" means a quarter of the profiler's count. " or " separates two formulas, of
 * which the first one applies whose counters are known.
 */
#ifndef PM_MACHINE_COUNTERS_PROFILERS_H
#define PM_MACHINE_COUNTERS_PROFILERS_H

#include "base/memory.h"
#include "perfmodel.h"

typedef struct {
    /* counter: perfmodel's name of a counter. name: the profiler's name of the same counter, or a
     * formula. */
    const char *counter, *name;
} pm_profiler_counter;

typedef struct {
    /* name of the profiler, such as "nvprof"; NULL: there is no profiler for this GPU */
    const char *profiler;
    size_t count;
    const pm_profiler_counter *counters;
} pm_profiler;

/* Selects the profiler of a GPU's vendor and reads its names of counters. capability: NVIDIA's
 * compute capability; 0: an AMD GPU. path NULL: the installed profilers.csv. The strings belong to
 * `memory`. A malformed file raises an error: pm_attempt, which runs with `memory`, then returns
 * its status. */
pm_profiler pm_profiler_of(const char *path, double capability, pm_memory *memory);
/* Reads the names of counters of the profiler with this name, as pm_profiler_of does. The result
 * has no counters if the file has no such profiler for the compute capability. */
pm_profiler pm_profiler_named(const char *path, const char *name, double capability,
                              pm_memory *memory);
/* Returns the value of a formula in a profiler's counters, such as "a + b * 32 - c / 4".
 * value_of(user, name) returns the value of a counter, or NaN if it is unknown. If " or " separates
 * several formulas, the first whose counters are all known applies. *used gets its text, which
 * belongs to `memory`. Returns NaN, and *used is NULL, if no formula applies. */
double pm_profiler_evaluate(const char *formula, double (*value_of)(void *user, const char *name),
                            void *user, pm_memory *memory, const char **used);
/* Returns the profiler's name of a counter. NULL: the profiler does not have the counter. */
const char *pm_profiler_name(const pm_profiler *profiler, const char *counter);

#endif
