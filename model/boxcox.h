/* The Box-Cox transformation of log times. With y = log(time / median time), the transformed value
 * is x = (exp(lambda y) - 1) / lambda, and x = y if lambda is 0. Source: Box and Cox, An Analysis
 * of Transformations, J. R. Stat. Soc. B 26, 1964, equation 1. lambda is 0 or -1 divided by a whole
 * number.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PM_MODEL_BOXCOX_H
#define PM_MODEL_BOXCOX_H

#include <math.h>

typedef struct {
    int order;     /* lambda is -1 / order, or 0 if order is 0 */
    double median; /* median of the log times */
    /* upper bound of y = log(time / median time) when x is transformed back; needed because x is
     * bounded above if lambda < 0 */
    double cap;
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

/* Returns exp(-y), which is median time / time, for a transformed value x. Unlike y itself, it
 * needs no logarithm. */
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
