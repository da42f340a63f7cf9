/* A linear model of the time with non-negative coefficients. It learns from all rows. Its
 * prediction is also one of those that are blended. See line.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row of the fit has the counters divided by the measured time, and its target is 1, so that
 * squares of relative errors are minimized. The normal equations are sums over rows, so the work
 * grows linearly with the rows. To leave a program out, the sums over its rows are subtracted. A
 * coefficient is the time of one event in seconds and not negative (nnls.c), so no row gets a
 * negative time. If counters are correlated, some of them get the coefficient 0.
 */
#include "model/methods/line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/methods/nnls.h"

/* Largest number of variables of the linear model. With more variables, the normal equations that
 * are stored for each left-out program would need more than 100 MB. */
enum { MOST_COLUMNS = 200 };

struct pm_line {
    /* number of columns: the constant, the counters, and the time on another GPU if it is known */
    size_t p;
    double least;        /* lower bound of a predicted time in seconds */
    double *scale;       /* scale[j]: scale of column j, a power of two */
    double *coefficient; /* coefficient[j]: coefficient of column j after scaling */
    /* unseen[g * p + j]: coefficient of column j in a fit without program g */
    double *unseen;
};

/* Returns variable j of the linear model for a row, multiplied by its scale. Variable 0 is the
 * constant 1, 1 ... p are the counters, and the last one is the time on the source GPU. */
static double column(const pm_line *line, const pm_problem *problem, size_t row, size_t j)
{
    double x = 1;

    if (j > problem->p)
        x = problem->source_t[row];
    else if (j > 0)
        x = problem->x[row * problem->p + j - 1];
    return x * line->scale[j];
}

static double log_time(const pm_line *line, const double *coefficient, const pm_problem *problem,
                       size_t row)
{
    double sum = 0;

    for (size_t j = 0; j < line->p; j++)
        sum += coefficient[j] > 0 ? coefficient[j] * column(line, problem, row, j) : 0;
    return log(fmin(fmax(sum, line->least), DBL_MAX));
}

double pm_line_log_time(const pm_line *line, const pm_problem *problem, size_t row)
{
    return log_time(line, line->coefficient, problem, row);
}

double pm_line_unseen(const pm_line *line, const pm_training *t, size_t i)
{
    return log_time(line, line->unseen + t->group[i] * line->p, t->problem, t->row[i]);
}

/* ---- sums ----------------------------------------------------------------------------------- */

/* Chooses a scale for each variable, a power of two so that scaling causes no rounding. variable /
 * time is then at most 1 in every row. Also finds the smallest time of the rows. most: scratch
 * space for p numbers, all 0. */
static void find_scales(pm_line *line, const pm_training *t, double *most)
{
    const pm_problem *problem = t->problem;

    line->least = INFINITY;
    for (size_t j = 0; j < line->p; j++)
        line->scale[j] = 1;
    for (size_t i = 0; i < t->many; i++) {
        size_t row = t->many_row[i];

        line->least = fmin(line->least, 0.1 * problem->t[row]);
        for (size_t j = 0; j < line->p; j++)
            most[j] = fmax(most[j], fabs(column(line, problem, row, j)) / problem->t[row]);
    }
    for (size_t j = 0; j < line->p; j++) {
        int exponent = 0;

        frexp(most[j], &exponent);
        line->scale[j] = ldexp(1, -exponent);
    }
}

/* Returns, for each group of rows of the regression problem (such as a program), its index among
 * the groups that have training rows; t->groups: the group has no training rows. */
static size_t *number_groups(pm_memory *memory, const pm_training *t)
{
    size_t *number = pm_take(memory, t->problem->groups, sizeof *number);

    for (size_t g = 0; g < t->problem->groups; g++)
        number[g] = t->groups;
    for (size_t g = 0; g < t->groups; g++)
        number[t->problem->group[t->row[t->start[g]]]] = g;
    return number;
}

/* Adds the rows t->many_row to the normal equations: sums[g] for the rows of program g, and
 * sums[t->groups] for all rows. number: result of number_groups. v: scratch space for p numbers. */
static void add_up(const pm_line *line, const pm_training *t, const size_t *number,
                   pm_normal_equations *sums, double *v)
{
    for (size_t i = 0; i < t->many; i++) {
        size_t row = t->many_row[i], group = number[t->problem->group[row]];

        for (size_t j = 0; j < line->p; j++)
            v[j] = column(line, t->problem, row, j) / t->problem->t[row];
        pm_normal_add(&sums[t->groups], v);
        if (group < t->groups)
            pm_normal_add(&sums[group], v);
    }
}

/* ---- fitting -------------------------------------------------------------------------------- */

static pm_line *create(pm_memory *memory, const pm_training *t)
{
    pm_line *line = pm_take(memory, 1, sizeof *line);
    size_t p = 1 + t->problem->p + (t->problem->source_t ? 1 : 0);

    *line = (pm_line){.p = p,
                      .scale = pm_take(memory, p, sizeof *line->scale),
                      .coefficient = pm_take(memory, p, sizeof *line->coefficient),
                      .unseen = pm_take(memory, t->groups * p, sizeof *line->unseen)};
    return line;
}

const pm_line *pm_line_fit(pm_memory *memory, const pm_training *t)
{
    pm_normal_equations *sums, *all;
    pm_line *line;

    if (t->many <= t->n || t->problem->p + 2 > MOST_COLUMNS)
        return NULL;
    line = create(memory, t);
    find_scales(line, t, pm_take(memory, line->p, sizeof(double)));
    sums = pm_normal_create(memory, t->groups + 1, line->p);
    all = &sums[t->groups];
    add_up(line, t, number_groups(memory, t), sums, pm_take(memory, line->p, sizeof(double)));
    if (isfinite(pm_normal_size(all))) {
        pm_nnls(memory, all, line->coefficient);
        for (size_t g = 0; g < t->groups; g++) {
            double *own = line->unseen + g * line->p;

            memcpy(own, line->coefficient, line->p * sizeof *own); /* start values */
            pm_normal_take_away(&sums[g], all);
            pm_nnls(memory, &sums[g], own);
        }
    } else {
        line = NULL;
    }
    return line;
}

/* ---- a candidate ---------------------------------------------------------------------------- */

/* Adds the linear model, which was fitted before as the response 'l', to the candidates. A
 * prediction has the distribution of the residuals of training rows, each predicted without its
 * program. */
static void *fit(pm_memory *memory, const pm_training *t, pm_candidates *list)
{
    const pm_response *r = pm_training_response(t, 'l');
    pm_spread *spread = pm_take(memory, 1, sizeof *spread);
    pm_candidate *c;

    if (!r)
        return spread;
    *spread = pm_residual_spread(memory, r->y, t->n);
    c = pm_candidates_add(memory, list, t, "", r->letter);
    c->cheap = true;
    for (size_t i = 0; i < t->n; i++)
        c->inner[i] = pm_spread_moved(*spread, r->offset[i]);
    return spread;
}

static void predict(pm_memory *memory, const pm_training *t, const void *model, pm_candidates *list)
{
    const pm_spread *spread = model;
    const pm_response *r = pm_training_response(t, 'l');

    (void)memory;
    for (size_t i = 0; list->n > 0 && i < t->m && list->candidate[0].outer; i++)
        list->candidate[0].outer[i] = pm_spread_moved(*spread, r->offset_test[i]);
}

const pm_family pm_line_family = {.fit = fit, .predict = predict};
