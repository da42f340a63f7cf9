/* The responses: forms in which the time is modelled. There are four: the time; the time divided by
 * the time on the source GPU; the time divided by one counter (the one to which the time is most
 * nearly proportional); and the time divided by the prediction of a linear model of all counters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/methods/line.h"
#include "model/units/units.h"

static double counter(const pm_training *t, size_t row, size_t column)
{
    return t->problem->x[row * t->problem->p + column];
}

static double median(double *values, size_t n)
{
    gsl_sort(values, 1, n);
    return gsl_stats_median_from_sorted_data(values, 1, n);
}

/* Returns how far time is from being proportional to a counter: the sum over the training rows of
 * |log(time / counter) - center|. The center is the median over the programs of each program's
 * median. Scratch space: ratio and sorted for n numbers, middle for one number per program. */
static double proportion_error(const pm_training *t, size_t column, double *ratio, double *sorted,
                               double *middle)
{
    double center, sum = 0;

    for (size_t i = 0; i < t->n; i++)
        sorted[i] = ratio[i] = t->z[i] - log(counter(t, t->row[i], column));
    for (size_t g = 0; g < t->groups; g++)
        middle[g] = median(sorted + t->start[g], t->start[g + 1] - t->start[g]);
    center = median(middle, t->groups);
    for (size_t i = 0; i < t->n; i++)
        sum += fabs(ratio[i] - center);
    return sum;
}

/* Returns whether time can be divided by a counter: it is positive in all training rows, and not
 * constant. *least gets its smallest value. */
static bool usable(const pm_training *t, size_t column, double *least)
{
    double most = 0;

    *least = INFINITY;
    for (size_t i = 0; i < t->n; i++) {
        *least = fmin(*least, counter(t, t->row[i], column));
        most = fmax(most, counter(t, t->row[i], column));
    }
    return *least > 0 && most > 2 * *least;
}

/* Returns the column of the counter that time is most nearly proportional to, or p if there is
 * none. *least gets the smallest value of this counter in the training rows. work: scratch space
 * for 3 n numbers. */
static size_t best_counter(const pm_training *t, double *work, double *least)
{
    size_t best = t->problem->p;
    double best_error = INFINITY;

    for (size_t column = 0; column < t->problem->p; column++) {
        double low, error;

        if (!usable(t, column, &low))
            continue;
        error = proportion_error(t, column, work, work + t->n, work + 2 * t->n);
        if (error < best_error) {
            best_error = error;
            best = column;
            *least = low;
        }
    }
    return best;
}

/* Adds a response (the logarithm of the time, or of the time divided by something) with the offset
 * 0 in all rows. */
static pm_response *add(pm_memory *memory, pm_training *t, const char *letter)
{
    pm_response *r = &t->response[t->responses++];

    *r = (pm_response){.letter = letter,
                       .y = pm_take(memory, t->n, sizeof(double)),
                       .offset = pm_take(memory, t->n, sizeof(double))};
    return r;
}

/* Returns the number that is subtracted from the log time of a row, so that the model predicts the
 * time divided by the time on the source GPU (response `d`). The number is the logarithm of the
 * row's time on the source GPU. If the profiles of both GPUs are known, it also includes the
 * logarithm of the ratio of the times that the units model computes for the two GPUs. */
static double over_source(const pm_training *t, const pm_response *r, size_t row)
{
    return pm_units_log_ratio(r->how, row) + log(t->problem->source_t[row]);
}

static void add_source(pm_memory *memory, pm_training *t)
{
    pm_response *r = add(memory, t, "d");

    r->how = pm_units_ratio_fit(memory, t);
    r->offset_of = over_source;
}

/* Data of the response `o`, for which the time divided by a counter is modelled: the counter's
 * column, and its least value in the training rows. */
typedef struct {
    size_t column;
    double least;
} under;

static double over_counter(const pm_training *t, const pm_response *r, size_t row)
{
    const under *u = r->how;

    return log(pm_floored(counter(t, row, u->column), u->least));
}

static void add_counter(pm_memory *memory, pm_training *t)
{
    under *u = pm_take(memory, 1, sizeof *u);
    pm_response *r;

    u->column = best_counter(t, pm_take(memory, 3 * t->n, sizeof(double)), &u->least);
    if (u->column == t->problem->p)
        return;
    r = add(memory, t, "o");
    r->how = u;
    r->offset_of = over_counter;
}

static double over_line(const pm_training *t, const pm_response *r, size_t row)
{
    return pm_line_log_time(r->how, t->problem, row);
}

/* Adds the response `l`: log time minus the log time that a linear model predicts (line.h). The
 * linear model for a training row is fitted without the row's program. */
static void add_line(pm_memory *memory, pm_training *t)
{
    const pm_line *line = pm_line_fit(memory, t);
    pm_response *r;

    if (!line)
        return;
    r = add(memory, t, "l");
    r->how = line;
    r->offset_of = over_line;
    for (size_t i = 0; i < t->n; i++)
        r->offset[i] = pm_line_unseen(line, t, i);
}

void pm_responses_create(pm_memory *memory, pm_training *t)
{
    add(memory, t, "z");
    if (t->problem->source_t)
        add_source(memory, t);
    add_counter(memory, t);
    for (size_t k = 0; k < t->responses; k++)
        for (size_t i = 0; i < t->n && t->response[k].offset_of; i++)
            t->response[k].offset[i] = t->response[k].offset_of(t, &t->response[k], t->row[i]);
    add_line(memory, t);
    for (size_t k = 0; k < t->responses; k++)
        for (size_t i = 0; i < t->n; i++)
            t->response[k].y[i] = t->z[i] - t->response[k].offset[i];
}

void pm_responses_test(pm_memory *memory, pm_training *t)
{
    for (size_t k = 0; k < t->responses; k++) {
        pm_response *r = &t->response[k];

        r->offset_test = pm_take(memory, t->m, sizeof(double));
        for (size_t i = 0; i < t->m && r->offset_of; i++)
            r->offset_test[i] = r->offset_of(t, r, t->test[i]);
    }
}
