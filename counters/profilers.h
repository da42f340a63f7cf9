/* What profilers call the counters: profilers.csv has a row a counter and a column a profiler. The
 * header of a column is the profiler's name, of NVIDIA's with " from " and the compute capability
 * from which on it holds, until another column of NVIDIA's begins. A cell is empty where the
 * profiler counts nothing that means the same; "NAME / 4" is a quarter of what it counts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COUNTERS_PROFILERS_H
#define PM_COUNTERS_PROFILERS_H

#include "base/memory.h"
#include "perfmodel.h"

typedef struct {
    const char *counter, *name; /* name: the profiler's */
} pm_profiler_counter;

typedef struct {
    const char *profiler; /* NULL: none for this GPU */
    size_t count;
    const pm_profiler_counter *counters;
} pm_profiler;

/* Reads which profiler a GPU's vendor has, and its names of counters. capability: NVIDIA's
 * compute capability; 0: an AMD GPU. path NULL: the shipped profilers.csv. The strings belong to
 * `memory`. A fault ends the attempt of `memory`. */
pm_profiler pm_profiler_of(const char *path, double capability, pm_memory *memory);
/* NULL: the profiler has no name for it. */
const char *pm_profiler_name(const pm_profiler *profiler, const char *counter);

#endif
