/* How long the rest of a collection will take, going by what its workloads took so far.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Workloads of the same rank (place of the size among its program's sizes) cost alike: the mean of
 * those done stands for those that are left. What is in the dataset already is not counted. A
 * workload that turns out to be left out counts with the little time that it took.
 */
#ifndef PM_COLLECT_ETA_H
#define PM_COLLECT_ETA_H

#include <stddef.h>

enum { PM_ETA_RANKS = 16 }; /* larger ranks count as the last */

/* Starts as zeros. */
typedef struct {
    struct {
        size_t left, done;
        double seconds; /* of those done */
    } ranks[PM_ETA_RANKS];
} pm_eta;

/* One more workload of that rank is to be done. */
void pm_eta_expect(pm_eta *eta, size_t rank);
/* One of those expected took that long. */
void pm_eta_done(pm_eta *eta, size_t rank, double seconds);
/* One of those expected will not be done. */
void pm_eta_drop(pm_eta *eta, size_t rank);
/* Seconds for those left; NaN while nothing is done. A rank of which none is done is taken for the
 * one below, or, lacking that, for the mean of all. */
double pm_eta_left(const pm_eta *eta);

#endif
