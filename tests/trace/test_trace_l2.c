/* Tests L2 and memory in the trace engine: the hits of a later pass over the same launches,
 * compared with numbers computed by hand and with a simulation of two passes, and the estimates for
 * launches of which only a sample of work-groups runs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/l2/l2.h"
#include "trace_gpus.h"
#include "unit.h"

/* The cache of sector_gpu: one set of 16 lines of 4 sectors. */
enum { WAYS = 16, LINE = 128, SECTOR = 32 };

typedef struct {
    pm_gpu gpu;
    pm_l2 *l2;
    double totals[PM_EVENT_COUNT], variance[PM_EVENT_COUNT];
} fixture;

/* Opens an L2 cache for the GPU; closes the fixture's earlier one. */
static void begin(fixture *f, pm_gpu gpu, const pm_memory_region *regions, size_t count)
{
    pm_l2_free(f->l2);
    f->gpu = gpu;
    f->l2 = pm_l2_create(&f->gpu, regions, count, told());
    assert_ok(f->l2);
}

static int setup(void **state)
{
    *state = need(calloc(1, sizeof(fixture)));
    begin(*state, sector_gpu(), NULL, 0);
    return 0;
}

static int teardown(void **state)
{
    pm_l2_free(((fixture *)*state)->l2);
    free(*state);
    return 0;
}

/* A test that gets an L2 for sector_gpu. */
#define L2_TEST(name) TEST_OF(fixture, name, setup, teardown)

static void begin_launch(fixture *f, double seen, double cells)
{
    assert_int_equal(pm_l2_begin(f->l2, seen, cells, NULL), PM_OK);
}

static void end_launch(fixture *f)
{
    assert_int_equal(pm_l2_end(f->l2, NULL), PM_OK);
}

static void ask(fixture *f, size_t cell, uint64_t line, uint32_t sectors, unsigned kind)
{
    const pm_l2_request request = {.line = line, .sectors = sectors, .write = (uint8_t)kind};

    assert_int_equal(pm_l2_requests(f->l2, cell, &request, 1, NULL), PM_OK);
}

typedef struct {
    pm_event event;
    double value;
} expected;

/* Adds up the counts of a launch in f and compares them with the expected ones. */
static void expect(fixture *f, size_t launch, const expected *want, size_t count)
{
    memset(f->totals, 0, sizeof f->totals);
    memset(f->variance, 0, sizeof f->variance);
    assert_int_equal(pm_l2_totals(f->l2, launch, f->totals, f->variance, NULL), PM_OK);
    for (size_t i = 0; i < count; i++)
        if (f->totals[want[i].event] != want[i].value)
            fail_msg("event %d is %g, should be %g", (int)want[i].event, f->totals[want[i].event],
                     want[i].value);
}

#define EXPECT(f, launch, ...)                                                                     \
    expect(f, launch, (const expected[]){__VA_ARGS__},                                             \
           sizeof((const expected[]){__VA_ARGS__}) / sizeof(expected))
#define READ_SECTORS PM_EVENT_l2_read_sector
#define READ_HITS PM_EVENT_l2_read_hit
#define READ_MISSES PM_EVENT_l2_read_miss
#define WRITE_SECTORS PM_EVENT_l2_write_sector
#define READ_BYTES PM_EVENT_dram_read_bytes
#define WRITTEN_BYTES PM_EVENT_dram_write_bytes
#define READ_ROWS PM_EVENT_dram_read_row
#define WRITTEN_ROWS PM_EVENT_dram_write_row

/* `lines` whole lines are read and as many are written, from line 1000 on. */
static void copy(fixture *f, unsigned lines)
{
    begin_launch(f, 1, 1);
    for (unsigned i = 0; i < lines; i++) {
        ask(f, 0, i, 15, PM_L2_READ);
        ask(f, 0, 1000 + i, 15, PM_L2_WRITE);
    }
    end_launch(f);
}

/* ---- complete launches -------------- */

L2_TEST(what_fits_stays)
{
    copy(f, WAYS / 2);
    EXPECT(f, 0, {READ_SECTORS, 32}, {READ_HITS, 32}, {WRITE_SECTORS, 32}, {READ_BYTES, 0},
           {WRITTEN_BYTES, 0});
}

