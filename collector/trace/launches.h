/* Which launches of a workload are counted, and what the others are taken to count.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launches of the same kernel over the same range are alike. Of many that are alike some are
 * counted, in stretches of neighbours, so that each finds in L2 what the launch before it leaves:
 * the first stretch, and one anywhere in each of equal parts of the rest.
 */
#ifndef PM_COLLECTOR_TRACE_LAUNCHES_H
#define PM_COLLECTOR_TRACE_LAUNCHES_H

#include "collector/trace/count.h"
#include "program/workload.h"

enum {
    PM_STRETCH = 4,       /* launches; even, as buffers that take turns need it */
    PM_MOST_LAUNCHES = 64 /* counted of those that are alike, if there are more */
};

typedef struct {
    size_t kind;   /* the first launch that is alike: itself, if there is none before it */
    size_t number; /* among those that are alike */
    size_t alike;  /* how many there are */
    bool counted;
} pm_launch_choice;

/* Chooses by the seed, which takes the same turns of kernels that take turns. all: counts every
 * launch. choices has launch_count members. Returns how many launches are counted. */
size_t pm_launches_choose(const pm_workload *workload, bool all, uint64_t seed,
                          pm_launch_choice *choices);

/* Fills in the counts of launches that were not counted: each is taken to be the mean of those that
 * are alike and were, but for the first stretch, which stands for itself. Variances are such that
 * those of all launches add up to that of a total in two-stage sampling (Cochran, Sampling
 * Techniques, 3rd edition, chapter 10), the units being the stretches. That these come from all
 * parts of the pass makes the estimate better than it says. codes and counts have launch_count
 * members. */
pm_status pm_launches_fill(const pm_workload *workload, const pm_launch_choice *choices,
                           const pm_kernel_code *const *codes, pm_launch_counts *counts,
                           pm_error *err);

#endif
