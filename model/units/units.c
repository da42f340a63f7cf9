/* Computes the time of a kernel from the times that its work takes on each functional unit of the
 * GPU (such as the L1 cache or the fp32 pipe). See units.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/units/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns x^q. The frequent case x = 1 is handled without pow; it occurs because terms are divided
 * by the largest one. */
static double power_of(double x, double q)
{
    return x == 1 ? 1 : pow(x, q);
}

static double log_of(double x)
{
    return x == 1 ? 0 : log(x);
}

/* Returns the q-norm of the terms and its derivatives: share[j] = d norm / d x_j, *by_q = d norm /
 * d q. Terms are divided by the largest one, so that no power overflows or underflows. */
static double norm_of(const double *x, size_t terms, double q, double *share, double *by_q)
{
    double most = 0, sum = 0, entropy = 0, norm;

    for (size_t j = 0; j < terms; j++) {
        most = x[j] > most ? x[j] : most;
        share[j] = 0;
    }
    *by_q = 0;
    if (!(most > 0))
        return 0;
    for (size_t j = 0; j < terms; j++) {
        double relative = x[j] / most, power;

        if (!(relative > 0))
            continue;
        power = power_of(relative, q);
        share[j] = power / relative;
        sum += power;
        entropy += power * log_of(relative);
    }
    norm = most * power_of(sum, 1 / q);
    for (size_t j = 0; j < terms; j++)
        share[j] *= norm / (most * sum);
    *by_q = norm * (entropy / (sum * q) - log_of(sum) / (q * q));
    return norm;
}

/* Exponent of the norm of the scheduler and its lanes. They work on different instructions in the
 * same cycle, so together they take hardly longer than the slowest one. */
static const double LANES_EXPONENT = 16;

/* Exponents and derivatives of the norms by which the times of functional units are combined
 * (units.h). There are three norms, each of which is a term of the next one: of the arithmetic
 * lanes, of the pipes, and of all terms of the time. In the array `share`, the place of a norm is
 * after its own terms, before the further terms of the next norm. */
typedef struct {
    double q, r;                      /* exponents */
    double share[PM_UNITS_TERMS + 2]; /* d norm / d x_j */
    double by_q, by_r;                /* d norm / d exponent */
} nested;

/* Work is stored in columns, and each column belongs to a term of the time. Returns the index in
 * nested.share of the term of a column. It is larger than the term's number, because the array also
 * has places for the norms of the lanes and of the pipes. */
static size_t place_of(const pm_units *units, size_t column)
{
    const size_t term = units->term[column];

    return term + (term >= units->lanes) + (term >= units->pipes);
}

static double join(const pm_units *units, double *x, nested *n)
{
    const size_t lanes = units->lanes, pipes = units->pipes + 1;
    double norm, by_lanes;

    x[lanes] = norm_of(x, lanes, LANES_EXPONENT, n->share, &by_lanes);
    x[pipes] = norm_of(x + lanes, pipes - lanes, n->r, n->share + lanes, &n->by_r);
    norm = norm_of(x + pipes, units->terms - units->pipes + 1, n->q, n->share + pipes, &n->by_q);
    n->by_r *= n->share[pipes];
    for (size_t j = lanes; j < pipes; j++)
        n->share[j] *= n->share[pipes];
    for (size_t j = 0; j < lanes; j++)
        n->share[j] *= n->share[lanes];
    return norm;
}

/* Returns exp(logarithm), the value of a parameter. It is bounded so that the time stays finite and
 * positive at any step of a fit. */
static double positive(double logarithm)
{
    return exp(fmin(fmax(logarithm, -200), 200));
}

/* Returns the index of the parameter for the launch time of a row: CUDA's or OpenCL's. A model
 * without CUDA's parameter was made from a single dataset. All its rows were launched by the same
 * interface, and share one parameter. */
static size_t launch_of(const pm_units *units, size_t row)
{
    return units->cuda && units->cuda[row] && units->parameters > PM_UNITS_OVERHEAD_CUDA
               ? PM_UNITS_OVERHEAD_CUDA
               : PM_UNITS_OVERHEAD;
}

/* Computes the modelled time of a row in seconds from its work on the functional units. part[k]
 * gets the seconds of column k of the row's work. n gets the exponents and derivatives of the norms
 * that combine the seconds to the time. */
static double time_of(const pm_units *units, const pm_units_values *v, size_t row, double *part,
                      nested *n)
{
    const double *work = units->work + row * PM_UNITS_COLUMNS;
    double x[PM_UNITS_TERMS + 2] = {0};

    for (size_t k = 0; k < units->columns; k++)
        part[k] = work[k] * v->stretch[k];
    for (size_t k = 0; k < units->columns; k++)
        x[place_of(units, k)] += part[k];
    n->q = 1 + v->of[PM_UNITS_OVERLAP];
    n->r = units->pipes ? 1 + v->of[PM_UNITS_PIPES_OVERLAP] : 1;
    return v->of[launch_of(units, row)] * units->launches[row] + join(units, x, n);
}

pm_units_values pm_units_values_of(const pm_units *units, const double *parameters)
{
    pm_units_values v;

    for (size_t k = 0; k < units->parameters; k++)
        v.of[k] = positive(parameters[k]);
    for (size_t k = 0; k < units->columns; k++)
        v.stretch[k] = v.of[units->parameter[k]];
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
    slope[launch_of(units, row)] = v->of[launch_of(units, row)] * units->launches[row] / time;
    slope[PM_UNITS_OVERLAP] = n.by_q * (n.q - 1) / time;
    if (units->pipes)
        slope[PM_UNITS_PIPES_OVERLAP] = n.by_r * (n.r - 1) / time;
    for (size_t k = 0; k < units->columns; k++)
        part[k] = n.share[place_of(units, k)] * part[k] / time;
    for (size_t k = 0; k < units->columns; k++)
        slope[units->parameter[k]] += part[k];
    return log(time);
}

void pm_units_shape(const pm_units *units, const pm_units_values *v, size_t row, double *shape)
{
    static const double HARDLY = .05, BY_TIME = .5;
    double part[PM_UNITS_COLUMNS];
    nested n = {0};
    const double time = time_of(units, v, row, part, &n);

    memset(shape, 0, PM_UNITS_SHAPE * sizeof *shape);
    for (size_t k = 0; k < units->columns; k++)
        shape[units->term[k]] += part[k];
    shape[PM_UNITS_TERMS] = v->of[launch_of(units, row)] * units->launches[row];
    for (size_t j = 0; j <= PM_UNITS_TERMS; j++)
        shape[j] = log(shape[j] / time + HARDLY);
    shape[PM_UNITS_TERMS + 1] = BY_TIME * log(time);
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
        if (part[k] > 0 || strcmp(units->unit[k], "tensor") != 0) /* few kernels use tensor cores */
            pm_explanation_add(why, units->unit[k], part[k], n.share[place_of(units, k)] * part[k]);
    launch = v.of[launch_of(units, row)] * units->launches[row];
    pm_explanation_add(why, "launch", launch, launch);
    pm_explanation_sort(why);
}
