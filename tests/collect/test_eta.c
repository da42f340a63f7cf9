/* The time that is left of a collection.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "answer/collect/parts.h"
#include "unit.h"

static void assert_left(const pm_eta *eta, double seconds)
{
    assert_true(fabs(pm_eta_left(eta) - seconds) < 1e-9);
}

TEST(test_unknown_until_something_is_done)
{
    pm_eta eta = {0};

    assert_true(isnan(pm_eta_left(&eta)));
    pm_eta_expect(&eta, 0);
    assert_true(isnan(pm_eta_left(&eta)));
    pm_eta_done(&eta, 0, 5);
    assert_left(&eta, 0);
}

/* Two variants of three sizes, which take 1, 2 and 6 seconds. */
TEST(test_sizes_cost_what_their_like_cost)
{
    pm_eta eta = {0};

    for (size_t rank = 0; rank < 3; rank++) {
        pm_eta_expect(&eta, rank);
        pm_eta_expect(&eta, rank);
    }
    pm_eta_done(&eta, 0, 1);
    /* larger sizes are assumed to take the time of the known one */
    assert_left(&eta, 1 + 2 * 1 + 2 * 1);
    pm_eta_done(&eta, 1, 2);
    pm_eta_done(&eta, 2, 6);
    assert_left(&eta, 1 + 2 + 6);
    pm_eta_done(&eta, 0, 1);
    assert_left(&eta, 2 + 6);
}

TEST(test_left_out_costs_nothing)
{
    pm_eta eta = {0};

    pm_eta_expect(&eta, 0);
    pm_eta_expect(&eta, 1);
    pm_eta_expect(&eta, 1);
    pm_eta_done(&eta, 0, 3);
    assert_left(&eta, 6);
    pm_eta_drop(&eta, 1);
    assert_left(&eta, 3);
    pm_eta_drop(&eta, 1);
    pm_eta_drop(&eta, 1); /* one more than was expected */
    assert_left(&eta, 0);
}

TEST(test_only_large_sizes_are_known)
{
    pm_eta eta = {0};

    pm_eta_expect(&eta, 4);
    pm_eta_done(&eta, 4, 7);
    pm_eta_expect(&eta, 2);
    pm_eta_expect(&eta, 1000);
    assert_left(&eta, 14);
}
