/* Rows of DRAM that requests to L2 open, and how many rows the DRAM of a GPU opens per second.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/l2/dram_rows.h"
#include "machine/dram_rows.h"
#include "unit.h"

enum { LINE = 128, LINES_OF_ROW = PM_DRAM_ROW_BYTES / LINE };

typedef struct {
    pm_dram_rows *rows;
    pm_dram_accesses counts[2];
} fixture;

static fixture begin(void)
{
    fixture f = {.rows = room(1, sizeof(pm_dram_rows))};

    pm_dram_rows_close(f.rows);
    return f;
}

/* A request for `sectors` of a line, of which L2 does not have `missing`. */
static void ask(fixture *f, uint64_t line, uint32_t sectors, uint32_t missing, unsigned kind)
{
    const pm_l2_request request = {.line = line, .sectors = sectors, .write = (uint8_t)kind};

    pm_l2_access_rows(f->rows, LINE, &request, missing, f->counts);
}

TEST(adjacent_lines_share_a_row)
{
    fixture f = begin();

    for (uint64_t line = 0; line < 64; line++)
        ask(&f, line, 15, 15, PM_L2_READ);
    assert_float_equal(f.counts[0].sectors, 256, 0);
    assert_float_equal(f.counts[0].opened, 64.0 / LINES_OF_ROW, 0);
    assert_float_equal(f.counts[1].opened, 0, 0);
}

TEST(scattered_lines_have_rows_of_their_own)
{
    fixture f = begin();

    for (uint64_t i = 0; i < 1000; i++)
        ask(&f, i * 7919 * LINES_OF_ROW, 1, 3, PM_L2_READ);
    assert_float_equal(f.counts[0].sectors, 2000, 0);
    assert_float_equal(f.counts[0].opened, 1000, 0);
}

/* Many streams stay in open rows. */
TEST(streams_keep_their_rows)
{
    fixture f = begin();

    for (uint64_t line = 0; line < 2 * LINES_OF_ROW; line++)
        for (uint64_t stream = 0; stream < 16; stream++)
            ask(&f, stream * 1000003 * LINES_OF_ROW + line, 15, 15, PM_L2_READ);
    assert_float_equal(f.counts[0].opened, 32, 0);
}

TEST(loads_that_hit_access_no_row)
{
    fixture f = begin();

    ask(&f, 5, 15, 0, PM_L2_READ);
    assert_float_equal(f.counts[0].sectors, 0, 0);
    assert_float_equal(f.counts[0].opened, 0, 0);
}

/* A store is written back later, when the row that a load opened is closed. */
TEST(stores_open_rows_after_loads)
{
    fixture f = begin();

    ask(&f, 5, 1, 3, PM_L2_READ);
    ask(&f, 5, 1, 0, PM_L2_WRITE);
    ask(&f, 5, 2, 0, PM_L2_ATOMIC);
    assert_float_equal(f.counts[0].opened, 1, 0);
    assert_float_equal(f.counts[1].sectors, 2, 0);
    assert_float_equal(f.counts[1].opened, 1, 0);
}

/* The measured rates of an H100 and an H200 are 31.9e9 and 38.4e9 (docs/results/counters.md). */
TEST(rates_follow_from_the_channels)
{
    assert_float_equal(pm_dram_rows_per_s("hbm3", 5120) / 1e9, 31.9, .5);
    assert_float_equal(pm_dram_rows_per_s("hbm3e", 6144) / 1e9, 38.4, .5);
    assert_float_equal(pm_dram_rows_per_s("hbm2", 4096) / 1e9, 12.8, 1e-9);
    assert_float_equal(pm_dram_rows_per_s("gddr6", 192), 0, 0);
}

TEST_MAIN(NULL, NULL)
