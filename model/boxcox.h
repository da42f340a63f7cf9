/* Box & Cox's transformation of a positive quantity known by its logarithm: with y = log(time /
 * median time), x = (exp(lambda y) - 1) / lambda, and x = y at lambda 0 (An Analysis of
 * Transformations, J. R. Stat. Soc. B 26, 1964, equation 1). lambda is 0 or -1 / a whole number.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_BOXCOX_H
#define PM_MODEL_BOXCOX_H

#include <math.h>

typedef struct {
    int order;     /* lambda = -1 / order; 0: lambda = 0 */
    double median; /* of the logarithms */
    double cap;    /* greatest y that an x stands for: with lambda < 0, x has a bound itself */
} pm_boxcox;

static inline double pm_boxcox_lambda(const pm_boxcox *b)
{
    return b->order ? -1.0 / b->order : 0;
}

static inline double pm_boxcox_forward(const pm_boxcox *b, double y)
{
    double lambda = pm_boxcox_lambda(b);

    return b->order ? expm1(lambda * y) / lambda : y;
}

/* exp(-y) of an x, without the logarithm that y itself needs. */
static inline double pm_boxcox_reciprocal(const pm_boxcox *b, double x)
{
    double q, power = 1;

    if (!b->order)
        return exp(-fmin(x, b->cap));
    q = fmax(1 - x / b->order, exp(-b->cap / b->order));
    for (int k = 0; k < b->order; k++)
        power *= q;
    return power;
}

static inline double pm_boxcox_inverse(const pm_boxcox *b, double x)
{
    double q;

    if (!b->order)
        return fmin(x, b->cap);
    q = 1 - x / b->order;
    return q > exp(-b->cap / b->order) ? -b->order * log(q) : b->cap;
}

#endif
