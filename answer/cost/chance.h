/* Distributions of positive numbers that are known by a center and a 90 % interval, such as a time
 * or a gain.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The logarithm of the number has a normal distribution in two halves. They are joined at the
 * center, each has probability 1/2, and each has its own standard deviation (the dimidated Gaussian
 * of Barlow, Asymmetric Systematic Errors, arXiv:physics/0306138, 2003):
 *
 *   log Q(p) = log center + sigma_1 z(p)   for p <= 1/2,   sigma_1 = log(center / lo) / z(0.95)
 *   log Q(p) = log center + sigma_2 z(p)   for p >= 1/2,   sigma_2 = log(hi / center) / z(0.95)
 *
 * where Q(p) is the number's quantile function and z that of the standard normal distribution. lo,
 * center and hi are the 5, 50 and 95 % quantiles. Therefore, a gain whose center is above 1 is
 * above 1 with a probability of more than 1/2. In the split normal distribution (Wallis, The
 * two-piece normal, binormal, or double Gaussian distribution, Statistical Science 29, 2014), which
 * has a continuous density, the center is the mode. It then is not the 50 % quantile, and a gain
 * with a center above 1 can be below 1 with a probability of more than 1/2. */
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

/* Returns the distribution of a number whose center and 90 % interval lo ... hi are given. A `lo`
 * above the center, or a `hi` below it, is replaced by the center. If an argument is NaN, infinite,
 * 0 or negative, the number is unknown, and all functions return NaN for it. */
pm_chance pm_chance_make(double center, double lo, double hi);
/* Returns the distribution of a number that is known exactly; it may be 0. If `value` is NaN,
 * negative or infinite, the number is unknown. */
pm_chance pm_chance_certain(double value);

/* Returns the quantile Q(p), 0 < p < 1. */
double pm_chance_quantile(const pm_chance *chance, double p);
/* Returns the probability that the number is above a threshold. */
double pm_chance_above(const pm_chance *chance, double threshold);

/* Samples of several independent numbers, to integrate a result over their joint distribution. A
 * combination has one value of each number, and all combinations are equally likely. */
typedef struct {
    size_t n, count;  /* number of combinations, and of numbers in each combination */
    double *values;   /* values[i * count + k]: value of number k in combination i */
    double *outcomes; /* outcomes[i]: result for combination i, which the caller fills */
} pm_combinations;

/* Makes combinations of up to 8 numbers (`count`) with the distributions `chances`. Combination i
 * has their quantiles at point i of a Sobol sequence (GSL's gsl_qrng_sobol) of n = PM_COMBINATIONS
 * points. Each number takes each of the probabilities 1 / (n + 1) ... n / (n + 1) at one point. The
 * result is deterministic. PM_FAILED: out of memory. */
enum { PM_COMBINATIONS = (1 << 14) - 1 };
pm_status pm_combinations_make(const pm_chance *const *chances, size_t count,
                               pm_combinations *combinations, pm_error *err);
void pm_combinations_free(pm_combinations *combinations); /* frees its members only */
/* Computes the 5 % and 95 % quantiles of the results `outcomes` of n combinations. Sorts
 * `outcomes`. */
void pm_combinations_ends(double *outcomes, size_t n, double *lo, double *hi);

#endif
