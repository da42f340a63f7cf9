/* Tests the memory pipeline of AMD GPUs in the trace engine: passes of groups of four work-items
 * compared with times of an MI210, the effect of stores on L1, and the scalar cache.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_unit_fixture.h"

enum { LANES = 64, LINE = 64, LOADS = 8 };

/* A GPU like GCN, with a small L1. */
static pm_gpu wavefront_gpu(void)
{
    return (pm_gpu){.device = "wavefronts",
                    .compute_units = 4,
                    .warp_width = LANES,
                    .coalescing = PM_COALESCE_LINES,
                    .l1_global = true,
                    .l1_bytes = 16 << 10,
                    .l1_line = LINE,
                    .l1_sector = 32,
                    .l1_ways = 16,
                    .global_access = PM_GLOBAL_QUADS,
                    .l1_stores = PM_STORES_WHOLE,
                    .scalar_bytes = 2 * LINE,
                    .shared_banks = 32,
                    .shared_bank_bytes = 4,
                    .l2_bytes = 16 * 128,
                    .l2_line = 128,
                    .l2_sector = 32,
                    .l2_ways = 16};
}

static int open_wavefronts(void **state)
{
    *state = begin(wavefront_gpu());
    return 0;
}

#define AMD_TEST(name) TEST_OF(fixture, name, open_wavefronts, NULL)

static uint64_t passes(fixture *f, unsigned bytes, uint64_t mask)
{
    pm_unit_drain(f->unit);
    once(f, PM_SPACE_GLOBAL, PM_ACCESS_LOAD, bytes, mask);
    return got(f, PM_EVENT_global_wavefront);
}

/* ---- passes --------------------------------------------------------------------------------- */

/* Returns the bytes per cycle of the eight loads in the benchmark's loop, by our rule. */
static double bytes_a_cycle(fixture *f, unsigned bytes, uint64_t stride, uint64_t block)
{
    static const uint64_t offset[LOADS] = {0, 4, 8, 12, 20, 16, 24, 28};
    uint64_t sum = 0;

    for (size_t k = 0; k < LOADS; k++) {
        for (uint64_t lane = 0; lane < LANES; lane++)
            f->address[lane] =
                (offset[k] + lane % block * stride + (lane / block + 1) * (block < LANES) * 4098) *
                bytes;
        sum += passes(f, bytes, UINT64_MAX);
    }
    return LOADS * LANES * (double)bytes / (double)sum;
}

static void hold(fixture *f, unsigned bytes, uint64_t stride, uint64_t block, double measured,
                 double factor)
{
    const double counted = bytes_a_cycle(f, bytes, stride, block);

    if (counted > measured * factor || counted < measured / factor)
        fail_msg("%u bytes, stride %d, block %d: %g bytes a cycle, measured are %g", bytes,
                 (int)stride, (int)block, counted, measured);
}

/* Measured bytes per cycle and compute unit of an MI210: RRZE-HPC/gpu-benches, gpu-strides,
 * mi210.txt. */
AMD_TEST(strides_of_an_mi210)
{
    static const double words[] = {59,  59,  7.9, 15.9, 3.97, 9.1, 7.9, 9.1,  3.97,
                                   9.1, 7.9, 9.1, 3.97, 9.1,  7.9, 5.3, 3.97, 5.3};
    static const double doubles[] = {31.8, 31.8, 31.8, 31.8, 15.9, 31.8, 31.8, 31.8, 7.9,
                                     31.8, 21.2, 15.9, 15.9, 21.2, 15.9, 15.9, 7.9,  15.9};

    for (size_t s = 0; s < sizeof words / sizeof *words; s++)
        hold(f, 4, s, LANES, words[s], s % 2 == 0 || s == 1 ? 1.1 : 1.52);
    for (size_t s = 0; s < sizeof doubles / sizeof *doubles; s++)
        hold(f, 8, s, LANES, doubles[s], s < 7 || s % 4 == 0 ? 1.1 : 2.02);
}

/* Passes for blocks of adjacent work-items. */
AMD_TEST(blocks_of_an_mi210)
{
    hold(f, 4, 1, 4, 17, 1.1);
    hold(f, 4, 1, 8, 31.8, 1.1);
    hold(f, 4, 1, 16, 59, 1.1);
    hold(f, 4, 1, 32, 59, 1.1);
    hold(f, 8, 1, 4, 31.8, 1.1);
    hold(f, 8, 1, 16, 31.8, 1.1);
}

/* Accesses of single bytes are combined if each quad's bytes are four consecutive ones, wherever
 * they start. Dedispersions on an MI250X that read this way take half the time of those that read
 * every second byte. */
AMD_TEST(quads_of_bytes)
{
    strided(f, 3, 1);
    assert_int_equal(passes(f, 1, UINT64_MAX), 4);
    strided(f, 0, 2);
    assert_int_equal(passes(f, 1, UINT64_MAX), 16);
    assert_int_equal(passes(f, 2, UINT64_MAX), 4);
}

AMD_TEST(only_who_takes_part_passes)
{
    strided(f, 0, 4);
    assert_int_equal(passes(f, 4, UINT64_MAX), 4);
    assert_int_equal(passes(f, 4, 0xFFFF), 1);
    assert_int_equal(passes(f, 4, 1), 1);
    strided(f, 0, 16);
    assert_int_equal(passes(f, 16, UINT64_MAX), 16); /* four work-items fill 64 bytes */
    strided(f, 0, LINE);
    assert_int_equal(passes(f, 4, UINT64_MAX), 64); /* all accesses of a quad are in one bank */
    assert_int_equal(passes(f, 4, 0x1111111111111111), 16);
}

