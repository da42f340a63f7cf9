/* Computes a predicted time and its quantiles from a distribution that is given as weighted values.
 * See spread.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/spread.h"

#include <gsl/gsl_sort.h>
#include <math.h>

static double weight_of(const double *weight, size_t j)
{
    return weight ? weight[j] : 1;
}

size_t pm_tilt(const double *weight, const double *reciprocal, size_t n)
{
    double total = 0, sum = 0;
    size_t j;

    for (j = 0; j < n; j++)
        total += weight_of(weight, j) * reciprocal[j];
    for (j = 0; j + 1 < n; j++) {
        sum += weight_of(weight, j) * reciprocal[j];
        if (sum >= 0.5 * total && weight_of(weight, j) > 0)
            break;
    }
    return j;
}

pm_between_samples pm_quantile_place(const double *weight, size_t n, double q)
{
    double total = 0, sum = 0, previous = 0;
    pm_between_samples place = {0};
    int seen = 0;

    for (size_t j = 0; j < n; j++)
        total += weight_of(weight, j);
    for (size_t j = 0; j < n; j++) {
        double w = weight_of(weight, j), middle = (sum + 0.5 * w) / total;

        sum += w;
        if (!(w > 0))
            continue;
        place.above = j;
        if (!seen++)
            place.below = j;
        if (middle >= q) {
            place.along = place.below < j ? (q - previous) / (middle - previous) : 0;
            return place;
        }
        place.below = j;
        previous = middle;
    }
    return place;
}

static double quantile(const double *value, const double *weight, size_t n, double q)
{
    pm_between_samples place = pm_quantile_place(weight, n, q);

    return pm_place_between(place, value[place.below], value[place.above]);
}

void pm_reciprocals(const double *value, size_t n, double *reciprocal)
{
    for (size_t i = 0; i < n; i++)
        reciprocal[i] = exp(value[0] - value[i]);
}

pm_spread pm_spread_of(const double *value, const double *weight, const double *reciprocal,
                       size_t n)
{
    return (pm_spread){.point = value[pm_tilt(weight, reciprocal, n)],
                       .lo = quantile(value, weight, n, 0.05),
                       .hi = quantile(value, weight, n, 0.95)};
}

double pm_conformal_factor(double *need, size_t n, size_t groups)
{
    double rank = ceil(0.9 * (1 + 0.5 / (double)groups) * ((double)n + 1));

    gsl_sort(need, 1, n);
    return fmax(need[(size_t)fmin(rank, (double)n) - 1], 1e-9);
}