L2_TEST(what_does_not_fit_goes)
{
    copy(f, WAYS / 2 + 1);
    EXPECT(f, 0, {READ_MISSES, 36}, {READ_HITS, 0}, {READ_BYTES, 36 * SECTOR},
           {WRITTEN_BYTES, 36 * SECTOR}, {WRITE_SECTORS, 36}, {READ_ROWS, 5}, {WRITTEN_ROWS, 5});
}

/* Begins a launch on a GPU that fetches 64 bytes if a load misses. The GPU also reads a partially
 * written sector before it writes the sector back. */
static void begin_wide(fixture *f)
{
    pm_gpu gpu = sector_gpu();

    gpu.l2_fetch = 2 * SECTOR;
    gpu.l2_fills = true;
    begin(f, gpu, NULL, 0);
    begin_launch(f, 1, 1);
}

/* Stores `words` words of the first sector of a line, of `whole` sectors all words. */
static void store(fixture *f, uint64_t line, unsigned whole, unsigned words)
{
    const pm_l2_request request = {.line = line,
                                   .sectors = 1,
                                   .write = PM_L2_WRITE,
                                   .whole = (uint8_t)whole,
                                   .words = (uint8_t)words};

    assert_int_equal(pm_l2_requests(f->l2, 0, &request, 1, NULL), PM_OK);
}

L2_TEST(a_load_fetches_two_sectors)
{
    begin_wide(f);
    for (unsigned i = 0; i < 2 * WAYS; i++)
        ask(f, 0, i, 1, PM_L2_READ);
    end_launch(f);
    EXPECT(f, 0, {READ_SECTORS, 2 * WAYS}, {READ_MISSES, 4 * WAYS}, {READ_HITS, 0},
           {READ_BYTES, 4 * WAYS * SECTOR});
}

L2_TEST(the_second_of_two_fetched_sectors_hits)
{
    begin_wide(f);
    for (unsigned i = 0; i < 2 * WAYS; i++) {
        ask(f, 0, i, 4, PM_L2_READ);
        ask(f, 0, i, 8, PM_L2_READ);
    }
    end_launch(f);
    EXPECT(f, 0, {READ_SECTORS, 4 * WAYS}, {READ_MISSES, 4 * WAYS}, {READ_HITS, 2 * WAYS},
           {READ_BYTES, 4 * WAYS * SECTOR});
}

L2_TEST(a_partially_written_sector_is_read_first)
{
    begin_wide(f);
    for (unsigned i = 0; i < 2 * WAYS; i++)
        store(f, i, 0, 1);
    end_launch(f);
    EXPECT(f, 0, {READ_MISSES, 0}, {READ_BYTES, 2 * WAYS * SECTOR},
           {WRITTEN_BYTES, 2 * WAYS * SECTOR});
}

L2_TEST(a_completely_written_sector_is_not_read)
{
    begin_wide(f);
    for (unsigned i = 0; i < 2 * WAYS; i++)
        store(f, i, 1, 0);
    end_launch(f);
    EXPECT(f, 0, {READ_BYTES, 0}, {WRITTEN_BYTES, 2 * WAYS * SECTOR});
}

L2_TEST(two_halves_complete_a_sector)
{
    begin_wide(f);
    for (unsigned i = 0; i < 2 * WAYS; i++) {
        store(f, i, 0, 4);
        store(f, i, 0, 4);
    }
    end_launch(f);
    EXPECT(f, 0, {READ_BYTES, 0}, {WRITTEN_BYTES, 2 * WAYS * SECTOR});
}

L2_TEST(a_partial_store_to_a_read_sector_reads_nothing_more)
{
    begin_wide(f);
    for (unsigned i = 0; i < 2 * WAYS; i++) {
        ask(f, 0, i, 1, PM_L2_READ);
        store(f, i, 0, 1);
    }
    end_launch(f);
    EXPECT(f, 0, {READ_BYTES, 4 * WAYS * SECTOR}, {WRITTEN_BYTES, 2 * WAYS * SECTOR});
}

