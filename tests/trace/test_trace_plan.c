/* Tests the choice of sampled cells (work-groups of one wave on one compute unit): for any size of
 * the launch, the sample represents all parts of it evenly.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "collector/engine/sampling.h"
#include "unit.h"

enum { UNITS = 13, RESIDENT = 3, WAVE = UNITS * RESIDENT, SEEDS = 40 };

static const pm_gpu gpu = {.compute_units = UNITS};

typedef struct {
    uint64_t cells, groups; /* that are run */
} share;

static share of_wave(const pm_sampling_plan *plan, uint64_t wave)
{
    share s = {0};

    for (unsigned u = 0; u < plan->taken_units; u++) {
        uint64_t groups = pm_sampling_cell_groups(plan, (pm_cell){.wave = wave, .unit = u});

        s.cells += groups > 0;
        s.groups += groups;
    }
    return s;
}

/* Runs check on plans of all sizes of launch from one group to five waves. */
static void with_plans(void (*check)(const pm_sampling_plan *plan, double cells))
{
    for (uint64_t groups = 1; groups <= 5 * WAVE; groups++)
        for (int cells = 2; cells < 70; cells += 1 + cells * 7 / 10)
            for (uint64_t seed = 0; seed < SEEDS; seed++) {
                pm_sampling_plan plan = pm_sampling_sample(&gpu, (const uint64_t[]){groups, 1, 1},
                                                           RESIDENT, cells, seed);

                check(&plan, cells);
            }
}

/* The groups after the first wave are sampled. If there are at least two cells (work-groups of one
 * wave on one compute unit), at least two of them are sampled. Their counts and errors have no
 * other source. */
static void check_rest(const pm_sampling_plan *plan, double cells)
{
    uint64_t last = plan->groups - (plan->waves - 1) * WAVE;
    share rest = {0};

    (void)cells;
    if (plan->waves < 2)
        return;
    for (uint64_t w = pm_sampling_next_wave(plan, 0); w < plan->waves;
         w = pm_sampling_next_wave(plan, w)) {
        share s = of_wave(plan, w);

        rest.cells += s.cells;
        rest.groups += s.groups;
    }
    if (rest.cells < 2 && !(plan->waves == 2 && last == 1 && rest.cells == 1))
        fail_msg("%llu groups, %llu waves: %llu cells of those after the first",
                 (unsigned long long)plan->groups, (unsigned long long)plan->waves,
                 (unsigned long long)rest.cells);
}

TEST(the_rest_is_seen)
{
    with_plans(check_rest);
}

/* The sampled waves are equally far from the first and from the last of the waves that they
 * represent. */
static void check_even(const pm_sampling_plan *plan, double cells)
{
    uint64_t before, after, last = 0;

    (void)cells;
    if (plan->waves < 2 || plan->whole)
        return;
    before = pm_sampling_next_wave(plan, 0) - 1;
    for (uint64_t w = before + 1; w < plan->waves; w = pm_sampling_next_wave(plan, w))
        last = w;
    after = plan->waves - 1 - last;
    assert_true(before == after || before + 1 == after);
    assert_true(before + after < plan->wave_step);
}

TEST(waves_are_even)
{
    static const uint64_t groups[3] = {1000 * WAVE, 1, 1};

    with_plans(check_even);
    for (int cells = 2; cells < 13000; cells += 1 + cells / 10) {
        pm_sampling_plan plan = pm_sampling_sample(&gpu, groups, RESIDENT, cells, 1);

        check_even(&plan, cells);
    }
}

/* About the requested number of cells (work-groups of one wave on one compute unit) is sampled. */
TEST(cells_are_as_asked)
{
    static const uint64_t groups[3] = {1000 * WAVE, 1, 1};

    for (int cells = 60; cells < 6000; cells += cells / 10) {
        pm_sampling_plan plan = pm_sampling_sample(&gpu, groups, RESIDENT, cells, 1);
        double run = 0;

        for (uint64_t w = 0; w < plan.waves; w = pm_sampling_next_wave(&plan, w))
            run += (double)of_wave(&plan, w).cells;
        if (run < 0.6 * cells || run > 1.6 * cells)
            fail_msg("%d cells were asked for, %g are run", cells, run);
    }
}

/* Returns the fraction of groups in last rows among the sampled groups after the first wave. */
static double last_rows(const pm_sampling_plan *plan, uint64_t row, uint64_t rows)
{
    double all = 0, last = 0;
    uint64_t group;

    for (uint64_t w = pm_sampling_next_wave(plan, 0); w < plan->waves;
         w = pm_sampling_next_wave(plan, w))
        for (unsigned u = 0; u < plan->taken_units; u++)
            for (uint64_t i = 0; pm_sampling_group(plan, (pm_cell){w, u}, i, &group); i++) {
                last += group / row % rows == rows - 1;
                all++;
            }
    return last / all;
}

/* In a launch of few rows, two cells (work-groups of one wave on one compute unit) would come from
 * one row. The last row often has less work. */
TEST(last_rows_have_their_share)
{
    for (uint64_t rows = 2; rows <= 12; rows++)
        for (uint64_t row = 20 * WAVE; row < 21 * WAVE; row += 7) {
            const uint64_t flat[3] = {row, rows, 1}, deep[3] = {row, 1, rows};
            const double due = (double)row / (double)(row * rows - WAVE);

            for (uint64_t seed = 0; seed < SEEDS; seed++)
                for (int deeply = 0; deeply < 2; deeply++) {
                    pm_sampling_plan plan =
                        pm_sampling_sample(&gpu, deeply ? deep : flat, RESIDENT, 2, seed);

                    if (fabs(last_rows(&plan, row, rows) - due) > .11)
                        fail_msg("%d rows: %g of the groups are in the last, for %g", (int)rows,
                                 last_rows(&plan, row, rows), due);
                }
        }
}

/* Rows alternate from wave to wave, and a plan might sample only every second one. */
TEST(rows_in_step_with_waves)
{
    static const uint64_t groups[3] = {WAVE, 2, 500};

    for (int cells = 400; cells < 3000; cells += 50) {
        pm_sampling_plan plan = pm_sampling_sample(&gpu, groups, RESIDENT, cells, 1);
        const double second = last_rows(&plan, WAVE, 2);

        if (fabs(second - .5) > .11)
            fail_msg("%d cells: %g of the groups are in the second row", cells, second);
    }
}

static void mark(const pm_sampling_plan *plan, pm_cell cell, uint8_t *seen)
{
    uint64_t group;

    for (uint64_t i = 0; pm_sampling_group(plan, cell, i, &group); i++) {
        assert_true(group < plan->groups);
        assert_int_equal(seen[group], 0);
        seen[group] = 1;
    }
}

/* A complete launch runs each group once. */
TEST(whole_is_each_once)
{
    for (uint64_t groups = 1; groups <= 3 * WAVE; groups++) {
        pm_sampling_plan plan = pm_sampling_whole(&gpu, groups, RESIDENT);
        uint8_t seen[3 * WAVE] = {0};
        uint64_t cells = 0;

        for (uint64_t w = 0; w < plan.waves; w = pm_sampling_next_wave(&plan, w)) {
            cells += of_wave(&plan, w).cells;
            for (unsigned u = 0; u < plan.taken_units; u++)
                mark(&plan, (pm_cell){.wave = w, .unit = u}, seen);
        }
        for (uint64_t g = 0; g < groups; g++)
            assert_int_equal(seen[g], 1);
        assert_int_equal(cells, plan.cells);
    }
}
