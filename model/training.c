/* The training rows of a blend: which ones, in which order. See training.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/training.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* ---- which rows --------------------------------------------------------------------------- */

/* Rows of one program, its quota of them to be learned from. */
typedef struct {
    size_t *row;
    size_t rows, quota;
} share;

static int compare_rows(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

static int compare_times(const void *a, const void *b, void *problem)
{
    const double *t = ((const pm_problem *)problem)->t;
    double x = t[*(const size_t *)a], y = t[*(const size_t *)b];

    return x != y ? (x > y) - (x < y) : compare_rows(a, b);
}

/* Equal quotas as far as the programs have rows; what is left over goes to evenly spaced ones of
 * those that have more. */
static void set_quotas(share *shares, size_t groups, size_t rows)
{
    size_t level = 0, given = 0, more = groups, seen = 0;

    while (given < rows && more > 0 && given + more <= rows) {
        level++;
        given += more;
        more = 0;
        for (size_t g = 0; g < groups; g++)
            more += shares[g].rows > level;
    }
    for (size_t g = 0; g < groups; g++) {
        shares[g].quota = shares[g].rows < level ? shares[g].rows : level;
        if (shares[g].rows > level && given < rows) {
            /* one of (rows - given) marks, evenly spaced over `more` programs, falls on this one */
            size_t marks = rows - given;

            shares[g].quota += (seen + 1) * marks / more > seen * marks / more;
            seen++;
        }
    }
}

/* One over the golden ratio: its multiples lie evenly between 0 and 1 however many there are. */
static const double GOLDEN = 0.61803398874989485;

/* Keeps evenly spaced rows of a program, the thinned-th of those that have more than they may keep.
 * From where on differs between programs, and the less the more rows each keeps: of one row each
 * the programs' are then of all sizes, and of many each program's are. */
static void space(share *s, size_t thinned)
{
    double place = fmod(0.5 + (double)thinned * GOLDEN, 1) - 0.5;
    double from = 0.5 + place / (double)s->quota;

    for (size_t k = 0; k < s->quota; k++) {
        size_t at = (size_t)(((double)k + from) * (double)s->rows / (double)s->quota);

        s->row[k] = s->row[at < s->rows ? at : s->rows - 1];
    }
}

/* The quotas of rows, and of each program as many of them, in the order of the rows. by_time:
 * evenly spaced in the order of its times, else in that of its rows. */
static void thin(share *shares, size_t groups, size_t rows, const pm_problem *problem, bool by_time)
{
    size_t thinned = 0;

    set_quotas(shares, groups, rows);
    for (size_t g = 0; g < groups; g++) {
        share *s = &shares[g];

        if (s->quota > 0 && s->quota < s->rows) {
            if (by_time)
                qsort_r(s->row, s->rows, sizeof *s->row, compare_times, (void *)problem);
            space(s, thinned++);
        }
        if (by_time)
            qsort(s->row, s->quota, sizeof *s->row, compare_rows);
    }
}

static void take(pm_training *t, const share *shares, size_t groups)
{
    for (size_t g = 0; g < groups; g++) {
        if (shares[g].quota == 0)
            continue;
        t->start[t->groups] = t->n;
        for (size_t k = 0; k < shares[g].quota; k++) {
            t->row[t->n] = shares[g].row[k];
            t->group[t->n] = t->groups;
            t->z[t->n++] = log(t->problem->t[shares[g].row[k]]);
        }
        t->groups++;
    }
    t->start[t->groups] = t->n;
}

/* The training rows program by program; returns how many programs there are. */
static size_t share_out(pm_memory *memory, share *shares, const pm_problem *problem,
                        const size_t *train, size_t n_train)
{
    size_t *rows = pm_take(memory, n_train, sizeof *rows), present = 0, at = 0;

    for (size_t i = 0; i < n_train; i++)
        shares[problem->group[train[i]]].rows++;
    for (size_t g = 0; g < problem->groups; g++) {
        shares[g].row = rows + at;
        at += shares[g].rows;
    }
    for (size_t i = 0; i < n_train; i++) {
        share *s = &shares[problem->group[train[i]]];

        s->row[s->quota++] = train[i];
    }
    for (size_t g = 0; g < problem->groups; g++)
        if (shares[g].rows > 0)
            shares[present++] = shares[g];
    return present;
}

/* Before the shares are thinned further: what is taken stays in front. */
static void take_many(pm_memory *memory, pm_training *t, const share *shares, size_t groups,
                      size_t n_train)
{
    share *own = pm_take(memory, groups, sizeof *own);
    size_t most = n_train < PM_MANY_ROWS ? n_train : PM_MANY_ROWS;

    t->many_row = pm_take(memory, n_train, sizeof *t->many_row);
    for (size_t g = 0, at = 0; g < groups; at += shares[g++].rows) {
        own[g] = (share){.row = t->many_row + at, .rows = shares[g].rows};
        memcpy(own[g].row, shares[g].row, own[g].rows * sizeof *own[g].row);
    }
    thin(own, groups, most, t->problem, false);
    for (size_t g = 0; g < groups; g++) {
        memmove(t->many_row + t->many, own[g].row, own[g].quota * sizeof *own[g].row);
        t->many += own[g].quota;
    }
}

static void choose_rows(pm_memory *memory, pm_training *t, const size_t *train, size_t n_train)
{
    share *shares = pm_take(memory, t->problem->groups, sizeof *shares);
    size_t present = share_out(memory, shares, t->problem, train, n_train);

    if (n_train > PM_MOST_ROWS)
        take_many(memory, t, shares, present, n_train);
    thin(shares, present, n_train < PM_MOST_ROWS ? n_train : PM_MOST_ROWS, t->problem, true);
    take(t, shares, present);
}

/* ---- all of it ---------------------------------------------------------------------------- */

void pm_training_create(pm_memory *memory, pm_training *t, const pm_problem *problem,
                        const size_t *train, size_t n_train, const size_t *test, size_t n_test)
{
    size_t rows = n_train < PM_MOST_ROWS ? n_train : PM_MOST_ROWS;

    *t = (pm_training){.problem = problem,
                       .row = pm_take(memory, rows, sizeof *t->row),
                       .start = pm_take(memory, rows + 1, sizeof *t->start),
                       .group = pm_take(memory, rows, sizeof *t->group),
                       .z = pm_take(memory, rows, sizeof *t->z)};
    choose_rows(memory, t, train, n_train);
    pm_features_create(memory, &t->features, t);
    pm_responses_create(memory, t);
    *t = pm_training_for(memory, t, test, n_test, true);
}

pm_training pm_training_for(pm_memory *memory, const pm_training *t, const size_t *test,
                            size_t n_test, bool features)
{
    pm_training other = *t;

    other.test = test;
    other.m = n_test;
    if (features)
        pm_features_test(memory, &other.features, &other);
    pm_responses_test(memory, &other);
    return other;
}

const pm_response *pm_training_response(const pm_training *t, char letter)
{
    for (size_t k = 0; k < t->responses; k++)
        if (t->response[k].letter[0] == letter)
            return &t->response[k];
    return NULL;
}

/* ---- candidates --------------------------------------------------------------------------- */

pm_candidate *pm_candidates_add(pm_memory *memory, pm_candidates *list, const pm_training *t,
                                const char *family, const char *letter)
{
    pm_candidate *c = &list->candidate[list->n];

    if (list->n == PM_MAX_CANDIDATES)
        pm_leave(memory, PM_FAILED, "a blend of more than %d candidates", PM_MAX_CANDIDATES);
    list->n++;
    snprintf(c->name, sizeof c->name, "%s%s", family, letter);
    c->over_line = letter[0] == 'l';
    c->inner = pm_take(memory, t->n, sizeof *c->inner);
    return c;
}

pm_spread pm_residual_spread(pm_memory *memory, const double *residual, size_t n)
{
    double *sorted = pm_take(memory, n, sizeof *sorted);
    double *reciprocal = pm_take(memory, n, sizeof *reciprocal);

    memcpy(sorted, residual, n * sizeof *sorted);
    gsl_sort(sorted, 1, n);
    pm_reciprocals(sorted, n, reciprocal);
    return pm_spread_of(sorted, NULL, reciprocal, n);
}