/* matmul_tiled 2048 reads 17 of its 34 MB from DRAM. One matrix is read once; the other one is read
 * repeatedly and stays in L2. */
L2_TEST(what_is_reused_stays)
{
    begin_launch(f, 1, 1);
    for (unsigned row = 0; row < 10; row++) {
        ask(f, 0, 100 + 2 * row, 15, PM_L2_READ);
        ask(f, 0, 101 + 2 * row, 15, PM_L2_READ);
        for (unsigned line = 0; line < 8; line++)
            ask(f, 0, line, 15, PM_L2_READ);
    }
    end_launch(f);
    EXPECT(f, 0, {READ_SECTORS, 400}, {READ_MISSES, 80}, {READ_BYTES, 80 * SECTOR});
}

/* Two partitions of L2: a sector is stored in both, and counted twice if it is fetched. */
L2_TEST(far_slices)
{
    pm_gpu gpu = sector_gpu();
    gpu.l2_far = 0.5;
    begin(f, gpu, NULL, 0);
    copy(f, 6); /* 12 lines do not fit into 16 / 1.5 lines */
    EXPECT(f, 0, {READ_SECTORS, 36}, {READ_MISSES, 36}, {WRITE_SECTORS, 36},
           {READ_BYTES, 24 * SECTOR});
    /* Each sector is read twice. */
    begin(f, gpu, NULL, 0);
    begin_launch(f, 1, 1);
    for (unsigned i = 0; i < 32; i++) {
        ask(f, 0, i, 1, PM_L2_READ);
        ask(f, 0, i, 1, PM_L2_READ);
    }
    end_launch(f);
    EXPECT(f, 0, {READ_SECTORS, 64 + 0.75 * 32}, {READ_MISSES, 1.75 * 32}, {READ_HITS, 32});
    begin(f, gpu, NULL, 0);
    copy(f, 5);
    EXPECT(f, 0, {READ_SECTORS, 20}, {READ_HITS, 20}, {WRITE_SECTORS, 30});
}

L2_TEST(launches_in_order)
{
    /* The second launch reads the lines that the first one wrote. The third launch evicts them. */
    for (unsigned launch = 0; launch < 3; launch++) {
        begin_launch(f, 1, 1);
        for (unsigned i = 0; i < (launch == 2 ? 16 : 4); i++)
            ask(f, 0, launch == 2 ? 50 + i : i, 15, launch == 0 ? PM_L2_WRITE : PM_L2_READ);
        end_launch(f);
    }
    EXPECT(f, 1, {READ_BYTES, 0});
    EXPECT(f, 0, {WRITE_SECTORS, 16}, {WRITTEN_BYTES, 0});
    EXPECT(f, 2, {READ_BYTES, 64 * SECTOR}, {WRITTEN_BYTES, 16 * SECTOR});
    assert_int_not_equal(pm_l2_begin(f->l2, 1, 1, NULL), PM_OK);
    assert_int_not_equal(pm_l2_totals(f->l2, 3, f->totals, NULL, NULL), PM_OK);
}

L2_TEST(atomics)
{
    begin_launch(f, 1, 1);
    for (unsigned i = 0; i < 2 * WAYS; i++)
        ask(f, 0, i, 1, PM_L2_ATOMIC);
    end_launch(f);
    EXPECT(f, 0, {READ_SECTORS, 0}, {WRITE_SECTORS, 0}, {READ_BYTES, 2 * WAYS * SECTOR},
           {WRITTEN_BYTES, 2 * WAYS * SECTOR});
}

L2_TEST(no_l2)
{
    begin(f, segment_gpu(PM_COALESCE_SEGMENTS), NULL, 0);
    begin_launch(f, 1, 1);
    for (unsigned i = 0; i < 3; i++) {
        ask(f, 0, 0, 15, PM_L2_READ);
        ask(f, 0, 1, 3, PM_L2_WRITE);
    }
    end_launch(f);
    EXPECT(f, 0, {READ_BYTES, 12 * SECTOR}, {WRITTEN_BYTES, 6 * SECTOR}, {READ_SECTORS, 0});
}

