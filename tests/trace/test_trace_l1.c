/* Tests the L1 cache of the trace engine: which data stay in it, by cases that were computed by
 * hand and by a row of datasets/h100.csv.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_unit_fixture.h"

static unsigned misses(fixture *f, uint64_t at)
{
    strided(f, at, 4);
    load(f, 4);
    assert_int_equal(got(f, PM_EVENT_gld_sector),
                     got(f, PM_EVENT_l1_global_load_hit) + got(f, PM_EVENT_l1_global_load_miss));
    return (unsigned)got(f, PM_EVENT_l1_global_load_miss);
}

TEST(least_recently_used_goes)
{
    pm_gpu gpu = sector_gpu();
    gpu.l1_bytes = 2 * 128; /* two lines, one set */
    fixture *f = begin(gpu);
    assert_int_equal(misses(f, 0), 4);
    assert_int_equal(misses(f, 1024), 4);
    assert_int_equal(misses(f, 0), 0);
    assert_int_equal(misses(f, 2048), 4); /* drops 1024 */
    assert_int_equal(misses(f, 0), 0);
    assert_int_equal(misses(f, 1024), 4);
    pm_unit_reset(f->unit);
    assert_int_equal(misses(f, 1024), 4);
}

UNIT_TEST(cache_holds_its_bytes)
{
    const uint64_t lines = f->gpu.l1_bytes / 128;
    for (uint64_t i = 0; i < lines; i++)
        assert_int_equal(misses(f, i * 128), 4);
    for (uint64_t i = 0; i < lines; i++)
        assert_int_equal(misses(f, i * 128), 0);
    /* A stride of a power of two does not fill only some sets. */
    unsigned missed = 0;
    pm_unit_reset(f->unit);
    for (int pass = 0; pass < 2; pass++)
        for (uint64_t i = 0; i < lines / 4; i++)
            missed += misses(f, i << 20);
    assert_true(missed < lines + lines / 4);
}

TEST(stores_and_l1)
{
    pm_gpu gpu = sector_gpu();
    fixture *f = begin(gpu);
    strided(f, 512, 4);
    once(f, PM_SPACE_GLOBAL, PM_ACCESS_STORE, 4, UINT32_MAX);
    assert_int_equal(got(f, PM_EVENT_gst_request), 1);
    assert_int_equal(got(f, PM_EVENT_gst_sector), 4);
    assert_int_equal(got(f, PM_EVENT_gst_tag), 1);
    assert_int_equal(misses(f, 512), 0);
    strided(f, 512, 4);
    pm_unit_drain(f->unit);
    once(f, PM_SPACE_GLOBAL, PM_ACCESS_ATOMIC, 4, 0xFF);
    assert_int_equal(got(f, PM_EVENT_atomic), 1);
    assert_int_equal(got(f, PM_EVENT_gst_request), 0);
    const pm_l2_request *queue = queue_of(f, 1);
    assert_int_equal(queue[0].write, PM_L2_ATOMIC);
    assert_int_equal(queue[0].sectors, 1);
    assert_int_equal(misses(f, 512), 1); /* the atomic has changed the sector in L2 */

    gpu.l1_unified = false;
    f = begin(gpu);
    assert_int_equal(misses(f, 512), 4);
    once(f, PM_SPACE_GLOBAL, PM_ACCESS_STORE, 4, 0xFF);
    assert_int_equal(misses(f, 512), 1);
}

TEST(loads_past_l1)
{
    pm_gpu gpu = sector_gpu();
    gpu.l1_global = false;
    fixture *f = begin(gpu);
    for (int i = 0; i < 2; i++) {
        strided(f, 512, 4);
        load(f, 4);
        assert_int_equal(queue_of(f, 1)[0].sectors, 15);
        assert_int_equal(got(f, PM_EVENT_l1_global_load_hit), 0);
        assert_int_equal(got(f, PM_EVENT_l1_global_load_miss), 0);
    }
}

/* Read-only data has a cache of its own. A store does not change it; a new launch empties it. */
TEST(read_only_cache)
{
    pm_gpu gpu = sector_gpu();
    gpu.l1_global = gpu.l1_unified = false;
    gpu.l1_bytes = gpu.l1_ways = 0;
    gpu.readonly_bytes = 4 << 10;
    fixture *f = begin(gpu);
    strided(f, 1024, 4);
    load(f, 4);
    assert_int_equal(got(f, PM_EVENT_l1_global_load_miss), 0);
    f->read_only = true;
    load(f, 4);
    assert_int_equal(got(f, PM_EVENT_l1_global_load_miss), 4);
    assert_true(pm_unit_is_slow(f->unit));
    once(f, PM_SPACE_GLOBAL, PM_ACCESS_STORE, 4, UINT32_MAX);
    pm_unit_next_round(f->unit);
    load(f, 4);
    assert_int_equal(got(f, PM_EVENT_l1_global_load_hit), 4);
    assert_false(pm_unit_is_slow(f->unit));
    strided(f, 8192, 128); /* 32 lines fill the whole cache */
    load(f, 4);
    strided(f, 1024, 4);
    load(f, 4);
    assert_int_equal(got(f, PM_EVENT_l1_global_load_miss), 4);
    pm_unit_reset(f->unit);
    load(f, 4);
    assert_int_equal(got(f, PM_EVENT_l1_global_load_miss), 4);
}

/* ---- one work-group of a kernel, compared with datasets/h100.csv ---- */

/* dct8x8 nolocal, one work-group: 32 columns, 8 rows, a warp per row. The expected counters are
 * those of size 2048, divided by its 131072 warps. */
TEST(dct8x8_as_measured)
{
    const uint64_t image = 0, out = 64 << 20, c = 128 << 20, row = 2048 * 4;
    pm_gpu gpu = sector_gpu();
    pm_events all = {{0}};
    gpu.l1_bytes = 192 << 10;
    fixture *f = begin(gpu);
    for (unsigned phase = 0; phase < 3; phase++)
        for (unsigned y = 0; y < 8; y++)
            for (unsigned step = 0; step < (phase == 2 ? 1 : 18); step++) {
                const unsigned i = step / 2;
                const bool store = phase == 2 || (phase == 0 && step == 16);
                if ((phase == 1 && step >= 16) || step == 17)
                    continue;
                for (unsigned x = 0; x < 32; x++) {
                    const uint64_t own = y * row + x * 4;
                    f->address[x] = store ? out + own
                                    : phase == 0
                                        ? (step % 2 ? image + i * row + x * 4 : c + (8 * y + i) * 4)
                                        : (step % 2 ? c + (8 * (x % 8) + i) * 4
                                                    : out + y * row + (x / 8 * 8 + i) * 4);
                }
                once(f, PM_SPACE_GLOBAL, store ? PM_ACCESS_STORE : PM_ACCESS_LOAD, 4, UINT32_MAX);
                for (unsigned e = 0; e < PM_EVENT_COUNT; e++)
                    all.count[e] += f->events.count[e];
            }
    assert_int_equal(all.count[PM_EVENT_gld_request], 8 * 4194304 / 131072);
    assert_int_equal(all.count[PM_EVENT_gst_request], 8 * 262144 / 131072);
    assert_int_equal(all.count[PM_EVENT_gld_sector], 8 * 32 * 4.25);
    assert_int_equal(all.count[PM_EVENT_gld_tag], 8 * 32 * 1.25);
    assert_int_equal(all.count[PM_EVENT_gst_sector], 8 * 2 * 4);
    /* Only the image misses, and c at its first access: the measured hit rate is 0.9705. */
    assert_int_equal(all.count[PM_EVENT_l1_global_load_miss], 8 * 4 + 8);
}
