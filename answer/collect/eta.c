/* Estimates how long the measurements of the remaining workloads will take. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/collect/parts.h"

#include <math.h>

static size_t place(size_t rank)
{
    return rank < PM_ETA_RANKS ? rank : PM_ETA_RANKS - 1;
}

void pm_eta_expect(pm_eta *eta, size_t rank)
{
    eta->ranks[place(rank)].left++;
}

void pm_eta_drop(pm_eta *eta, size_t rank)
{
    if (eta->ranks[place(rank)].left > 0)
        eta->ranks[place(rank)].left--;
}

void pm_eta_done(pm_eta *eta, size_t rank, double seconds)
{
    pm_eta_drop(eta, rank);
    eta->ranks[place(rank)].done++;
    eta->ranks[place(rank)].seconds += seconds;
}

double pm_eta_left(const pm_eta *eta)
{
    double seconds = 0, left = 0, each;
    size_t done = 0;

    for (size_t i = 0; i < PM_ETA_RANKS; i++) {
        seconds += eta->ranks[i].seconds;
        done += eta->ranks[i].done;
    }
    if (done == 0)
        return NAN;
    each = seconds / (double)done;
    for (size_t i = 0; i < PM_ETA_RANKS; i++) {
        if (eta->ranks[i].done > 0)
            each = eta->ranks[i].seconds / (double)eta->ranks[i].done;
        left += each * (double)eta->ranks[i].left;
    }
    return left;
}
