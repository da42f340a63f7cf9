/* A number that is known as a center and a 90 % interval, as a distribution: quantiles, the chance
 * that it is above a threshold, and equally likely combinations of several to integrate over.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The logarithm is a normal distribution in two halves of one half each, joined at the center, each
 * with its own standard deviation (the dimidated Gaussian of Barlow, Asymmetric Systematic Errors,
 * arXiv:physics/0306138, 2003):
 *
 *     log Q(p) = log center + sigma_1 z(p)   for p <= 1/2,   sigma_1 = log(center / lo) / z(0.95)
 *     log Q(p) = log center + sigma_2 z(p)   for p >= 1/2,   sigma_2 = log(hi / center) / z(0.95)
 *
 * with z the quantile function of the standard normal distribution. The 5, 50 and 95 % quantiles
 * are lo, center and hi, and a gain of more than 1 is more likely than not. The split normal
 * distribution with a continuous density (Wallis, The two-piece normal, binormal, or double
 * Gaussian distribution, Statistical Science 29, 2014) has its mode at the center instead, and
 * neither of these holds for it.
 */
#ifndef PM_COST_CHANCE_H
#define PM_COST_CHANCE_H

#include "perfmodel.h"

typedef struct {
    double log_center;   /* NaN: nothing is known */
    double below, above; /* sigma_1, sigma_2; 0: no value is smaller, larger than the center */
} pm_chance;

/* lo and hi are the ends of a 90 % interval; an end on the wrong side of the center counts as the
 * center. NaN for any of them, and one that is not above 0 or infinite, make an unknown number: all
 * that is asked of it is NaN. */
pm_chance pm_chance_make(double center, double lo, double hi);
/* One that is certain. 0 is allowed. */
pm_chance pm_chance_certain(double value);

/* p from 0 to 1, without both. */
double pm_chance_quantile(const pm_chance *chance, double p);
/* P(x > threshold) */
double pm_chance_above(const pm_chance *chance, double threshold);

/* Equally likely combinations of independent numbers. */
typedef struct {
    size_t n, count;  /* combinations, numbers in each */
    double *values;   /* n x count */
    double *outcomes; /* n: room for what comes of each */
} pm_combinations;

/* Of up to 8 numbers: their quantiles at the first PM_COMBINATIONS points of a Sobol sequence
 * (GSL's gsl_qrng_sobol), which has each of k / (n + 1) once for each number. The same every time.
 */
enum { PM_COMBINATIONS = (1 << 14) - 1 };
pm_status pm_combinations_make(const pm_chance *const *chances, size_t count,
                               pm_combinations *combinations, pm_error *err);
void pm_combinations_free(pm_combinations *combinations); /* what it owns, not itself */
/* The 5 % and 95 % quantiles of what comes of each of n combinations; their order is lost. */
void pm_combinations_ends(double *outcomes, size_t n, double *lo, double *hi);

#endif
