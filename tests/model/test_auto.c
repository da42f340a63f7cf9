/* Tests the parts of prediction method `auto` by slow computations of the same numbers: left-out
 * programs by fitting again, the point of least relative error by a search, and forests by the rows
 * that they have drawn.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <math.h>

#include "base/gsl.h"
#include "model/boxcox.h"
#include "model/methods/forest.h"
#include "model/methods/gram.h"
#include "model/methods/kernel.h"
#include "model/spread.h"
#include "model/training.h"
#include "owned.h"
#include "rng.h"

enum { ROWS = 60, COUNTERS = 5, PROGRAMS = 12 };

/* Makes rows of several programs whose times depend on two of the counters and on the program. */
typedef struct {
    double x[ROWS * COUNTERS], t[ROWS], source_t[ROWS];
    size_t group[ROWS], rows[ROWS];
    pm_problem problem;
} generated;

static void generate(generated *g, size_t programs, bool source, unsigned long seed)
{
    gsl_rng *rng = rng_of(seed);
    double effect[PROGRAMS];

    for (size_t k = 0; k < programs; k++)
        effect[k] = gsl_ran_gaussian(rng, 0.4);
    for (size_t i = 0; i < ROWS; i++) {
        double *x = g->x + i * COUNTERS;

        g->group[i] = gsl_rng_uniform_int(rng, programs);
        g->rows[i] = i;
        for (size_t j = 0; j < COUNTERS; j++)
            x[j] = gsl_ran_lognormal(rng, 10, 2);
        x[3] = gsl_rng_uniform(rng) < 0.3 ? 0 : x[3];
        g->t[i] = 1e-9 * (x[0] + 3 * x[1]) * exp(effect[g->group[i]] + gsl_ran_gaussian(rng, 0.1));
        g->source_t[i] = 2e-9 * (x[0] + x[1]) * exp(gsl_ran_gaussian(rng, 0.3));
    }
    g->problem = (pm_problem){.n = ROWS,
                              .n_known = ROWS,
                              .p = COUNTERS,
                              .x = g->x,
                              .t = g->t,
                              .source_t = source ? g->source_t : NULL,
                              .group = g->group,
                              .groups = programs};
}

/* ---- spread ------------------------------------------------------------------------------- */

static double relative_error(const double *z, const double *weight, size_t n, double p)
{
    double sum = 0;

    for (size_t j = 0; j < n; j++)
        sum += (weight ? weight[j] : 1) * fabs(expm1(p - z[j]));
    return sum;
}

TEST(the_tilted_point_has_the_least_relative_error)
{
    for (unsigned long seed = 1; seed <= 200; seed++) {
        double z[40], reciprocal[40], weight[40], least = INFINITY, found;
        size_t n = 1 + seed % 40;
        bool weighted = seed % 2;
        gsl_rng *rng = rng_of(seed);

        for (size_t j = 0; j < n; j++) {
            /* ascending, with ties and weights of 0 */
            z[j] = (j ? z[j - 1] : -10) + (gsl_rng_uniform(rng) < 0.2 ? 0 : gsl_rng_uniform(rng));
            weight[j] = j && gsl_rng_uniform(rng) < 0.3 ? 0 : gsl_rng_uniform_pos(rng);
            reciprocal[j] = 7 * exp(-z[j]);
        }
        found = relative_error(z, weighted ? weight : NULL, n,
                               z[pm_tilt(weighted ? weight : NULL, reciprocal, n)]);
        for (int step = 0; step < (int)(1e3 * (z[n - 1] - z[0] + 1)); step++)
            least = fmin(least,
                         relative_error(z, weighted ? weight : NULL, n, z[0] - 0.5 + 1e-3 * step));
        assert_true(found <= least * (1 + 1e-12));
    }
}

TEST(quantiles_pass_over_samples_without_weight)
{
    const double z[] = {1, 2, 3, 4, 5}, weight[] = {0, 1, 0, 1, 0};
    pm_between_samples place = pm_quantile_place(weight, 5, 0.5);

    /* z = 2 is the quantile of probability 1/4, and z = 4 that of 3/4; the median is halfway */
    assert_true(fabs(pm_place_between(place, z[place.below], z[place.above]) - 3) < 1e-15);
    place = pm_quantile_place(weight, 5, 0.05);
    assert_true(pm_place_between(place, z[place.below], z[place.above]) == 2);
    place = pm_quantile_place(weight, 5, 0.95);
    assert_true(pm_place_between(place, z[place.below], z[place.above]) == 4);
    place = pm_quantile_place(NULL, 5, 0.2); /* 1 at 0.1, 2 at 0.3 */
    assert_true(fabs(pm_place_between(place, z[place.below], z[place.above]) - 1.5) < 1e-15);
}

