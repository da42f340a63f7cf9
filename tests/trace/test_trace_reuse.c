/* Rates of misses from the distinct sectors of a sample, in lines with four sectors.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/l2/reuse.h"

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
    f->reuse = need(pm_reuse_create(1));
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
    pm_reuse_touch(f->reuse, 0, news, written ? 0 : news.first);
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

/* Returns the rates of a cache that has room for `capacity` lines. */
static pm_reuse_rates rates_of(fixture *f, double capacity)
{
    pm_reuse_span span;

    assert_true(pm_reuse_find_span(f->reuse, capacity, &span));
    return pm_reuse_find_rates(f->reuse, &span, 0);
}

/* The table has 10,000 lines. One sector of each line is accessed. */
REUSE_TEST(random_reads_miss_what_the_cache_lacks)
{
    pm_reuse_span span;

    access_randomly(f, 20, 40000, false);
    assert_float_equal(rates_of(f, 2500).fetched, .75, .02);
    assert_float_equal(rates_of(f, 5000).fetched, .5, .02);
    assert_true(rates_of(f, 5000).written == 0);
    assert_false(pm_reuse_find_span(f->reuse, 10001, &span));
}

REUSE_TEST(random_writes_write_back_what_the_cache_lacks)
{
    access_randomly(f, 20, 40000, true);
    assert_float_equal(rates_of(f, 5000).written, .5, .02);
    assert_true(rates_of(f, 5000).fetched == 0);
}

REUSE_TEST(what_is_read_once_misses)
{
    for (unsigned cell = 0; cell < 8; cell++) {
        begin_cell(f);
        for (unsigned i = 0; i < CELL; i++)
            access_sector(f, (uint64_t)cell * CELL + i, false);
    }
    assert_float_equal(rates_of(f, 2000).fetched, 1, .001);
}

/* All cells read a table at random, and data of their own once. The cache has room for the table.
 */
REUSE_TEST(a_shared_table_stays)
{
    for (unsigned cell = 0; cell < 16; cell++) {
        begin_cell(f);
        for (unsigned i = 0; i < CELL; i++)
            access_sector(f, i % 2 ? draw(f, 400) : 1000 + (uint64_t)cell * CELL + i, false);
    }
    assert_float_equal(rates_of(f, 4000).fetched, .5, .01);
}

/* A cell (work-groups of one wave on one compute unit) reads data of its own at its begin only. */
REUSE_TEST(the_rate_is_that_of_whole_cells)
{
    for (unsigned cell = 0; cell < 8; cell++) {
        begin_cell(f);
        for (unsigned i = 0; i < CELL / 5; i++)
            access_sector(f, 100000 + (uint64_t)cell * CELL + i, false);
        for (unsigned i = 0; i < 4 * CELL / 5; i++)
            access_sector(f, i, false);
    }
    assert_float_equal(rates_of(f, 1500).fetched, .2, .05);
}
