/* Distributions of positive numbers that are known by a center and a 90 % interval.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The logarithm of the number has a normal distribution in two halves. They are joined at the
 * center, each has probability 1/2, and each has its own standard deviation (the dimidated Gaussian
 * of Barlow, Asymmetric Systematic Errors, arXiv:physics/0306138, 2003):
 *
 *     log Q(p) = log center + sigma_1 z(p)   for p <= 1/2,   sigma_1 = log(center / lo) / z(0.95)
 *     log Q(p) = log center + sigma_2 z(p)   for p >= 1/2,   sigma_2 = log(hi / center) / z(0.95)
 *
 * where Q(p) is the number's quantile function and z that of the standard normal distribution. lo,
 * center and hi are the 5, 50 and 95 % quantiles. Therefore, a gain whose center is above 1 is
 * above 1 with a probability of more than 1/2. The split normal distribution with a continuous
 * density (Wallis, The two-piece normal, binormal, or double Gaussian distribution, Statistical
 * Science 29, 2014) has neither property, because the center is its mode.
 */
#ifndef PM_ANSWER_COST_CHANCE_H
#define PM_ANSWER_COST_CHANCE_H

#include "perfmodel.h"

/* A distribution. */
typedef struct {
    double log_center; /* logarithm of the center; NaN: the number is unknown; -infinity: the number
                          is 0 */
    /* standard deviations of the logarithm below and above the center (sigma_1, sigma_2); 0: no
     * value lies on that side of the center */
    double below, above;
} pm_chance;

/* Returns the distribution of a number with a center and the ends of its 90 % interval. If lo is
 * above the center, or hi below it, the center is used instead. If an argument is NaN, infinite or
 * not above 0, the number is unknown and all functions return NaN for it. */
pm_chance pm_chance_make(double center, double lo, double hi);
/* Returns the distribution of a certain value, which may be 0. NaN, a negative or an infinite value
 * make it unknown. */
pm_chance pm_chance_certain(double value);

/* Returns the quantile Q(p), 0 < p < 1. */
double pm_chance_quantile(const pm_chance *chance, double p);
/* Returns the probability that the number is above a threshold. */
double pm_chance_above(const pm_chance *chance, double threshold);

/* Equally likely combinations of values of independent numbers, to integrate over. */
typedef struct {
    size_t n, count;  /* number of combinations, and of numbers in each combination */
    double *values;   /* values[i * count + k]: value of number k in combination i */
    double *outcomes; /* outcomes[i]: result for combination i, which the caller fills */
} pm_combinations;

/* Makes combinations of up to 8 numbers: their quantiles at the first n = PM_COMBINATIONS points of
 * a Sobol sequence (GSL's gsl_qrng_sobol). These points have, for each number, each probability k /
 * (n + 1) once. The result is deterministic. PM_FAILED: out of memory. */
enum { PM_COMBINATIONS = (1 << 14) - 1 };
pm_status pm_combinations_make(const pm_chance *const *chances, size_t count,
                               pm_combinations *combinations, pm_error *err);
void pm_combinations_free(pm_combinations *combinations); /* frees its members only */
/* Computes the 5 % and 95 % quantiles of the results of n combinations. Reorders outcomes. */
void pm_combinations_ends(double *outcomes, size_t n, double *lo, double *hi);

#endif
