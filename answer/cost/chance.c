/* Quantiles and probabilities of a number whose logarithm has a normal distribution with another
 * standard deviation below its center than above. See chance.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/cost/chance.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_qrng.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/gsl.h"

/* z(0.95): 95 % quantile of the standard normal distribution */
static const double NINETY_FIVE = 1.6448536269514722;

static bool is_positive(double value)
{
    return isfinite(value) && value > 0;
}

pm_chance pm_chance_make(double center, double lo, double hi)
{
    pm_chance chance = {.log_center = (double)NAN};

    if (!is_positive(center) || !is_positive(lo) || !is_positive(hi))
        return chance;
    chance.log_center = log(center);
    chance.below = fmax(chance.log_center - log(lo), 0) / NINETY_FIVE;
    chance.above = fmax(log(hi) - chance.log_center, 0) / NINETY_FIVE;
    return chance;
}

pm_chance pm_chance_certain(double value)
{
    bool known = isfinite(value) && value >= 0;

    return (pm_chance){.log_center = known ? log(value) : (double)NAN};
}

double pm_chance_quantile(const pm_chance *chance, double p)
{
    double z = gsl_cdf_ugaussian_Pinv(p);

    return exp(chance->log_center + z * (p < 0.5 ? chance->below : chance->above));
}

double pm_chance_above(const pm_chance *chance, double threshold)
{
    double away, sigma;

    if (isnan(chance->log_center) || isnan(threshold))
        return (double)NAN;
    if (threshold <= 0 ||
        /* the threshold is 0 or negative, or the number is certainly 0: one of them has no finite
         * logarithm */
        isinf(chance->log_center))
        return threshold < 0 || (threshold == 0 && isfinite(chance->log_center)) ? 1 : 0;
    away = log(threshold) - chance->log_center;
    sigma = away < 0 ? chance->below : chance->above;
    if (sigma > 0)
        return gsl_cdf_ugaussian_Q(away / sigma);
    return away < 0 ? 1 : 0;
}

/* ---- combinations --------------------------------------------------------------------------- */

enum { MOST_NUMBERS = 8 };

pm_status pm_combinations_make(const pm_chance *const *chances, size_t count,
                               pm_combinations *combinations, pm_error *err)
{
    gsl_qrng *sequence = NULL;
    double *values;

    pm_gsl_begin();
    if (count <= MOST_NUMBERS)
        sequence = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)count);
    pm_gsl_end();
    values = sequence ? malloc(PM_COMBINATIONS * (count + 1) * sizeof *values) : NULL;

    *combinations = (pm_combinations){PM_COMBINATIONS, count, values, NULL};
    if (values)
        combinations->outcomes = values + PM_COMBINATIONS * count;
    for (size_t i = 0; values && i < PM_COMBINATIONS; i++) {
        double p[MOST_NUMBERS];

        gsl_qrng_get(sequence, p);
        for (size_t k = 0; k < count; k++)
            values[i * count + k] = pm_chance_quantile(chances[k], p[k]);
    }
    if (sequence)
        gsl_qrng_free(sequence);
    return values ? PM_OK : pm_fail(err, PM_FAILED, "out of memory for an integral");
}

void pm_combinations_free(pm_combinations *combinations)
{
    free(combinations->values);
    combinations->values = NULL;
}

void pm_combinations_ends(double *outcomes, size_t n, double *lo, double *hi)
{
    size_t rank = (size_t)lround(0.05 * (double)(n + 1)) - 1;

    *lo = gsl_stats_select(outcomes, 1, n, rank);
    *hi = gsl_stats_select(outcomes, 1, n, n - 1 - rank);
}