TEST(the_conformal_factor_is_the_raised_rank)
{
    double need[40];

    for (size_t i = 0; i < 40; i++)
        need[i] = (double)((i * 7) % 40) + 1;
    /* 0.9 (1 + 1 / 20) 41 = 38.7 */
    assert_true(pm_conformal_factor(need, 40, 10) == 39);
    assert_true(pm_conformal_factor(need, 40, 2) == 40);
}

TEST(box_cox_and_back)
{
    static const int orders[] = {0, 4, 2};

    for (int k = 0; k < 3; k++) {
        pm_boxcox b = {.order = orders[k], .cap = 3};

        for (int step = -20; step < 20; step++) {
            double y = 0.25 * step, x = pm_boxcox_forward(&b, y), back = fmin(y, 3);

            assert_true(fabs(pm_boxcox_inverse(&b, x) - back) < 1e-12);
            assert_true(fabs(pm_boxcox_reciprocal(&b, x) * exp(back) - 1) < 1e-12);
        }
        /* a value beyond the bound of a negative lambda */
        assert_true(pm_boxcox_inverse(&b, 1e3) == 3);
    }
}

/* ---- leaving programs out ----------------------------------------------------------------- */

/* Returns x_i minus the prediction from rows outside i's program, and its variance. Solves with
 * those rows alone, without the closed form. */
static double refitted(const gsl_matrix *k, const double *x, const size_t *group, size_t i,
                       double *variance)
{
    size_t n = k->size1, rest = 0, kept[ROWS], start[] = {0, 0};
    double xs[ROWS], a[ROWS], work[ROWS], cross[ROWS], mean = 0;
    gsl_matrix *part;
    pm_memory *memory = own_memory();
    pm_gram *gram;

    for (size_t j = 0; j < n; j++)
        if (group[j] != group[i])
            kept[rest++] = j;
    part = pm_take_matrix(memory, rest, rest);
    for (size_t r = 0; r < rest; r++) {
        xs[r] = x[kept[r]];
        cross[r] = gsl_matrix_get(k, i, kept[r]);
        for (size_t c = 0; c < rest; c++)
            gsl_matrix_set(part, r, c, gsl_matrix_get(k, kept[r], kept[c]));
    }
    start[1] = rest;
    gram = pm_gram_factor(memory, part, start, 1);
    pm_gram_solve(gram, xs, a, work);
    for (size_t r = 0; r < rest; r++)
        mean += cross[r] * a[r];
    pm_gram_explained(gram, cross, 1, variance, work);
    *variance = gsl_matrix_get(k, i, i) - *variance;
    return x[i] - mean;
}

TEST(leaving_programs_out_equals_refitting)
{
    for (unsigned long seed = 1; seed <= 10; seed++) {
        const pm_kernel kernel = {seed % 2, 10, seed % 3 > 0, seed % PM_LENGTHS, .03, .1};
        double residual[ROWS], a[ROWS], work[ROWS];
        generated g;
        pm_training t;
        pm_pairs pairs;
        pm_memory *memory = own_memory();
        pm_gram *gram;
        gsl_matrix *k = pm_take_matrix(memory, ROWS, ROWS);
        gsl_matrix *copy = pm_take_matrix(memory, ROWS, ROWS);

        generate(&g, PROGRAMS, seed % 2, seed);
        pm_training_create(memory, &t, &g.problem, g.rows, ROWS, g.rows, 1);
        assert_int_equal(t.n, ROWS);
        pm_pairs_create(memory, &pairs, &t, ROWS);
        pm_pairs_train(&pairs, &t.features);
        pm_kernel_of(&kernel, &pairs, k->data);
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < ROWS; j++)
                *gsl_matrix_ptr(k, i, j) +=
                    (t.group[i] == t.group[j]) * kernel.program + (i == j) * kernel.noise;
        gsl_matrix_memcpy(copy, k);
        gram = pm_gram_factor(memory, k, t.start, t.groups);
        pm_gram_solve(gram, t.z, a, work);
        pm_gram_leave_out(gram, a, residual);
        for (size_t i = 0; i < ROWS; i++) {
            double variance, expected = refitted(copy, t.z, t.group, i, &variance);

            assert_true(fabs(residual[i] - expected) < 1e-7 * (1 + fabs(expected)));
            assert_true(fabs(gram->variance[i] / variance - 1) < 1e-7);
        }
    }
}

/* The covariance of a row with itself is the same as a training pair and as a test row. */
TEST(a_test_row_varies_as_a_training_row)
{
    for (unsigned long seed = 1; seed <= 6; seed++) {
        const pm_kernel kernel = {1, 10, seed % 3 > 0, seed % PM_LENGTHS, .03, .1};
        generated g;
        pm_training t;
        pm_pairs pairs;
        pm_memory *memory = own_memory();
        double *k = room(ROWS * ROWS, sizeof *k);

        generate(&g, PROGRAMS, seed % 2, seed);
        pm_training_create(memory, &t, &g.problem, g.rows, ROWS, g.rows, ROWS);
        pm_pairs_create(memory, &pairs, &t, ROWS);
        pm_pairs_train(&pairs, &t.features);
        pm_kernel_of(&kernel, &pairs, k);
        for (size_t i = 0; i < ROWS; i++) {
            double prior = pm_kernel_prior(&kernel, &t.features, t.row[i]);

            assert_true(fabs(k[i * ROWS + i] + 0.13 - prior) < 1e-9 * prior);
        }
    }
}

