/* Non-negative least squares. See nnls.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * This is the active set method of Lawson and Hanson (Solving Least Squares Problems, 1974, chapter
 * 23) on normal equations (Bro and de Jong, J. Chemom. 11, 1997). Columns enter one at a time, the
 * one with the steepest descent first. A column leaves if its coefficient would become negative.
 */
#include "model/methods/nnls.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A column gets a coefficient other than 0 only if the cosine of its angle to the residual is at
 * least this. Below it, the column would only explain rounding errors. */
static const double FLAT = 1e-10;
/* Fraction by which the diagonal of the normal equations is increased, so that linearly dependent
 * columns have a solution. */
static const double JITTER = 1e-10;

pm_normal_equations *pm_normal_create(pm_memory *memory, size_t count, size_t p)
{
    pm_normal_equations *e = pm_take(memory, count, sizeof *e);
    double *all = pm_take(memory, count, p * (p + 1) * sizeof *all);

    for (size_t k = 0; k < count; k++)
        e[k] = (pm_normal_equations){
            .p = p, .products = all + k * p * (p + 1), .sums = all + k * p * (p + 1) + p * p};
    return e;
}

void pm_normal_add(pm_normal_equations *e, const double *v)
{
    e->rows += 1;
    for (size_t j = 0; j < e->p; j++) {
        double *restrict row = e->products + j * e->p, factor = v[j];

        for (size_t k = 0; k <= j; k++)
            row[k] += factor * v[k];
        e->sums[j] += factor;
    }
}

void pm_normal_take_away(pm_normal_equations *e, const pm_normal_equations *all)
{
    e->rows = all->rows - e->rows;
    for (size_t k = 0; k < e->p * e->p; k++)
        e->products[k] = all->products[k] - e->products[k];
    for (size_t j = 0; j < e->p; j++)
        e->sums[j] = all->sums[j] - e->sums[j];
}

double pm_normal_size(const pm_normal_equations *e)
{
    double size = 0;

    for (size_t j = 0; j < e->p; j++)
        size += e->products[j * e->p + j];
    return size;
}

/* The active set: the columns whose coefficients may differ from 0, and the least-squares solution
 * for them. */
typedef struct {
    const pm_normal_equations *e;
    bool *in;         /* flags of active columns: in[j] is true if column j is active */
    size_t n, *place; /* indices of the n active columns, ascending */
    /* n x n matrix, stored by row: Cholesky factor of the products of the active columns */
    double *root;
    double *solution; /* solution[i]: coefficient of the active column place[i] */
} active;

static double product(const pm_normal_equations *e, size_t j, size_t k)
{
    return j > k ? e->products[j * e->p + k] : e->products[k * e->p + j];
}

/* Computes the Cholesky factor `root` of the matrix of products of the active columns. */
static void factor(active *s)
{
    for (size_t j = 0; j < s->n; j++) {
        double *row = s->root + j * s->n, diagonal = product(s->e, s->place[j], s->place[j]);

        for (size_t k = 0; k <= j; k++) {
            const double *other = s->root + k * s->n;
            double sum = product(s->e, s->place[j], s->place[k]);

            for (size_t i = 0; i < k; i++)
                sum -= row[i] * other[i];
            if (k < j)
                row[k] = sum / other[k];
            /* JITTER keeps the pivot positive if the column depends linearly on columns before
             * it */
            else
                row[k] = sqrt(fmax(sum, 0) + JITTER * diagonal);
        }
    }
}

static void solve(active *s)
{
    s->n = 0;
    for (size_t j = 0; j < s->e->p; j++)
        if (s->in[j])
            s->place[s->n++] = j;
    factor(s);
    for (size_t j = 0; j < s->n; j++) {
        double sum = s->e->sums[s->place[j]];

        for (size_t k = 0; k < j; k++)
            sum -= s->root[j * s->n + k] * s->solution[k];
        s->solution[j] = sum / s->root[j * s->n + j];
    }
    for (size_t j = s->n; j-- > 0;) {
        for (size_t k = j + 1; k < s->n; k++)
            s->solution[j] -= s->root[k * s->n + j] * s->solution[k];
        s->solution[j] /= s->root[j * s->n + j];
    }
}

/* Returns the fraction of the distance from `from` to `to` at which a moving coefficient becomes 0.
 * INFINITY: it does not become 0. */
static double way_to_zero(double from, double to)
{
    return to > 0 ? INFINITY : from / (from - to);
}

/* Moves the coefficients a to the least-squares solution for the active columns. If a coefficient
 * reaches 0 on the way, its column leaves the active set, and the step is repeated for the
 * remaining columns. */
static void settle(active *s, double *a)
{
    for (bool settled = false; !settled;) {
        double step = 1;

        solve(s);
        settled = true;
        for (size_t j = 0; j < s->n; j++)
            step = fmin(step, way_to_zero(a[s->place[j]], s->solution[j]));
        for (size_t j = 0; j < s->n; j++) {
            double *own = &a[s->place[j]];
            bool out = way_to_zero(*own, s->solution[j]) <= step;

            *own = out ? 0 : *own + step * (s->solution[j] - *own);
            s->in[s->place[j]] = !out;
            settled = settled && !out;
        }
    }
}

/* Returns the index of the inactive column by which the sum of squares decreases fastest; the
 * number of columns p if it decreases by none. */
static size_t steepest(const active *s, const double *a)
{
    const pm_normal_equations *e = s->e;
    size_t best = e->p;
    double most = FLAT;

    for (size_t j = 0; j < e->p; j++) {
        double descent = e->sums[j], size = product(e, j, j);

        for (size_t k = 0; k < e->p; k++)
            descent -= a[k] > 0 ? product(e, j, k) * a[k] : 0;
        descent = size > 0 ? descent / sqrt(size * e->rows) : 0;
        if (!s->in[j] && descent > most) {
            most = descent;
            best = j;
        }
    }
    return best;
}

void pm_nnls(pm_memory *memory, const pm_normal_equations *e, double *a)
{
    active s = {.e = e,
                .in = pm_take(memory, e->p, sizeof *s.in),
                .place = pm_take(memory, e->p, sizeof *s.place),
                .root = pm_take(memory, e->p * e->p, sizeof *s.root),
                .solution = pm_take(memory, e->p, sizeof *s.solution)};

    for (size_t j = 0; j < e->p; j++)
        s.in[j] = a[j] > 0;
    settle(&s, a);
    /* The limit is 3 p rounds, for p columns. More rounds would only be needed if rounding errors
     * moved columns in and out again and again. */
    for (size_t round = 0; round < 3 * e->p; round++) {
        size_t next = steepest(&s, a);

        if (next == e->p)
            break;
        s.in[next] = true;
        settle(&s, a);
    }
}