/* ---- the second pass, simulated in full and without wit ---- */

typedef struct {
    uint64_t line[WAYS];
    bool dirty[WAYS];
    unsigned used;
    unsigned missed, written; /* lines */
} slow_cache;

static void slow_touch(slow_cache *c, uint64_t line, unsigned kind)
{
    unsigned at = 0;

    while (at < c->used && c->line[at] != line)
        at++;
    bool dirty = at < c->used && c->dirty[at];
    if (at == c->used && kind != PM_L2_WRITE)
        c->missed++;
    if (at == WAYS)
        c->written += c->dirty[--at];
    else if (at == c->used)
        c->used++;
    memmove(c->line + 1, c->line, at * sizeof *c->line);
    memmove(c->dirty + 1, c->dirty, at * sizeof *c->dirty);
    c->line[0] = line;
    c->dirty[0] = dirty || kind != PM_L2_READ;
}

/* Random requests for whole lines. A line that is read first in a pass and written later may be
 * written back once more or less, between its first read and its first write. Therefore each line
 * here is either only read or written first. */
L2_TEST(second_pass)
{
    enum { REQUESTS = 300, ROUNDS = 400 };
    unsigned number = 12345;

    for (unsigned round = 0; round < ROUNDS; round++) {
        const unsigned lines = 4 + round % 60;
        pm_l2_request request[REQUESTS];
        bool seen[64] = {false};
        slow_cache slow = {.used = 0};

        for (unsigned i = 0; i < REQUESTS; i++) {
            number = number * 1103515245 + 12345;
            /* Small line numbers are more frequent, so that some lines are reused. */
            const unsigned a = (number >> 16) % lines, b = (number >> 8) % lines;
            const unsigned line = a < b ? a : b;
            const bool written = line % 3 == 0;
            request[i] = (pm_l2_request){
                .line = line,
                .sectors = 15,
                .write =
                    (uint8_t)(written && (!seen[line] || number & 64) ? PM_L2_WRITE : PM_L2_READ)};
            seen[line] = true;
        }
        for (unsigned i = 0; i < 2 * REQUESTS; i++) {
            if (i == REQUESTS)
                slow.missed = slow.written = 0;
            slow_touch(&slow, request[i % REQUESTS].line, request[i % REQUESTS].write);
        }
        begin(f, sector_gpu(), NULL, 0);
        begin_launch(f, 1, 1);
        assert_int_equal(pm_l2_requests(f->l2, 0, request, REQUESTS, NULL), PM_OK);
        end_launch(f);
        EXPECT(f, 0, {READ_MISSES, 4.0 * slow.missed}, {READ_BYTES, 4.0 * slow.missed * SECTOR},
               {WRITTEN_BYTES, 4.0 * slow.written * SECTOR});
    }
}

/* ---- sampled launches --------------------- */

L2_TEST(sectors_of_several_cells)
{
    const pm_memory_region regions[] = {{1 << 20, 100 * LINE}, {0, 1000 * LINE}};
    pm_gpu gpu = sector_gpu();
    gpu.l2_bytes = 190 * LINE; /* the lines of four cells fit, those of all eight do not */
    begin(f, gpu, regions, 2);
    begin_launch(f, 2, 8);
    for (unsigned cell = 0; cell < 2; cell++) {
        for (unsigned i = 0; i < 20; i++) {
            ask(f, cell, i, 15, PM_L2_READ);                  /* the same for all */
            ask(f, cell, 100 + 20 * cell + i, 3, PM_L2_READ); /* its own */
            ask(f, cell, 100 + 20 * cell + i, 3, PM_L2_READ); /* twice */
            ask(f, cell, 8192 + 20 * cell + i, 15, PM_L2_WRITE);
            /* the cell reads sectors that it wrote before */
            ask(f, cell, 8192 + 20 * cell + i, 15, PM_L2_READ);
        }
    }
    end_launch(f);
    /* Both cells (work-groups of one wave on one compute unit) read 80 sectors, and one of them
     * reads 80 more, which are scaled by four. One cell writes 160 sectors, which would scale to
     * 640, but the buffer has only 400. */
    EXPECT(f, 0, {READ_BYTES, (80 + 4 * 80) * SECTOR}, {WRITTEN_BYTES, 400 * SECTOR},
           {READ_SECTORS, 4 * 2 * (80 + 40 + 40 + 80)}, {READ_MISSES, 400},
           {WRITE_SECTORS, 4 * 2 * 80});
    assert_true(f->variance[READ_BYTES] == 80 * 16 * 0.75 * SECTOR * SECTOR);
    assert_true(f->variance[WRITTEN_BYTES] == 0);
    assert_true(f->variance[WRITE_SECTORS] == 0); /* both cells wrote the same number of sectors */
}

