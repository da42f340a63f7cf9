/* Tests models that learn from more than 256 rows: compares the linear model of all counters with
 * slow computations of the same numbers, and checks which rows the other kinds of models use.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gsl/gsl_randist.h>
#include <math.h>

#include "model/methods/line.h"
#include "model/methods/nnls.h"
#include "owned.h"
#include "rng.h"

/* ---- least squares without negative coefficients -------------------------------------------- */

enum { COLUMNS = 9 };

/* Makes rows in which the last two columns repeat others, and some columns only reduce the sum. */
static pm_normal_equations *random_equations(pm_memory *memory, gsl_rng *rng)
{
    pm_normal_equations *e = pm_normal_create(memory, 1, COLUMNS);
    double v[COLUMNS];

    for (int row = 0; row < 40; row++) {
        for (int j = 0; j < COLUMNS - 2; j++)
            v[j] = gsl_rng_uniform(rng) - (j % 3 == 2 ? 0.8 : 0.1);
        v[COLUMNS - 2] = v[0];
        v[COLUMNS - 1] = v[1] + v[2];
        pm_normal_add(e, v);
    }
    return e;
}

/* Returns half the derivative of the sum of squares with respect to a coefficient. */
static double slope(const pm_normal_equations *e, const double *a, size_t j)
{
    double sum = -e->sums[j];

    for (size_t k = 0; k < e->p; k++)
        sum += a[k] * e->products[j > k ? j * e->p + k : k * e->p + j];
    return sum;
}

/* Kuhn and Tucker's conditions: the derivative is 0 for a positive coefficient and not negative for
 * a coefficient of 0. */
TEST(no_coefficient_can_be_bettered)
{
    pm_memory *memory = own_memory();

    for (unsigned long seed = 1; seed <= 300; seed++) {
        gsl_rng *rng = rng_of(seed);
        double a[COLUMNS] = {0};
        const pm_normal_equations *e = random_equations(memory, rng);

        if (seed % 2) /* from anywhere */
            for (int j = 0; j < COLUMNS; j++)
                a[j] = gsl_rng_uniform(rng) < 0.5 ? 0 : gsl_rng_uniform(rng);
        pm_nnls(memory, e, a);
        for (size_t j = 0; j < COLUMNS; j++) {
            assert_true(a[j] >= 0);
            assert_true(slope(e, a, j) > -1e-6 * e->rows);
            assert_true(a[j] == 0 || slope(e, a, j) < 1e-6 * e->rows);
        }
    }
}

/* ---- the line ------------------------------------------------------------------------------- */

enum { ROWS = 600, COUNTERS = 4, PROGRAMS = 20 };

typedef struct {
    double x[ROWS * COUNTERS], t[ROWS], source_t[ROWS];
    size_t group[ROWS], rows[ROWS];
    pm_problem problem;
} generated;

/* Makes rows whose times are 2 us plus 3 and 0.5 ns per count of the first two counters, exactly or
 * with noise. */
static void generate(generated *g, bool source, double noise, unsigned long seed)
{
    gsl_rng *rng = rng_of(seed);

    for (size_t i = 0; i < ROWS; i++) {
        double *x = g->x + i * COUNTERS;

        g->group[i] = i % PROGRAMS;
        g->rows[i] = i;
        for (size_t j = 0; j < COUNTERS; j++)
            x[j] = gsl_ran_lognormal(rng, 8, 1.5);
        g->t[i] = (2e-6 + 3e-9 * x[0] + 0.5e-9 * x[1]) * exp(gsl_ran_gaussian(rng, noise));
        g->source_t[i] = 1e-6 * gsl_ran_lognormal(rng, 0, 1);
    }
    g->problem = (pm_problem){.n = ROWS,
                              .n_known = ROWS,
                              .p = COUNTERS,
                              .x = g->x,
                              .t = g->t,
                              .source_t = source ? g->source_t : NULL,
                              .group = g->group,
                              .groups = PROGRAMS};
}

/* Returns the line fitted to all rows of generate(). */
static const pm_line *line_of(pm_memory *memory, pm_training *t, generated *g, bool source,
                              double noise, unsigned long seed)
{
    generate(g, source, noise, seed);
    pm_training_create(memory, t, &g->problem, g->rows, ROWS, NULL, 0);
    return need((void *)(uintptr_t)pm_line_fit(memory, t));
}

TEST(the_line_finds_what_times_are_made_of)
{
    for (unsigned long seed = 1; seed <= 4; seed++) {
        pm_training t;
        generated g;
        const pm_line *line = line_of(own_memory(), &t, &g, seed % 2, 0, seed);

        assert_int_equal(t.n, PM_MOST_ROWS);
        assert_int_equal(t.many, ROWS);
        for (size_t i = 0; i < ROWS; i++)
            assert_true(fabs(pm_line_log_time(line, &g.problem, i) - log(g.t[i])) < 1e-4);
    }
}

/* Subtracting a program's sums from the total gives the same fit as summing the rows of the other
 * programs. */