/* If a feature is 1 in nearly all training rows, the model must not extrapolate to a row where it
 * is 500. */
TEST(features_are_not_followed_far_beyond_training)
{
    pm_memory *memory = own_memory();
    generated g;
    pm_training t;
    double most = 0;

    generate(&g, PROGRAMS, false, 1);
    for (size_t i = 0; i < ROWS; i++)
        g.x[i * COUNTERS + 2] = i == 0 ? 1e9 : i % 4 ? 1 : 2;
    pm_training_create(memory, &t, &g.problem, g.rows + 1, ROWS - 1, g.rows, 1);
    for (size_t j = 0; j < t.features.p; j++)
        if (t.features.how[j].column == 2) {
            assert_true(t.features.test[j] < t.features.how[j].high + 1.5);
            most = t.features.test[j] - t.features.how[j].high;
        }
    assert_true(most > 0);
}

/* ---- forests ------------------------------------------------------------------------------ */

/* The weights of a training row belong to other programs, whatever the times of its own program
 * are. */
TEST(forests_never_ask_a_rows_own_program)
{
    for (unsigned long seed = 1; seed <= 5; seed++) {
        double weight[ROWS], total;
        generated g;
        pm_training t;
        pm_memory *memory = own_memory();
        pm_forest *forest;

        generate(&g, PROGRAMS, seed % 2, seed);
        pm_training_create(memory, &t, &g.problem, g.rows, ROWS, g.rows, ROWS);
        forest = pm_forest_grow(memory, &t, t.z);
        for (size_t i = 0; i < ROWS; i++) {
            pm_forest_weigh_train(forest, i, weight);
            total = 0;
            for (size_t k = 0; k < ROWS; k++) {
                total += weight[k];
                if (t.group[pm_forest_order(forest)[k]] == t.group[i])
                    assert_true(weight[k] == 0);
            }
            assert_true(fabs(total - 1) < 1e-12);
        }
    }
}

/* If one counter determines the times, a forest predicts them. All rows of a test get weights. */
TEST(forests_learn_a_step)
{
    double weight[ROWS];
    generated g;
    pm_training t;
    pm_memory *memory = own_memory();
    pm_forest *forest;

    generate(&g, PROGRAMS, false, 3);
    for (size_t i = 0; i < ROWS; i++)
        g.t[i] = g.x[i * COUNTERS + 2] > exp(10) ? 1e-3 : 1e-6;
    pm_training_create(memory, &t, &g.problem, g.rows, ROWS, g.rows, ROWS);
    forest = pm_forest_grow(memory, &t, t.z);
    for (size_t i = 0; i < ROWS; i++) {
        double mean = 0, total = 0;

        pm_forest_weigh_test(forest, &t, i, weight);
        for (size_t k = 0; k < ROWS; k++) {
            mean += weight[k] * t.z[pm_forest_order(forest)[k]];
            total += weight[k];
        }
        assert_true(fabs(total - 1) < 1e-12);
        assert_true(fabs(mean - log(g.t[i])) < log(1e-3 / 1e-6) / 2);
    }
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Only 256 rows are used for learning if there are more. All programs have the same number, or all
 * their rows. */
TEST(programs_share_the_rows_that_are_learned_from)
{
    enum { N = 3000 };
    static const size_t programs[] = {3, 100, 256, 1000};
    double *x = room(N, sizeof *x), *times = room(N, sizeof *times);
    size_t *group = room(N, sizeof *group), *rows = room(N, sizeof *rows);

    for (size_t k = 0; k < 4; k++) {
        size_t most = 0, least = N;
        pm_problem problem = {.n = N, .n_known = N, .p = 1, .x = x, .t = times, .group = group};
        pm_training t;
        pm_memory *memory = own_memory();

        for (size_t i = 0; i < N; i++) {
            group[i] = i < 30 ? 0 : i % programs[k]; /* program 0 is larger */
            x[i] = times[i] = 1 + (double)i;
            rows[i] = i;
        }
        problem.groups = programs[k];
        pm_training_create(memory, &t, &problem, rows, N, rows, 1);
        assert_int_equal(t.n, 256);
        assert_int_equal(t.groups, programs[k] < 256 ? programs[k] : 256);
        for (size_t g = 0; g < t.groups; g++) {
            size_t size = t.start[g + 1] - t.start[g];

            most = size > most ? size : most;
            least = size < least ? size : least;
            for (size_t i = t.start[g]; i < t.start[g + 1]; i++)
                assert_int_equal(group[t.row[i]], group[t.row[t.start[g]]]);
        }
        assert_true(most - least <= 1);
    }
}
