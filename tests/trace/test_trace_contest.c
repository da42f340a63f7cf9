/* Tests how many iterations of a compare-and-swap retry loop the trace engine estimates under
 * contention, by numbers that were computed by hand (atomic_retries.h).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/atomic_retries.h"

#include <math.h>

#include "unit.h"

static void see(pm_contest *contest, uint64_t mask, const uint64_t *address)
{
    pm_contest_see(contest, &(pm_warp_access){.mask = mask, .address = address});
}

static bool near(double a, double b)
{
    return fabs(a - b) < 1e-9 * (1 + fabs(b));
}

/* Two warps. One changes two addresses with two work-items each; the other changes one of them. */
static pm_contest *two_warps(void)
{
    const uint64_t first[] = {64, 64, 128, 128}, second[] = {128, 4096};
    pm_contest *contest = need(pm_contest_create(1 << 16));

    pm_contest_enter(contest, true);
    see(contest, 15, first);
    see(contest, 10, first); /* the other work-items have left the loop */
    pm_contest_enter(contest, true);
    see(contest, 3, second);
    return contest;
}

TEST(a_place_is_changed_once_in_an_attempt)
{
    pm_contest *contest = two_warps();
    double others;
    pm_attempts a;

    assert_true(pm_contest_warps(contest) == 2);
    a = pm_contest_take(contest, 1, &others);
    assert_true(a.entries == 2 && a.attempts == 3);
    assert_true(a.work_items == 4 + 2 + 2 && a.wins == 2 + 2 + 2);
    /* address 64 is changed twice, 128 three times, 4096 once */
    const double mean = (2.0 * 1 + 3 * 2) / 6 / 2;
    assert_true(near(others, mean + 3 * sqrt(mean)));
    a = pm_contest_take(contest, 1, &others); /* all forgotten */
    assert_true(a.attempts == 0 && others == 0);
    pm_contest_free(contest);
}

/* In a sample, competitors are divided by the sampled fraction. A warp does not compete with
 * itself. */
TEST(a_sample_stands_for_all)
{
    pm_contest *contest = two_warps();
    double others;

    pm_contest_take(contest, 0.25, &others);
    const double mean = (2.0 * 1 + 3 * 2) / 6 / 0.25 * (1 - 1.0 / 8);
    assert_true(near(others, mean + 3 * sqrt(mean)));
    pm_contest_free(contest);
}

/* Without competitors there are no additional attempts. */
TEST(a_lone_warp_is_not_disturbed)
{
    pm_contest *contest = need(pm_contest_create(1 << 16));
    const uint64_t address[] = {64, 64};
    double others;
    pm_attempts a;

    pm_contest_enter(contest, true);
    see(contest, 3, address);
    see(contest, 2, address);
    a = pm_contest_take(contest, 1, &others);
    assert_true(others == 0);
    pm_contest_in_launch(&a, others, 1, 1e6, 1);
    assert_true(a.more == 0);
    pm_contest_in_group(&a, 10, 1);
    assert_true(a.more == 0);
    pm_contest_free(contest);
}

/* If slices of L2 queue, more changes fit into an attempt, and more work-items take part in the
 * next one. Each wave of work-groups has its part of the changes. */
TEST(queues_make_attempts_longer_and_fewer)
{
    pm_attempts idle = {.attempts = 10, .entries = 1, .wins = 32, .work_items = 320}, full = idle;
    pm_attempts rounds = idle;
    pm_attempt_scale of_idle, of_full;

    pm_contest_in_launch(&idle, 100, 10, 0, 1);
    pm_contest_in_launch(&full, 100, 10, 1e9, 1);
    pm_contest_in_launch(&rounds, 100, 10, 0, 4);
    assert_true(near(idle.more, 1.3 * 1000) && near(rounds.more, idle.more / 4));
    assert_true(fabs(full.more / idle.more - 0.5 / 1.3) < 1e-3);
    of_idle = pm_attempts_scale(&idle);
    of_full = pm_attempts_scale(&full);
    assert_true(near(of_idle.warps, 1 + idle.more / 10));
    assert_true(of_idle.work_items - 1 < 0.25 * (of_idle.warps - 1));
    assert_true(of_full.work_items - 1 > 0.3 * (of_full.warps - 1));
}

TEST(events_grow_by_what_they_count)
{
    const pm_attempt_scale scale = {11, 3}, none = {1, 1};

    assert_true(pm_attempts_of_event(&scale, PM_EVENT_atomic) == 11);
    assert_true(pm_attempts_of_event(&scale, PM_EVENT_inst_executed) == 11);
    assert_true(pm_attempts_of_event(&scale, PM_EVENT_atomic_pass) == 3);
    assert_true(pm_attempts_of_event(&scale, PM_EVENT_thread_inst_executed) == 3);
    assert_true(near(pm_attempts_of_event(&scale, PM_EVENT_load_wait_miss), 1 + 1.8 * 10));
    for (int e = 0; e < PM_EVENT_COUNT; e++)
        assert_true(pm_attempts_of_event(&none, (pm_event)e) == 1);
}