/* Adjacent words of private memory: 256 bytes for 64 work-items. */
AMD_TEST(private_words_are_four_passes)
{
    strided(f, 0, 0);
    once(f, PM_SPACE_PRIVATE, PM_ACCESS_LOAD, 8, UINT64_MAX);
    assert_int_equal(got(f, PM_EVENT_global_wavefront), 2 * 4);
}

/* Wavefronts of 64 pass the 32 banks in two halves. NVIDIA's rule that merges neighbours with equal
 * addresses does not apply to AMD. */
AMD_TEST(shared_memory_in_halves)
{
    strided(f, 0, 4);
    assert_int_equal(once(f, PM_SPACE_SHARED, PM_ACCESS_LOAD, 4, UINT64_MAX), 2);
    strided(f, 0, 8);
    assert_int_equal(once(f, PM_SPACE_SHARED, PM_ACCESS_LOAD, 8, UINT64_MAX), 4);
    strided(f, 0, 0);
    assert_int_equal(once(f, PM_SPACE_SHARED, PM_ACCESS_LOAD, 8, UINT64_MAX), 4);
    strided(f, 0, 128);
    assert_int_equal(once(f, PM_SPACE_SHARED, PM_ACCESS_LOAD, 4, UINT64_MAX), 64);
}

/* ---- L1 ------------------------------------------------------------------------------------- */

static uint64_t misses(fixture *f, uint64_t first, uint64_t mask)
{
    strided(f, first, 4);
    pm_unit_drain(f->unit);
    once(f, PM_SPACE_GLOBAL, PM_ACCESS_LOAD, 4, mask);
    return got(f, PM_EVENT_l1_global_load_miss);
}

/* A single work-item's access fetches the whole line of two sectors. */
AMD_TEST(lines_of_64_bytes_come_whole)
{
    size_t count;

    assert_int_equal(misses(f, 4096, 1), 2);
    assert_int_equal(pm_unit_queue(f->unit, &count)->sectors, 3);
    assert_int_equal(count, 1);
    assert_int_equal(misses(f, 4096, UINT64_MAX), 3 * 2);
}

AMD_TEST(lines_written_whole_stay)
{
    strided(f, 4096, 4);
    once(f, PM_SPACE_GLOBAL, PM_ACCESS_STORE, 4, UINT64_MAX);
    assert_int_equal(misses(f, 4096, UINT64_MAX), 0);
    /* all words of the first line except one */
    once(f, PM_SPACE_GLOBAL, PM_ACCESS_STORE, 4, 0x7FFF);
    assert_int_equal(misses(f, 4096, UINT64_MAX), 2);
    pm_unit_drain(f->unit);
    once(f, PM_SPACE_GLOBAL, PM_ACCESS_ATOMIC, 4, 0xFFFF);
    assert_int_equal(misses(f, 4096, UINT64_MAX), 2);

    f->gpu.l1_stores = PM_STORES_BY_ARRAY;
    strided(f, 4096, 4);
    once(f, PM_SPACE_GLOBAL, PM_ACCESS_STORE, 4, UINT64_MAX);
    assert_int_equal(misses(f, 4096, UINT64_MAX), 4 * 2);
}

/* ---- scalars -------------------------------------------------------------------------------- */

/* Returns the sectors that a scalar load requests from L2. */
static unsigned scalar(fixture *f, uint64_t at)
{
    const pm_warp_access access = {.space = PM_SPACE_GLOBAL,
                                   .kind = PM_ACCESS_LOAD,
                                   .scalar = true,
                                   .bytes = 4,
                                   .mask = 6, /* the first work-item does not take part */
                                   .address = f->address};
    bool ok;
    unsigned asked;

    strided(f, at, 0);
    f->address[0] = 1 << 20;
    memset(&f->events, 0, sizeof f->events);
    pm_unit_drain(f->unit);
    asked = pm_unit_access(f->unit, &access, &f->events, &ok);
    assert_true(ok);
    return asked;
}

/* A cache of two lines of 64 bytes, which vector loads neither fill nor hit. */
AMD_TEST(scalars_have_a_cache_of_their_own)
{
    assert_int_equal(misses(f, 0, 1), 2);
    assert_int_equal(scalar(f, 0), 2);
    assert_int_equal(got(f, PM_EVENT_constant_pass), 1);
    assert_int_equal(got(f, PM_EVENT_gld_request), 0);
    assert_int_equal(got(f, PM_EVENT_global_wavefront), 0);
    assert_true(pm_unit_is_slow(f->unit));
    pm_unit_next_round(f->unit);
    assert_int_equal(scalar(f, 60), 0);
    assert_false(pm_unit_is_slow(f->unit));
    assert_int_equal(scalar(f, 64), 2);
    assert_int_equal(scalar(f, 128), 2);
    assert_int_equal(scalar(f, 0), 2); /* evicted by the third line */
    pm_unit_reset(f->unit);
    assert_int_equal(scalar(f, 128), 2);
}

TEST(without_that_cache_they_are_loads)
{
    pm_gpu gpu = wavefront_gpu();
    gpu.scalar_bytes = 0;
    fixture *f = begin(gpu);

    assert_int_equal(scalar(f, 0), 1);
    assert_int_equal(got(f, PM_EVENT_constant_pass), 0);
    assert_int_equal(got(f, PM_EVENT_gld_request), 1);
}