TEST(a_program_left_out_is_not_seen)
{
    pm_memory *memory = own_memory();
    generated g;
    pm_training t;
    const pm_line *line = line_of(memory, &t, &g, true, 0.3, 1);

    for (size_t program = 0; program < PROGRAMS; program++) {
        size_t others[ROWS], n = 0;
        const pm_line *without;
        pm_training rest;

        for (size_t i = 0; i < ROWS; i++)
            if (g.group[i] != program)
                others[n++] = i;
        pm_training_create(memory, &rest, &g.problem, others, n, NULL, 0);
        without = need((void *)(uintptr_t)pm_line_fit(memory, &rest));
        for (size_t i = 0; i < t.n; i++)
            if (g.group[t.row[i]] == program)
                assert_true(fabs(pm_line_unseen(line, &t, i) -
                                 pm_line_log_time(without, &g.problem, t.row[i])) < 1e-6);
    }
}

/* No line is fitted if there are so few rows that all families learn from all of them, or if sums
 * would overflow. */
TEST(there_is_not_always_a_line)
{
    generated g;
    pm_memory *memory = own_memory();
    pm_training t;

    generate(&g, false, 0.1, 1);
    pm_training_create(memory, &t, &g.problem, g.rows, PM_MOST_ROWS, NULL, 0);
    assert_null(pm_line_fit(memory, &t));
    assert_null(pm_training_response(&t, 'l'));
    g.x[0] = 1e305;
    pm_training_create(memory, &t, &g.problem, g.rows, ROWS, NULL, 0);
    assert_null(pm_line_fit(memory, &t));
}

/* A row far from all others, and a row for which the line gives no positive time. */
TEST(no_row_has_a_time_that_is_none)
{
    generated g;
    pm_training t;
    const pm_line *line = line_of(own_memory(), &t, &g, false, 0.1, 1);

    for (size_t j = 0; j < COUNTERS; j++) {
        g.x[j] = -1e300;
        g.x[COUNTERS + j] = DBL_MAX;
    }
    assert_true(pm_line_log_time(line, &g.problem, 0) > log(1e-8));
    assert_true(isfinite(pm_line_log_time(line, &g.problem, 1)));
}

/* ---- selection of rows ---------------------------------------------------------------------- */

/* Makes programs of `sizes` rows each, whose times grow with the size. */
static void keep_rows(pm_memory *memory, pm_training *t, pm_problem *problem, size_t programs,
                      size_t sizes)
{
    size_t n = programs * sizes;
    size_t *group = pm_take(memory, n, sizeof *group), *rows = pm_take(memory, n, sizeof *rows);
    double *times = pm_take(memory, n, sizeof *times);

    for (size_t i = 0; i < n; i++) {
        group[i] = i / sizes;
        rows[i] = i;
        times[i] = 1 + (double)(i % sizes);
    }
    *problem = (pm_problem){
        .n = n, .n_known = n, .p = 1, .x = times, .t = times, .group = group, .groups = programs};
    pm_training_create(memory, t, problem, rows, n, NULL, 0);
}

/* If there are more programs than rows to keep, or nearly as many, the kept rows have all sizes. */
TEST(rows_of_many_programs_are_of_all_sizes)
{
    enum { SIZES = 60, PARTS = 6 };
    static const size_t programs[] = {200, 256, 270, 400, 1800};

    for (size_t k = 0; k < sizeof programs / sizeof *programs; k++) {
        size_t of_part[PARTS] = {0};
        pm_memory *memory = own_memory();
        pm_problem problem;
        pm_training t;

        keep_rows(memory, &t, &problem, programs[k], SIZES);
        assert_int_equal(t.n, PM_MOST_ROWS);
        for (size_t i = 0; i < t.n; i++)
            of_part[t.row[i] % SIZES * PARTS / SIZES]++;
        for (size_t part = 0; part < PARTS; part++)
            assert_in_range(of_part[part], PM_MOST_ROWS / PARTS / 2, 2 * PM_MOST_ROWS / PARTS);
    }
}

/* A line learns from all rows. If there are very many, it learns from the same number of rows of
 * each program. */
TEST(a_line_learns_from_many_rows)
{
    static const struct {
        size_t programs, sizes, many;
    } cases[] = {{3, 85, 0}, {3, 86, 258}, {40, 1000, 40000}, {3, 40000, PM_MANY_ROWS}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t of_program[40] = {0};
        pm_memory *memory = own_memory();
        pm_problem problem;
        pm_training t;

        keep_rows(memory, &t, &problem, cases[k].programs, cases[k].sizes);
        assert_int_equal(t.many, cases[k].many);
        for (size_t i = 0; i < t.many; i++) {
            of_program[problem.group[t.many_row[i]]]++;
            assert_true(i == 0 || t.many_row[i] > t.many_row[i - 1]);
        }
        for (size_t g = 0; g < cases[k].programs; g++)
            assert_in_range(of_program[g], t.many / cases[k].programs,
                            t.many / cases[k].programs + 1);
    }
}
