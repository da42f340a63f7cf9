/* A point prediction and a 90 % interval from the distribution of log time, which is given as
 * weighted samples.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_SPREAD_H
#define PM_MODEL_SPREAD_H

#include <float.h>
#include <math.h>
#include <stddef.h>

/* The 95 % quantile of the standard normal distribution. */
#define PM_NORMAL_95 1.6449

/* Distribution of a predicted time. All three members are natural logarithms of seconds. */
typedef struct {
    /* predicted log time: the value with the least expected relative error (see pm_tilt) */
    double point;
    double lo, hi; /* 5 % and 95 % quantiles */
} pm_spread;

/* Returns the index p of the sample z_p that is the best prediction: it minimizes the expected
 * relative error of exp(z_p), sum_j W_j |exp(z_p - z_j) - 1|.
 *
 * This error is a sum of absolute deviations of exp(z_p) with the weights W_j exp(-z_j). Its
 * minimum is therefore the weighted median: the first sample at which the running sum of weights
 * reaches half. The n samples must be in ascending order. reciprocal[j] is exp(-z_j) times any
 * common constant. weight[j] is W_j, not negative and not all 0; NULL: equal weights. */
size_t pm_tilt(const double *weight, const double *reciprocal, size_t n);

/* A position between two neighbouring values in a sorted array, which have the indices `below`
 * and `above`, for interpolation. */
typedef struct {
    size_t below, above;
    double along; /* 0: at sample `below`; 1: at sample `above` */
} pm_between_samples;

/* Returns the position of the quantile q among n sorted samples. Each sample of positive weight is
 * at the midpoint of its weight, and the quantile is linear between two samples (Hyndman and Fan,
 * Am. Stat. 50, 1996, definition 5, with weights). weight: as for pm_tilt. */
pm_between_samples pm_quantile_place(const double *weight, size_t n, double q);

static inline double pm_place_between(pm_between_samples place, double below, double above)
{
    return below + place.along * (above - below);
}

/* Functions for n log times `value` in ascending order. pm_reciprocals: fills reciprocal[j] with
 * exp(-value[j]) times a constant, as pm_tilt needs it. pm_spread_of: returns the point prediction
 * and the 5 % and 95 % quantiles of the log times with these weights (NULL: equal weights). */
void pm_reciprocals(const double *value, size_t n, double *reciprocal);
pm_spread pm_spread_of(const double *value, const double *weight, const double *reciprocal,
                       size_t n);

static inline pm_spread pm_spread_moved(pm_spread spread, double by)
{
    return (pm_spread){by + spread.point, by + spread.lo, by + spread.hi};
}

/* Returns the factor by which half widths are multiplied so that intervals cover 90 % of unseen
 * rows. This is conformal prediction with leave-one-out residuals (Lei et al., J. Am. Stat. Assoc.
 * 113, 2018; Barber et al., Ann. Statist. 49, 2021).
 *
 * need[n]: factor by which the interval of each left-out row would have to be multiplied to just
 * contain its time; the array is sorted. Rows of one program depend on each other, so only the
 * `groups` programs are exchangeable. The level of 90 % is therefore multiplied by 1 + 1 / (2
 * groups). The result is at least 1e-9, because equal numbers agree only up to rounding. */
double pm_conformal_factor(double *need, size_t n, size_t groups);

/* Returns the time in seconds from its natural logarithm, at most DBL_MAX. */
static inline double pm_seconds(double log_time)
{
    return fmin(exp(log_time), DBL_MAX);
}

#endif
