/* Tests the surrogate (Gaussian process) of the autotuner: it reproduces a known function, finds
 * which parameters have no effect, and its standard deviation is large where there are few data.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "answer/tune/surrogate.h"
#include "tests/unit.h"

enum { ROWS = 60, PARAMETERS = 3 };

/* Returns pseudo-random numbers from 0 to 1. */
static double drawn(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / (double)(1 << 24);
}

static double truth(const double *x)
{
    return 3 + sin(3 * x[0]) + x[1] * x[1]; /* the third feature does not matter */
}

typedef struct {
    pm_memory memory;
    double x[ROWS * PARAMETERS], y[ROWS];
    pm_surrogate *surrogate;
} learned;

static void learn(void *user)
{
    learned *l = user;

    l->surrogate = pm_surrogate_fit(&l->memory, l->x, l->y, ROWS, PARAMETERS);
}

static void draw(learned *l, double widest)
{
    unsigned state = 7;

    for (size_t i = 0; i < ROWS; i++) {
        for (size_t p = 0; p < PARAMETERS; p++)
            l->x[i * PARAMETERS + p] = drawn(&state) * (p == 0 ? widest : 1);
        l->y[i] = truth(l->x + i * PARAMETERS);
    }
}

TEST(function_is_found)
{
    learned l = {.surrogate = NULL};
    unsigned other = 99;

    draw(&l, 1);
    assert_int_equal(pm_attempt(&l.memory, learn, &l, NULL), PM_OK);
    assert_non_null(l.surrogate);
    for (int i = 0; i < 200; i++) {
        double x[PARAMETERS], mean, sd;

        for (size_t p = 0; p < PARAMETERS; p++)
            x[p] = drawn(&other);
        pm_surrogate_tell(l.surrogate, x, &mean, &sd);
        assert_true(fabs(mean - truth(x)) < 0.1);
        assert_true(fabs(mean - truth(x)) < 5 * sd);
    }
    pm_memory_free(&l.memory);
}

TEST(parameter_that_does_not_matter)
{
    learned l = {.surrogate = NULL};
    double low[] = {0.4, 0.4, 0}, high[] = {0.4, 0.4, 1}, left[] = {0, 0.4, 0.5}, means[3], sd;

    draw(&l, 1);
    assert_int_equal(pm_attempt(&l.memory, learn, &l, NULL), PM_OK);
    pm_surrogate_tell(l.surrogate, low, &means[0], &sd);
    pm_surrogate_tell(l.surrogate, high, &means[1], &sd);
    pm_surrogate_tell(l.surrogate, left, &means[2], &sd);
    assert_true(fabs(means[0] - means[1]) < 0.05);
    assert_true(fabs(means[0] - means[2]) > 0.5);
    pm_memory_free(&l.memory);
}

TEST(doubt_grows_away_from_what_was_seen)
{
    learned l = {.surrogate = NULL};
    double near[] = {0.2, 0.5, 0.5}, far[] = {1, 0.5, 0.5}, mean, sd_near, sd_far;

    draw(&l, 0.4);
    assert_int_equal(pm_attempt(&l.memory, learn, &l, NULL), PM_OK);
    pm_surrogate_tell(l.surrogate, near, &mean, &sd_near);
    pm_surrogate_tell(l.surrogate, far, &mean, &sd_far);
    assert_true(sd_far > 3 * sd_near);
    pm_memory_free(&l.memory);
}

TEST(rows_that_are_alike)
{
    learned l = {.surrogate = NULL};
    double x[PARAMETERS] = {0}, mean, sd;

    for (size_t i = 0; i < ROWS; i++)
        l.y[i] = 2;
    assert_int_equal(pm_attempt(&l.memory, learn, &l, NULL), PM_OK);
    assert_non_null(l.surrogate);
    pm_surrogate_tell(l.surrogate, x, &mean, &sd);
    assert_true(fabs(mean - 2) < 1e-9);
    pm_memory_free(&l.memory);
}