/* Four compute units and 32 cells (work-groups of one wave on one compute unit) give 8 waves. The
 * lines of one wave do not fit. */
L2_TEST(waves_that_do_not_fit)
{
    const pm_memory_region regions[] = {{0, 20 * LINE}, {1 << 20, 1000 * LINE}};
    begin(f, sector_gpu(), regions, 2);
    begin_launch(f, 2, 32);
    for (unsigned cell = 0; cell < 2; cell++) {
        for (unsigned i = 0; i < 20; i++)
            ask(f, cell, i, 15, PM_L2_READ);
        ask(f, cell, 8192 + cell, 15, PM_L2_READ);
        ask(f, cell, 8300 + cell, 15, PM_L2_WRITE);
    }
    end_launch(f);
    EXPECT(f, 0, {READ_BYTES, (8 * 80 + 16 * 8) * SECTOR}, {WRITTEN_BYTES, 16 * 8 * SECTOR});
}

L2_TEST(a_sampled_launch_that_fits)
{
    begin_launch(f, 1, 4);
    ask(f, 0, 0, 15, PM_L2_READ);
    ask(f, 0, 1, 15, PM_L2_WRITE);
    end_launch(f);
    EXPECT(f, 0, {READ_SECTORS, 16}, {READ_HITS, 16}, {READ_BYTES, 0}, {WRITTEN_BYTES, 0});
    assert_true(f->variance[READ_SECTORS] == 16 * 16);
}

L2_TEST(cells_that_differ)
{
    begin_launch(f, 2, 4);
    for (unsigned i = 0; i < 10; i++)
        ask(f, i % 10 >= 4, i * 50, 1, PM_L2_READ); /* 4 sectors, then 6 */
    end_launch(f);
    EXPECT(f, 0, {READ_SECTORS, 20});
    /* cells^2 / seen * (1 - seen / cells) * variance between cells, which is 2 */
    assert_true(f->variance[READ_HITS] == 16.0 / 2 * 0.5 * 2);
}

/* One launch is sampled and sweeps the cache, so the next one starts with an empty cache. */
L2_TEST(whole_after_sampled)
{
    for (unsigned launch = 0; launch < 3; launch++) {
        begin_launch(f, 1, launch == 1 ? 10 : 1);
        for (unsigned i = 0; i < 4; i++)
            ask(f, 0, launch == 1 ? 100 + i : i, 15, launch == 0 ? PM_L2_WRITE : PM_L2_READ);
        end_launch(f);
    }
    EXPECT(f, 0, {WRITTEN_BYTES, 16 * SECTOR});
    EXPECT(f, 1, {READ_BYTES, 160 * SECTOR});
    EXPECT(f, 2, {READ_BYTES, 16 * SECTOR});
}

/* ---- revisited sectors of sampled launches ---------- */

/* One pass over the lines, and a second one. */
static void go_twice(fixture *f, size_t cell, unsigned first, unsigned lines, unsigned kind)
{
    for (unsigned i = 0; i < 2 * lines; i++)
        ask(f, cell, first + i % lines, 15, kind);
}

/* Four cells (work-groups of one wave on one compute unit) run at a time, and each has four of the
 * 16 lines. One cell is sampled. */
L2_TEST(a_cell_that_comes_back_in_vain)
{
    begin_launch(f, 1, 4);
    go_twice(f, 0, 0, 8, PM_L2_READ);
    go_twice(f, 0, 1000, 8, PM_L2_WRITE);
    end_launch(f);
    EXPECT(f, 0, {READ_SECTORS, 4 * 64}, {READ_BYTES, 4 * 2 * 32 * SECTOR},
           {WRITTEN_BYTES, 4 * 2 * 32 * SECTOR});
}

