/* Chooses the measured kernels (rows) from which the models of a blended prediction learn, and
 * sorts them. See training.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/training.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* ---- selection of rows -------------------------------------------------------------------- */

/* Training rows of one program, and the number of them that are used (quota). */
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

/* Sets the quota of each program (number of rows that are used), so that the quotas sum to `rows`.
 * All programs get the same quota, except programs with fewer rows, which use all of them. If the
 * sum is then still below `rows`, some evenly spaced programs get one row more. */
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
            /* given: sum of the equal quotas. The missing rows - given rows come from the `more`
             * programs that have unused rows. Evenly spaced ones of these programs give one row
             * each (Bresenham's rule). */
            size_t marks = rows - given;

            shares[g].quota += (seen + 1) * marks / more > seen * marks / more;
            seen++;
        }
    }
}

/* 1 / golden ratio. The fractional parts of its first n multiples are evenly distributed for any
 * n. */
static const double GOLDEN = 0.61803398874989485;

/* Keeps `quota` evenly spaced rows of a program. The phase depends on `thinned`, the number of
 * programs thinned before, by a golden-ratio sequence. Small and large sizes are then both
 * represented if each program keeps one row. */
static void space(share *s, size_t thinned)
{
    double place = fmod(0.5 + (double)thinned * GOLDEN, 1) - 0.5;
    double from = 0.5 + place / (double)s->quota;

    for (size_t k = 0; k < s->quota; k++) {
        size_t at = (size_t)(((double)k + from) * (double)s->rows / (double)s->quota);

        s->row[k] = s->row[at < s->rows ? at : s->rows - 1];
    }
}

/* Sets quotas that sum to `rows`, and reduces the list of rows of each program to its quota.
 * by_time true: the remaining rows are evenly spaced in the sorted times, and are then sorted by
 * index; false: they are evenly spaced in the list as it is. */
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

/* Makes a list of the training rows of each program in shares[]. Returns the number of programs
 * that have rows. */
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

/* Chooses the rows for models that can learn from many rows (t->many_row). Starts from copies of
 * the programs' lists of rows. Call this function before thin() shortens the lists in `shares`. */
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

/* ---- the training data -------------------------------------------------------------------- */

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

/* ---- candidates --------------------------------------------------------------------------- */
