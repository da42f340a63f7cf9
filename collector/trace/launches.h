/* Which launches of a workload are counted, and what the others are taken to count.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launches of the same kernel over the same range are alike. Of many that are alike some are
 * counted, in stretches of neighbours, so that each finds in L2 what the launch before it leaves:
 * the first stretch, and one anywhere in each of equal parts of the rest. Where what a launch does
 * depends on what launches before it write, all are counted: they run in any case, and no few of
 * them tell what the others do.
 *
 * So are launches of a kernel over a range that changes from one to the next, and only one way:
 * what is left of a matrix. There the last stretch is counted too, and of the others is known what
 * series.h tells from the stretches on both sides.
 */
#ifndef PM_COLLECTOR_TRACE_LAUNCHES_H
#define PM_COLLECTOR_TRACE_LAUNCHES_H

#include "collector/trace/count.h"
#include "program/workload.h"

enum {
    PM_STRETCH = 4,        /* launches; even, as buffers that take turns need it */
    PM_MOST_LAUNCHES = 64, /* counted of those that are alike, if there are more */
    PM_FEW_CHANGING = 256, /* launches over a changing range that are all counted */
    PM_MOST_CHANGING = 128 /* counted of those if there are more */
};

typedef struct {
    size_t kind;   /* the first launch that is alike: itself, if there is none before it */
    size_t number; /* among those that are alike */
    size_t alike;  /* how many there are */
    bool changing; /* in range, step by step */
    bool depends;  /* on what launches before it write, as all that are alike do */
    bool counted;
} pm_launch_choice;

double pm_launch_groups(const pm_launch *launch);

/* Chooses by the seed, which takes the same turns of kernels that take turns. codes: of each
 * launch; NULL: none depends on what others write. all: counts every launch. stays: what launches
 * touch stays in L2 from one to the next, whichever are left out; else launches over a changing
 * range are all counted, as each may touch a part of its own. choices has launch_count members.
 * Returns how many launches are counted. */
size_t pm_launches_choose(const pm_workload *workload, const pm_kernel_code *const *codes, bool all,
                          bool stays, uint64_t seed, pm_launch_choice *choices);

/* Fills in the counts of launches that were not counted: those over a changing range by series.h;
 * any other is taken to be the mean of those that
 * are alike and were, but for the first stretch, which stands for itself. Variances are such that
 * those of all launches add up to that of a total in two-stage sampling (Cochran, Sampling
 * Techniques, 3rd edition, chapter 10), the units being the stretches. That these come from all
 * parts of the pass makes the estimate better than it says. codes and counts have launch_count
 * members. */
pm_status pm_launches_fill(const pm_workload *workload, const pm_launch_choice *choices,
                           const pm_kernel_code *const *codes, pm_launch_counts *counts,
                           pm_error *err);

#endif
