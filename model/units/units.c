/* The time of a kernel from the units of the GPU: the function itself. See units.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/units/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A norm over terms and its slopes: share[j] is d norm / d x_j; *by_q is d norm / d q. Terms are
 * taken relative to the largest, so that no power over- or underflows. */
static double norm_of(const double *x, size_t terms, double q, double *share, double *by_q)
{
    double most = 0, sum = 0, entropy = 0, norm;

    for (size_t j = 0; j < terms; j++)
        most = fmax(most, x[j]);
    *by_q = 0;
    if (!(most > 0)) {
        memset(share, 0, terms * sizeof *share);
        return 0;
    }
    for (size_t j = 0; j < terms; j++) {
        double relative = x[j] / most, power = relative > 0 ? pow(relative, q) : 0;

        share[j] = relative > 0 ? power / relative : 0;
        sum += power;
        entropy += relative > 0 ? power * log(relative) : 0;
    }
    norm = most * pow(sum, 1 / q);
    for (size_t j = 0; j < terms; j++)
        share[j] *= norm / (most * sum);
    *by_q = norm * (entropy / (sum * q) - log(sum) / (q * q));
    return norm;
}

/* The two norms, one in the other. */
typedef struct {
    double q, r;                  /* exponents */
    double share[PM_UNITS_TERMS]; /* d norm / d x_j */
    double by_q, by_r;            /* d norm / d exponent */
} nested;

/* The norm over all terms, the pipes first. */
static double join(const pm_units *units, const double *x, nested *n)
{
    const size_t pipes = units->pipes, others = units->terms - pipes;
    double outer[PM_UNITS_TERMS + 1], outer_share[PM_UNITS_TERMS + 1] = {0}, norm;

    outer[0] = norm_of(x, pipes, n->r, n->share, &n->by_r);
    memcpy(outer + 1, x + pipes, others * sizeof *x);
    norm = norm_of(outer, others + 1, n->q, outer_share, &n->by_q);
    n->by_r *= outer_share[0];
    for (size_t j = 0; j < pipes; j++)
        n->share[j] *= outer_share[0];
    memcpy(n->share + pipes, outer_share + 1, others * sizeof *n->share);
    return norm;
}

/* A parameter from its logarithm: whatever step a fit tries, the time is a number above 0. */
static double positive(double logarithm)
{
    return exp(fmin(fmax(logarithm, -200), 200));
}

/* Seconds that each column's work takes, and T. */
static double time_of(const pm_units *units, const pm_units_values *v, size_t row, double *part,
                      nested *n)
{
    const double *work = units->work + row * PM_UNITS_COLUMNS;
    double x[PM_UNITS_TERMS] = {0};

    for (size_t k = 0; k < units->columns; k++) {
        part[k] = work[k] * v->of[units->parameter[k]];
        x[units->term[k]] += part[k];
    }
    n->q = 1 + v->of[PM_UNITS_OVERLAP];
    n->r = units->pipes ? 1 + v->of[PM_UNITS_PIPES_OVERLAP] : 1;
    return v->of[PM_UNITS_OVERHEAD] * units->launches[row] + join(units, x, n);
}

pm_units_values pm_units_values_of(const pm_units *units, const double *parameters)
{
    pm_units_values v;

    for (size_t k = 0; k < units->parameters; k++)
        v.of[k] = positive(parameters[k]);
    return v;
}

double pm_units_log_time(const pm_units *units, const double *parameters, size_t row, double *slope)
{
    const pm_units_values v = pm_units_values_of(units, parameters);

    return pm_units_log_time_by(units, &v, row, slope);
}

double pm_units_log_time_by(const pm_units *units, const pm_units_values *v, size_t row,
                            double *slope)
{
    double part[PM_UNITS_COLUMNS], time;
    nested n = {0};

    time = time_of(units, v, row, part, &n);
    if (!slope)
        return log(time);
    memset(slope, 0, units->parameters * sizeof *slope);
    slope[PM_UNITS_OVERHEAD] = v->of[PM_UNITS_OVERHEAD] * units->launches[row] / time;
    slope[PM_UNITS_OVERLAP] = n.by_q * (n.q - 1) / time;
    if (units->pipes)
        slope[PM_UNITS_PIPES_OVERLAP] = n.by_r * (n.r - 1) / time;
    for (size_t k = 0; k < units->columns; k++)
        slope[units->parameter[k]] += n.share[units->term[k]] * part[k] / time;
    return log(time);
}

/* ---- why ----------------------------------------------------------------------------------- */

void pm_explanation_add(pm_explanation *why, const char *unit, double alone_s, double added_s)
{
    size_t i = 0;

    while (i < why->n && strcmp(why->terms[i].unit, unit) != 0)
        i++;
    if (i == PM_MAX_TIME_TERMS)
        return;
    if (i == why->n)
        why->terms[why->n++] = (pm_time_term){unit, 0, 0};
    why->terms[i].alone_s += alone_s;
    why->terms[i].added_s += added_s;
}

static int by_part(const void *a, const void *b)
{
    const pm_time_term *x = a, *y = b;

    return (x->added_s < y->added_s) - (x->added_s > y->added_s);
}

void pm_explanation_sort(pm_explanation *why)
{
    qsort(why->terms, why->n, sizeof *why->terms, by_part);
    why->bound = why->n > 0 ? why->terms[0].unit : NULL;
}

void pm_units_explain(const pm_units *units, const double *parameters, size_t row,
                      pm_explanation *why)
{
    const pm_units_values v = pm_units_values_of(units, parameters);
    double part[PM_UNITS_COLUMNS], launch;
    nested n = {0};

    *why = (pm_explanation){0};
    time_of(units, &v, row, part, &n);
    for (size_t k = 0; k < units->columns; k++)
        pm_explanation_add(why, units->unit[k], part[k], n.share[units->term[k]] * part[k]);
    launch = v.of[PM_UNITS_OVERHEAD] * units->launches[row];
    pm_explanation_add(why, "launch", launch, launch);
    pm_explanation_sort(why);
}
