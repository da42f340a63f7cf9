/* What a distribution of the logarithm of time, given as weighted samples, says in three numbers.
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

/* Logarithms of seconds. */
typedef struct {
    double point;  /* of the least expected relative error, see pm_tilt */
    double lo, hi; /* 5 % and 95 % quantiles */
} pm_spread;

/* The sample z_j at which sum_j W_j |exp(p - z_j) - 1| is least over p: the expected relative error
 * of predicting exp(p). Its derivative in exp(p) is that of a sum of absolute values with weights
 * W_j exp(-z_j), so that the minimum is their weighted median: the first sample at which the
 * running sum reaches half. The n samples are in ascending order; reciprocal[j] is exp(-z_j) times
 * any one constant; weight (NULL: all equal) is not negative and not all 0. */
size_t pm_tilt(const double *weight, const double *reciprocal, size_t n);

/* A place between two samples. */
typedef struct {
    size_t below, above;
    double along; /* 0 at below, 1 at above */
} pm_between_samples;

/* Where the quantile q lies: each sample of positive weight stands at the middle of its weight, and
 * between two of them the quantile is linear (Hyndman & Fan, Am. Stat. 50, 1996, definition 5, with
 * weights). Samples and weight as for pm_tilt. */
pm_between_samples pm_quantile_place(const double *weight, size_t n, double q);

static inline double pm_place_between(pm_between_samples place, double below, double above)
{
    return below + place.along * (above - below);
}

/* All three of samples as for pm_tilt, whose reciprocals are those of pm_reciprocals. */
void pm_reciprocals(const double *value, size_t n, double *reciprocal);
pm_spread pm_spread_of(const double *value, const double *weight, const double *reciprocal,
                       size_t n);

static inline pm_spread pm_spread_moved(pm_spread spread, double by)
{
    return (pm_spread){by + spread.point, by + spread.lo, by + spread.hi};
}

/* Conformal prediction with leave-out residuals (Lei et al., J. Am. Stat. Assoc. 113, 2018;
 * Barber et al., Ann. Statist. 49, 2021): how many half widths an interval must reach so that it
 * covers 90 % of unseen rows, from the n (sorted here) that left-out rows needed. Rows of a program
 * are alike: it is the `groups` programs that are exchangeable, and the 90 % are raised by half a
 * program's share. Never quite 0: two numbers that agree are only equal to rounding. */
double pm_conformal_factor(double *need, size_t n, size_t groups);

/* Seconds of a logarithm; no logarithm is too large for them. */
static inline double pm_seconds(double log_time)
{
    return fmin(exp(log_time), DBL_MAX);
}

#endif