/* The number of lines is the same, but only four cells (work-groups of one wave on one compute
 * unit) run at a time. The lines of all cells do not fit into L2 either. */
L2_TEST(a_cell_that_comes_back_soon)
{
    begin_launch(f, 1, 4);
    for (unsigned i = 0; i < 8; i += 4) {
        go_twice(f, 0, i, 4, PM_L2_READ);
        go_twice(f, 0, 1000 + i, 4, PM_L2_WRITE);
    }
    end_launch(f);
    EXPECT(f, 0, {READ_SECTORS, 4 * 64}, {READ_BYTES, 4 * 32 * SECTOR},
           {WRITTEN_BYTES, 4 * 32 * SECTOR});
}

/* A fifth line does not fit. */
L2_TEST(a_cell_that_comes_back_just_too_late)
{
    for (unsigned lines = 4; lines <= 5; lines++) {
        begin(f, sector_gpu(), NULL, 0);
        begin_launch(f, 1, 4);
        go_twice(f, 0, 0, lines, PM_L2_READ);
        for (unsigned i = 0; i < 8; i++)
            ask(f, 0, 100 + i, 15, PM_L2_READ); /* the lines of all cells must not fit */
        end_launch(f);
        EXPECT(f, 0, {READ_BYTES, 4 * 4.0 * (8 + (lines == 4 ? 4 : 2 * 5)) * SECTOR});
    }
}

/* Accesses of other cells (work-groups of one wave on one compute unit) retain the lines in L2. */
L2_TEST(what_cells_share_is_not_fetched_again)
{
    const pm_memory_region regions[] = {{0, 100 * LINE}, {1 << 20, 1000 * LINE}};
    begin(f, sector_gpu(), regions, 2);
    begin_launch(f, 2, 4);
    for (unsigned cell = 0; cell < 2; cell++) {
        go_twice(f, cell, 0, 20, PM_L2_READ);
        go_twice(f, cell, 8192 + 20 * cell, 20, PM_L2_READ);
    }
    end_launch(f);
    /* 80 sectors that both cells read once; for each cell 80 sectors that only it reads, twice */
    EXPECT(f, 0, {READ_SECTORS, 4 * 320}, {READ_BYTES, (80 + 4 * 2 * 80) * SECTOR});
}

/* A sector that was not requested before is not a revisited sector. */
L2_TEST(other_sectors_of_a_line)
{
    begin_launch(f, 1, 4);
    for (unsigned half = 0; half < 2; half++)
        for (unsigned i = 0; i < 20; i++)
            ask(f, 0, i, half ? 12 : 3, PM_L2_READ);
    end_launch(f);
    EXPECT(f, 0, {READ_BYTES, 4 * 80 * SECTOR});
}

L2_TEST(out_of_order)
{
    const pm_l2_request request = {.sectors = 1, .write = PM_L2_READ};

    assert_int_not_equal(pm_l2_requests(f->l2, 0, &request, 1, told()), PM_OK);
    assert_int_not_equal(pm_l2_end(f->l2, told()), PM_OK);
    assert_int_not_equal(pm_l2_begin(f->l2, 2, 1, told()), PM_OK);
    assert_int_not_equal(pm_l2_begin(f->l2, 0, 1, told()), PM_OK);
    assert_int_equal(pm_l2_begin(f->l2, 1, 1, told()), PM_OK);
    assert_int_not_equal(pm_l2_begin(f->l2, 1, 1, told()), PM_OK);
    assert_int_not_equal(pm_l2_totals(f->l2, 0, f->totals, NULL, told()), PM_OK);
    f->gpu.l2_far = 1;
    assert_null(pm_l2_create(&f->gpu, NULL, 0, told()));
    f->gpu = sector_gpu();
    f->gpu.l2_line = 512; /* 16 sectors */
    assert_null(pm_l2_create(&f->gpu, NULL, 0, told()));
}
