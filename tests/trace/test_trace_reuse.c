/* Rates of misses from the distinct sectors of a sample, in lines with four sectors.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/memory/reuse.h"

#include "unit.h"

enum { LINE_SECTORS = 4, CELL = 4000 };

typedef struct {
    pm_footprint *footprint;
    pm_reuse *reuse;
    size_t cell;
    uint32_t random;
} fixture;

static int setup(void **state)
{
    fixture *f = need(calloc(1, sizeof *f));

    f->footprint = need(pm_footprint_create(LINE_SECTORS));
    f->reuse = need(pm_reuse_create());
    f->random = 1;
    pm_reuse_begin(f->reuse);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;

    pm_footprint_free(f->footprint);
    pm_reuse_free(f->reuse);
    free(f);
    return 0;
}

#define REUSE_TEST(name) TEST_OF(fixture, name, setup, teardown)

static void begin_cell(fixture *f)
{
    f->cell++;
    pm_reuse_next_cell(f->reuse);
}

static void access_sector(fixture *f, uint64_t sector, bool written)
{
    const uint64_t line = sector / LINE_SECTORS;
    pm_footprint_news news;

    assert_true(pm_footprint_touch(f->footprint, f->cell, line, 1U << sector % LINE_SECTORS,
                                   !written, written, &news));
    pm_reuse_touch(f->reuse, line, news, !written);
    pm_reuse_advance(f->reuse, 1);
}

static uint32_t draw(fixture *f, uint32_t below)
{
    f->random = f->random * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)f->random * below >> 32);
}

/* Cells (work-groups of one wave on one compute unit) that access random sectors of a table. */
static void access_randomly(fixture *f, unsigned cells, uint32_t sectors, bool written)
{
    for (unsigned cell = 0; cell < cells; cell++) {
        begin_cell(f);
        for (unsigned i = 0; i < CELL; i++)
            access_sector(f, LINE_SECTORS * draw(f, sectors / LINE_SECTORS), written);
    }
}

/* One sector of each line is accessed, so that a table of 10,000 lines has as many sectors. */
REUSE_TEST(random_reads_miss_what_the_cache_lacks)
{
    const pm_reuse_room none = {0, 0, 0};

    access_randomly(f, 20, 40000, false);
    assert_float_equal(pm_reuse_estimate(f->reuse, 2500, &none).fetched, .75, .02);
    assert_float_equal(pm_reuse_estimate(f->reuse, 5000, &none).fetched, .5, .02);
    assert_true(pm_reuse_estimate(f->reuse, 10001, &none).fetched == 0);
    assert_true(pm_reuse_estimate(f->reuse, 5000, &none).written == 0);
}

/* Six cells touch 24,000 of 100,000 lines at most. The cache has 50,000. */
REUSE_TEST(a_small_sample_shows_the_size_of_the_table)
{
    const pm_reuse_room room = {80000, 80000, 80000};
    pm_reuse_rates rates;

    access_randomly(f, 6, 400000, true);
    rates = pm_reuse_estimate(f->reuse, 50000, &room);
    assert_float_equal(rates.written, .5, .12);
    assert_true(rates.fetched == 0);
}

REUSE_TEST(what_is_read_once_misses)
{
    const pm_reuse_room room = {1000000, 4000000, 0};

    for (unsigned cell = 0; cell < 8; cell++) {
        begin_cell(f);
        for (unsigned i = 0; i < CELL; i++)
            access_sector(f, (uint64_t)cell * CELL + i, false);
    }
    assert_float_equal(pm_reuse_estimate(f->reuse, 2000, &room).fetched, 1, .001);
    assert_float_equal(pm_reuse_estimate(f->reuse, 9000, &room).fetched, 1, .01);
}

/* A table that all cells read stays in a cache which has room for it and for some data that are
 * read once. */
REUSE_TEST(a_shared_table_stays)
{
    const pm_reuse_room room = {1000000, 4000000, 0};

    for (unsigned cell = 0; cell < 16; cell++) {
        begin_cell(f);
        for (unsigned i = 0; i < CELL; i++)
            access_sector(f, i % 2 ? draw(f, 400) : 1000 + (uint64_t)cell * CELL + i, false);
    }
    assert_float_equal(pm_reuse_estimate(f->reuse, 4000, &room).fetched, .5, .01);
}

/* The begin and the end of a cell (work-groups of one wave on one compute unit) differ: it reads a
 * table of its own, and then four times as many sectors that all cells share. */
REUSE_TEST(two_cells_are_compared_as_wholes)
{
    const pm_reuse_room room = {1000000, 4000000, 0};

    for (unsigned cell = 0; cell < 2; cell++) {
        begin_cell(f);
        for (unsigned i = 0; i < CELL / 5; i++)
            access_sector(f, 100000 + (uint64_t)cell * CELL + i, false);
        for (unsigned i = 0; i < 4 * CELL / 5; i++)
            access_sector(f, i, false);
    }
    assert_float_equal(pm_reuse_estimate(f->reuse, 2000, &room).fetched, .2, .01);
}

REUSE_TEST(accesses_at_the_same_time_are_aligned)
{
    assert_true(pm_reuse_alignment(f->reuse) == 1);
    for (unsigned cell = 0; cell < 4; cell++) {
        begin_cell(f);
        for (unsigned i = 0; i < CELL; i++)
            access_sector(f, LINE_SECTORS * i, false);
    }
    assert_true(pm_reuse_alignment(f->reuse) == 1);
}

REUSE_TEST(random_accesses_are_not_aligned)
{
    access_randomly(f, 20, 40000, false);
    assert_float_equal(pm_reuse_alignment(f->reuse), 0, .1);
}
