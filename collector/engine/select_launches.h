/* Selects which launches of a workload are counted, and estimates the counts of the others.
 *
 * Launches of the same kernel with the same range (number of work-items in each dimension) form a
 * kind. Of a kind with many launches some are counted, in runs of PM_STRETCH consecutive launches,
 * so that each finds in L2 the data that its predecessor left. Counted are the first run and one
 * random run from each of several equal parts of the rest. If a launch's addresses or branches
 * depend on data that earlier launches write, all launches of the kind are counted. They have to be
 * executed in any case, and a few of them would not be representative.
 *
 * Launches of one kernel over a range that only grows or only shrinks also form a kind, as in the
 * factorization of a matrix. The last run of such a kind is counted, too. interpolate_launches.h
 * interpolates the counts of the others between counted runs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_SELECT_LAUNCHES_H
#define PM_COLLECTOR_ENGINE_SELECT_LAUNCHES_H

#include "collector/engine/count.h"
#include "program/workload.h"

enum {
    /* Number of consecutive launches of the same kernel and number of work-items that are counted
     * together as a run. It is even, because programs often swap two buffers after each launch. */
    PM_STRETCH = 4,
    PM_MOST_LAUNCHES =
        /* If a kind (launches of the same kernel with the same number of work-items) has more
         * launches than this number, this number of them is counted. */
    64,
    /* Limit on launches that are all counted. The number of work-items of a kernel may change from
     * launch to launch, as when a matrix shrinks. If a kernel has at most this number of changing
     * launches, all of them are counted. */
    PM_FEW_CHANGING = 256,
    PM_MOST_CHANGING =
        /* number of launches that are counted of a kernel whose number of work-items changes from
         * launch to launch, if it has more than PM_FEW_CHANGING launches */
    128
};

typedef struct {
    /* index of the first launch of the same kind (same kernel and number of work-items), possibly
     * of this launch itself */
    size_t kind;
    size_t number; /* position among the launches of the same kind (same kernel and number of
                      work-items), from 0 */
    size_t alike;  /* number of launches of the same kind (same kernel and number of work-items) */
    /* true: the kernel's number of work-items changes from launch to launch, in small steps and one
     * direction */
    bool changing;
    /* True: addresses or branches depend on data of earlier launches. All launches with the same
     * kernel and number of work-items have the same value. */
    bool depends;
    bool counted;
} pm_launch_choice;

double pm_launch_groups(const pm_launch *launch);

/* Chooses the launches to count and fills `choices`, which has launch_count members. Returns the
 * number of launches that are counted. The choice depends on `seed`. If launches of several kernels
 * alternate, the same positions are chosen for each kernel.
 *
 * codes: code of each launch. NULL: assume that no launch depends on data of others. all: true if
 * every launch is counted. stays: true if L2 is large enough to retain the launches' data from one
 * to the next, even if some are not counted. If false, launches over a changing range are all
 * counted, because each may touch a different part of memory.
 */
size_t pm_launches_choose(const pm_workload *workload, const pm_kernel_code *const *codes, bool all,
                          bool stays, uint64_t seed, pm_launch_choice *choices);

/* Estimates the counts of the launches that were not counted. Counts are interpolated if the
 * kernel's number of work-items changes from launch to launch (interpolate_launches.h). Any other
 * launch gets the mean over the counted launches of the same kernel and number of work-items.
 * Launches are counted in runs (a few consecutive launches). The first run is always counted. It is
 * left out of the mean, because its launches may differ from all others.
 *
 * The variances of all launches add up to the variance of a total in two-stage sampling with runs
 * as units (Cochran, Sampling Techniques, 3rd edition, chapter 10). The runs are spread over the
 * pass, so the true variance is smaller. codes and counts have launch_count members. */
pm_status pm_launches_fill(const pm_workload *workload, const pm_launch_choice *choices,
                           const pm_kernel_code *const *codes, pm_launch_counts *counts,
                           pm_error *err);

#endif
