/* Tests the comparison between optimizing a program for one GPU and running it unchanged on
 * another: the sums, and the month from which one is cheaper.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/cost/chance.h"
#include "cost_fixture.h"

static pm_elsewhere compare(made_up *here, double price, made_up *there, double other,
                            const pm_cost_options *o)
{
    const pm_place_to_run a = {.advice = &here->advice, .gpu_hour = price},
                          b = {.advice = &there->advice, .gpu_hour = other};
    pm_elsewhere e;

    assert_int_equal(pm_cost_elsewhere(&a, &b, o, &e, NULL), PM_OK);
    return e;
}

TEST(test_elsewhere)
{
    pm_cost_options o = prices();
    made_up here, there;
    pm_elsewhere e;

    o.hours = 5;
    /* 1000 s of runs of 1 ms are 1 hour: with one price per hour, the saving is in seconds */
    o.runs_per_month = 3.6e6;
    make_up(&here, "a", exactly(1), exactly(2));
    make_up(&there, "b", exactly(0.75), exactly(1.5));
    e = compare(&here, 2, &there, 3, &o);
    assert_near(e.here.base.mid, 2000, 1e-12);
    assert_near(e.here.best.hi, 1000, 1e-12);
    assert_near(e.there.base.lo, 2250, 1e-12);
    assert_near(e.there.best.mid, 1500, 1e-12);
    assert_near(e.here.base_year, 24000, 1e-12);
    assert_near(e.here.best_year, 12500, 1e-12);
    assert_near(e.there.best_year, 18500, 1e-12);
    assert_int_equal(e.cheapest, PM_BEST_HERE);
    assert_near(e.overtakes.mid, 500.0 / 1250 * DAYS, 1e-12);
    assert_near(e.overtakes.lo, e.overtakes.hi, 1e-12);
    assert_true(e.chance_a_year == 1);
    e = compare(&here, 2, &there, 1, &o);
    assert_int_equal(e.cheapest, PM_BEST_THERE);
    assert_true(isinf(e.overtakes.lo)); /* 1000 per month on this GPU, 750 on the other */
    assert_true(e.chance_a_year == 0);
}

TEST(test_elsewhere_cheapest)
{
    pm_cost_options o = prices();
    made_up here, there;

    o.hours = 1e5; /* nothing pays */
    make_up(&here, "a", exactly(1), exactly(2));
    make_up(&there, "b", exactly(0.75), exactly(1.5));
    assert_int_equal(compare(&here, 2, &there, 3, &o).cheapest, PM_BASE_HERE);
    assert_int_equal(compare(&here, 2, &there, 1, &o).cheapest, PM_BASE_THERE);
    here.advice.best = here.base; /* no version is better, so there is no cost of work */
    o.hours = 1;
    assert_true(compare(&here, 2, &there, 3, &o).overtakes.mid == 0);
    assert_true(compare(&here, 2, &there, 3, &o).overtakes.hi == 0);
    assert_true(isinf(compare(&here, 2, &there, 2, &o).overtakes.mid));
}

/* If only the time on the other GPU is uncertain, the break-even time is a function of it. */
TEST(test_elsewhere_uncertain)
{
    const pm_interval plain = {0.5, 0.75, 1.2};
    const pm_chance t = pm_chance_make(plain.mid, plain.lo, plain.hi);
    pm_cost_options o = prices();
    made_up here, there;
    pm_elsewhere e;

    o.hours = 30;
    o.runs_per_month = 3.6e6;
    make_up(&here, "a", exactly(1), exactly(2));
    make_up(&there, "b", plain, exactly(1.5));
    e = compare(&here, 2, &there, 2, &o); /* 1000 per month on this GPU, 2000 T on the other */
    assert_near(e.overtakes.lo, 3000 / (2000 * plain.hi - 1000) * DAYS, 2e-3);
    assert_true(e.overtakes.hi > 1000 * DAYS); /* at T = 0.5 s the costs are never equal */
    assert_near(e.chance_a_year, pm_chance_above(&t, (1000 + 3000.0 / 12) / 2000), 2e-3);
}

TEST(test_elsewhere_wrong)
{
    pm_cost_options o = prices();
    made_up here, there;
    pm_place_to_run a = {.advice = &here.advice, .gpu_hour = 1},
                    b = {.advice = &there.advice, .gpu_hour = 1};
    pm_elsewhere e;

    make_up(&here, "a", exactly(1), exactly(2));
    make_up(&there, "b", exactly(1), exactly(2));
    b.gpu_hour = -1;
    assert_int_equal(pm_cost_elsewhere(&a, &b, &o, &e, told()), PM_BAD_INPUT);
    b.gpu_hour = 1;
    strcpy(there.size, "2");
    assert_int_equal(pm_cost_elsewhere(&a, &b, &o, &e, told()), PM_BAD_INPUT);
    assert_error(PM_BAD_INPUT, "work 2");
}
