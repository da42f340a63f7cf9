/* Tests the distributions of numbers with a 90 % interval: their quantiles, probabilities and
 * combinations.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gsl/gsl_cdf.h>

#include "answer/cost/chance.h"
#include "cost_fixture.h"

TEST(test_quantiles)
{
    const pm_chance x = pm_chance_make(1.5, 1.2, 2.4);
    const double below = log(1.5 / 1.2) / gsl_cdf_ugaussian_Pinv(0.95);

    assert_near(pm_chance_quantile(&x, 0.05), 1.2, 1e-12);
    assert_near(pm_chance_quantile(&x, 0.5), 1.5, 1e-12);
    assert_near(pm_chance_quantile(&x, 0.95), 2.4, 1e-12);
    assert_near(pm_chance_quantile(&x, 0.3), exp(log(1.5) + below * gsl_cdf_ugaussian_Pinv(0.3)),
                1e-12);
    for (int percent = 1; percent < 100; percent++)
        assert_near(pm_chance_above(&x, pm_chance_quantile(&x, percent / 100.0)),
                    1 - percent / 100.0, 1e-9);
}

TEST(test_chance_of_a_gain)
{
    const double z95 = gsl_cdf_ugaussian_Pinv(0.95);
    pm_chance x = pm_chance_make(1.1, 0.9, 1.3);

    assert_near(pm_chance_above(&x, 1), gsl_cdf_lognormal_Q(1, log(1.1), log(1.1 / 0.9) / z95),
                1e-12);
    x = pm_chance_make(0.9, 0.8, 1.1);
    assert_near(pm_chance_above(&x, 1), gsl_cdf_lognormal_Q(1, log(0.9), log(1.1 / 0.9) / z95),
                1e-12);
    x = pm_chance_make(1, 0.8, 1.1);
    assert_near(pm_chance_above(&x, 1), 0.5, 1e-12);
    /* An end on the wrong side counts as the center, so no value lies below the center. */
    x = pm_chance_make(1.2, 1.25, 1.3);
    assert_true(pm_chance_above(&x, 1.19) == 1);
    assert_near(pm_chance_above(&x, 1.3), 0.05, 1e-9);
}

TEST(test_certain)
{
    pm_chance x = pm_chance_make(2, 2, 2);

    assert_near(pm_chance_quantile(&x, 0.01), 2, 1e-12);
    assert_true(pm_chance_above(&x, 1.999) == 1);
    assert_true(pm_chance_above(&x, 2.001) == 0);
    x = pm_chance_certain(0);
    assert_true(pm_chance_quantile(&x, 0.9) == 0);
    assert_true(pm_chance_above(&x, 0) == 0);
    assert_true(pm_chance_above(&x, -1) == 1);
    assert_true(pm_chance_above(&x, 1) == 0);
}

TEST(test_unknown)
{
    const double wrong[][3] = {
        {(double)NAN, 1, 2}, {1, (double)NAN, 2}, {1, 1, (double)NAN},       {1, 0, 2},
        {-1, 1, 2},          {1, 1, 0},           {1, 0.5, (double)INFINITY}};

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const pm_chance x = pm_chance_make(wrong[i][0], wrong[i][1], wrong[i][2]);

        assert_true(isnan(pm_chance_above(&x, 1)));
        assert_true(isnan(pm_chance_quantile(&x, 0.5)));
    }
}

/* Each number takes each quantile once. Two numbers take all combinations of quantiles equally
 * often. */
TEST(test_combinations)
{
    const pm_chance x = pm_chance_make(1, 0.5, 3), y = pm_chance_make(2, 1, 4);
    const pm_chance *const both[] = {&x, &y};
    size_t low = 0, lower = 0, both_low = 0;
    pm_combinations all;

    assert_int_equal(pm_combinations_make(both, 2, &all, told()), PM_OK);
    for (size_t i = 0; i < all.n; i++) {
        bool a = all.values[2 * i] <= pm_chance_quantile(&x, 0.25);
        bool b = all.values[2 * i + 1] <= pm_chance_quantile(&y, 0.1);

        low += a;
        lower += b;
        both_low += a && b;
    }
    assert_near((double)low, 0.25 * (double)all.n, 1e-3);
    assert_near((double)lower, 0.1 * (double)all.n, 2e-3);
    assert_near((double)both_low, 0.025 * (double)all.n, 1e-2);
    pm_combinations_free(&all);
}
