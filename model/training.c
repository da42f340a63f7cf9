/* The training rows of a blend: which ones, in which order. See training.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/training.h"

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

/* Keeps evenly spaced rows of a program in the order of their times. */
static void thin(share *s, const pm_problem *problem)
{
    if (s->quota < s->rows) {
        qsort_r(s->row, s->rows, sizeof *s->row, compare_times, (void *)problem);
        for (size_t k = 0; k < s->quota; k++)
            s->row[k] = s->row[(2 * k + 1) * s->rows / (2 * s->quota)];
    }
    qsort(s->row, s->quota, sizeof *s->row, compare_rows);
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

static void choose_rows(pm_memory *memory, pm_training *t, const size_t *train, size_t n_train)
{
    size_t groups = t->problem->groups, present = 0, at = 0;
    share *shares = pm_take(memory, groups, sizeof *shares);
    size_t *rows = pm_take(memory, n_train, sizeof *rows);

    for (size_t i = 0; i < n_train; i++)
        shares[t->problem->group[train[i]]].rows++;
    for (size_t g = 0; g < groups; g++) {
        shares[g].row = rows + at;
        at += shares[g].rows;
    }
    for (size_t i = 0; i < n_train; i++) {
        share *s = &shares[t->problem->group[train[i]]];

        s->row[s->quota++] = train[i];
    }
    for (size_t g = 0; g < groups; g++)
        if (shares[g].rows > 0)
            shares[present++] = shares[g];
    set_quotas(shares, present, n_train < PM_MOST_ROWS ? n_train : PM_MOST_ROWS);
    for (size_t g = 0; g < present; g++)
        thin(&shares[g], t->problem);
    take(t, shares, present);
}

/* ---- all of it ---------------------------------------------------------------------------- */

void pm_training_create(pm_memory *memory, pm_training *t, const pm_problem *problem,
                        const size_t *train, size_t n_train, const size_t *test, size_t n_test)
{
    size_t rows = n_train < PM_MOST_ROWS ? n_train : PM_MOST_ROWS;

    *t = (pm_training){.problem = problem,
                       .m = n_test,
                       .test = test,
                       .row = pm_take(memory, rows, sizeof *t->row),
                       .start = pm_take(memory, rows + 1, sizeof *t->start),
                       .group = pm_take(memory, rows, sizeof *t->group),
                       .z = pm_take(memory, rows, sizeof *t->z)};
    choose_rows(memory, t, train, n_train);
    pm_features_create(memory, &t->features, t);
    pm_responses_create(memory, t);
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
    c->inner = pm_take(memory, t->n, sizeof *c->inner);
    c->outer = pm_take(memory, t->m, sizeof *c->outer);
    return c;
}
