/* When the cells of a launch access the same lines. A cell is the work-groups of one wave on one
 * compute unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/l2/line_sample.h"

#include <math.h>

#include "unit.h"

enum { CELL = 20000 };

typedef struct {
    pm_line_sample *sample;
    uint32_t random;
} fixture;

static int setup(void **state)
{
    fixture *f = need(calloc(1, sizeof *f));

    f->sample = need(pm_line_sample_create(1));
    f->random = 1;
    pm_line_sample_begin(f->sample);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    pm_line_sample_free(((fixture *)*state)->sample);
    free(*state);
    return 0;
}

#define LINE_TEST(name) TEST_OF(fixture, name, setup, teardown)

/* A cell (work-groups of one wave on one compute unit) accesses CELL lines from `first` on, or
 * random ones of `lines` lines if this is not 0. */
static void run_cell(fixture *f, uint64_t cell, uint64_t first, uint32_t lines)
{
    for (uint64_t i = 0; i < CELL; i++) {
        uint64_t line = first + i;

        f->random = f->random * 1664525 + 1013904223;
        if (lines)
            line = (uint64_t)f->random * lines >> 32;
        if (pm_line_sample_selects(f->sample, line))
            pm_line_sample_touch(f->sample, line, 0, cell, i);
    }
}

LINE_TEST(cells_that_read_in_the_same_order_are_aligned)
{
    assert_true(pm_line_sample_alignment(f->sample, CELL) == 1);
    for (uint64_t cell = 1; cell <= 4; cell++)
        run_cell(f, cell, 0, 0);
    assert_true(pm_line_sample_alignment(f->sample, CELL) == 1);
}

LINE_TEST(random_accesses_are_not_aligned)
{
    for (uint64_t cell = 1; cell <= 8; cell++)
        run_cell(f, cell, 0, 20000);
    assert_float_equal(pm_line_sample_alignment(f->sample, CELL), 0, .2);
}

/* The number of lines is so large that fewer and fewer are selected. */
LINE_TEST(waves_that_read_at_random_return_at_random)
{
    const uint32_t lines = 1 << 20;
    pm_line_returns returns;

    for (uint64_t wave = 0; wave < 20; wave++) {
        if (wave > 0)
            pm_line_sample_next_wave(f->sample, wave);
        for (uint64_t cell = 1; cell <= 4; cell++)
            run_cell(f, 4 * wave + cell, 0, lines);
    }
    for (unsigned window = 0; window < 16; window += 5) {
        returns = pm_line_sample_returns(f->sample, 0, lines, window);
        assert_float_equal(returns.far / returns.far_random, 1, .15);
    }
    assert_float_equal(returns.lines / (lines * (1 - exp(-80. * CELL / lines))), 1, .05);
}

LINE_TEST(neighbours_in_a_wave_do_not_return)
{
    for (uint64_t wave = 0; wave < 4; wave++) {
        if (wave > 0)
            pm_line_sample_next_wave(f->sample, wave);
        run_cell(f, 2 * wave + 1, 2 * wave * CELL, 0);
        run_cell(f, 2 * wave + 2, 2 * wave * CELL + CELL / 2, 0);
    }
    assert_true(pm_line_sample_returns(f->sample, 0, 8 * CELL, 0).seen == 0);
    assert_true(pm_line_sample_returns(f->sample, 0, 8 * CELL, 0).far_random > 0);
}

/* Half of the lines of a wave are those of the wave before. */
LINE_TEST(the_next_wave_is_not_far)
{
    pm_line_returns returns;

    for (uint64_t wave = 0; wave < 20; wave++) {
        if (wave > 0)
            pm_line_sample_next_wave(f->sample, wave);
        run_cell(f, wave + 1, wave * CELL / 2, 0);
    }
    returns = pm_line_sample_returns(f->sample, 0, 10.5 * CELL, 2);
    assert_float_equal(returns.seen / returns.lines, 19 / 21., .05);
    assert_true(returns.far == 0);
    assert_true(returns.far_random > 0);
}

LINE_TEST(waves_that_read_the_same_always_return)
{
    pm_line_returns returns;

    for (uint64_t wave = 0; wave < 3; wave++) {
        if (wave > 0)
            pm_line_sample_next_wave(f->sample, wave);
        run_cell(f, wave + 1, 0, 0);
    }
    returns = pm_line_sample_returns(f->sample, 0, CELL, 0);
    assert_true(returns.seen == returns.every);
    assert_true(returns.seen == 2 * returns.lines);
}
