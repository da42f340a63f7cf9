/* The memory unit of the trace engine: coalescing, banks and passes, by hand-computed cases, and by
 * rows of datasets/h100.csv. L1 is in test_trace_l1.c; segments and sectors of ordinary accesses
 * are in test_trace_obvious.c, kernels/access_patterns and test_trace_targets.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "collector/engine/memory/atomic_hot_spots.h"
#include "trace_unit_fixture.h"

/* ---- compute capability 1.x: CUDA C Programming Guide 3.2, G.3.2 ---- */

static void check_segments(fixture *f, unsigned bytes, unsigned b32, unsigned b64, unsigned b128)
{
    assert_int_equal(load(f, bytes), b32 + b64 + b128);
    assert_int_equal(got(f, PM_EVENT_gld_request), 1);
    assert_int_equal(got(f, PM_EVENT_gld_32b), b32);
    assert_int_equal(got(f, PM_EVENT_gld_64b), b64);
    assert_int_equal(got(f, PM_EVENT_gld_128b), b128);
}

TEST(strict_order)
{
    fixture *f = begin(segment_gpu(PM_COALESCE_STRICT));
    strided(f, 512, 4);
    check_segments(f, 4, 0, 2, 0);
    strided(f, 512, 8);
    check_segments(f, 8, 0, 0, 2);
    strided(f, 512, 16);
    check_segments(f, 16, 0, 0, 4);
    strided(f, 512, 1); /* only words of 4, 8 and 16 bytes are coalesced */
    check_segments(f, 1, 32, 0, 0);
    strided(f, 516, 4); /* not aligned to 64 bytes */
    check_segments(f, 4, 32, 0, 0);
    strided(f, 512, 8); /* words left out */
    check_segments(f, 4, 32, 0, 0);
    strided(f, 512, 4);
    f->address[0] = 516;
    f->address[1] = 512; /* two work-items of the first half-warp are exchanged */
    check_segments(f, 4, 16, 1, 0);
    strided(f, 512, 4);
    assert_int_equal(once(f, PM_SPACE_GLOBAL, PM_ACCESS_STORE, 4, 0xFFF5), 1);
    assert_int_equal(got(f, PM_EVENT_gst_64b), 1);
}

/* The whole segment goes to memory, in parts of 32 bytes. */
TEST(segments_move_whole)
{
    fixture *f = begin(segment_gpu(PM_COALESCE_SEGMENTS));
    strided(f, 512 + 64, 8);
    for (unsigned lane = 0; lane < PM_MAX_WARP; lane++)
        f->address[lane] = lane < 16 ? 512 + 64 + lane * 4 : 1024 + 32;
    load(f, 4);
    const pm_l2_request *queue = queue_of(f, 2);
    assert_int_equal(queue[0].line, 4);
    assert_int_equal(queue[0].sectors, 12);
    assert_int_equal(queue[1].line, 8);
    assert_int_equal(queue[1].sectors, 2);
}

/* ---- lines and sectors ---- */

/* Compute capability 2.x loads whole lines and stores sectors. */
TEST(whole_lines)
{
    pm_gpu gpu = sector_gpu();
    gpu.coalescing = PM_COALESCE_LINES;
    gpu.l1_sector = 128;
    fixture *f = begin(gpu);
    strided(f, 1028, 4);
    assert_int_equal(load(f, 4), 2);
    assert_int_equal(got(f, PM_EVENT_gld_tag), 2);
    assert_int_equal(got(f, PM_EVENT_gld_sector), 8);
    assert_int_equal(got(f, PM_EVENT_l1_global_load_miss), 8);
    const pm_l2_request *queue = queue_of(f, 2);
    assert_int_equal(queue[1].sectors, 15);
    assert_int_equal(once(f, PM_SPACE_GLOBAL, PM_ACCESS_STORE, 4, UINT32_MAX), 5);
    assert_int_equal(got(f, PM_EVENT_gst_sector), 5);
    /* The store has invalidated the lines that it wrote: the first line, and a sector of the
     * second. */
    load(f, 4);
    assert_int_equal(got(f, PM_EVENT_l1_global_load_miss), 5);
}

/* L2 has lines of another size than L1. */
TEST(other_lines_in_l2)
{
    pm_gpu gpu = sector_gpu();
    gpu.l2_line = 64;
    fixture *f = begin(gpu);
    strided(f, 1024 + 32, 4);
    load(f, 4);
    const pm_l2_request *queue = queue_of(f, 3);
    assert_int_equal(queue[0].line, 16);
    assert_int_equal(queue[0].sectors, 2);
    assert_int_equal(queue[1].line, 17);
    assert_int_equal(queue[1].sectors, 3);
    assert_int_equal(queue[2].line, 18);
    assert_int_equal(queue[2].sectors, 1);
}

/* ---- shared memory ---- */

static void check_banks(fixture *f, unsigned bytes, unsigned wavefronts, unsigned conflicts)
{
    assert_int_equal(once(f, PM_SPACE_SHARED, PM_ACCESS_LOAD, bytes, UINT32_MAX), wavefronts);
    assert_int_equal(got(f, PM_EVENT_shared_load), 1);
    assert_int_equal(got(f, PM_EVENT_shared_wavefront), wavefronts);
    assert_int_equal(got(f, PM_EVENT_shared_bank_conflict), conflicts);
}

UNIT_TEST(bank_conflicts)
{
    const struct {
        unsigned step, bytes, wavefronts, conflicts;
    } cases[] = {{4, 4, 1, 0},   {8, 4, 2, 1},  {12, 4, 1, 0}, {16, 4, 4, 3}, {128, 4, 32, 31},
                 {132, 4, 1, 0}, {0, 4, 1, 0},  {1, 1, 1, 0},  {8, 8, 2, 0},  {0, 8, 1, 0},
                 {16, 16, 4, 0}, {16, 8, 4, 2}, {32, 16, 8, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        strided(f, 256, cases[i].step);
        check_banks(f, cases[i].bytes, cases[i].wavefronts, cases[i].conflicts);
    }
    /* An access that is predicated off still counts as an instruction. */
    once(f, PM_SPACE_SHARED, PM_ACCESS_STORE, 4, 0);
    assert_int_equal(got(f, PM_EVENT_shared_store), 1);
    once(f, PM_SPACE_SHARED, PM_ACCESS_ATOMIC, 4, 1);
    assert_int_equal(got(f, PM_EVENT_atomic), 1);
}

/* Different words of a sector take one pass. A word that n work-items share takes n passes. Halves
 * of a word count as one word. */
UNIT_TEST(passes_of_atomics)
{
    static const struct {
        unsigned first, step, items, passes;
    } cases[] = {{512, 4, 32, 4},  {512, 0, 32, 32}, {512, 32, 32, 32},
                 {512, 128, 8, 8}, {528, 4, 8, 2},   {512, 2, 32, 4}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t passes = 0;
        size_t count;

        strided(f, cases[i].first, cases[i].step);
        pm_unit_drain(f->unit);
        once(f, PM_SPACE_GLOBAL, PM_ACCESS_ATOMIC, 4, UINT32_MAX >> (32 - cases[i].items));
        assert_int_equal(got(f, PM_EVENT_atomic_pass), cases[i].passes);
        for (const pm_l2_request *r = pm_unit_queue(f->unit, &count); count > 0; count--)
            passes += r++->passes;
        assert_int_equal(passes, got(f, PM_EVENT_atomic_pass));
    }
}

UNIT_TEST(constants_come_one_by_one)
{
    static const struct {
        unsigned step, bytes, passes;
    } cases[] = {{0, 4, 1}, {4, 4, 32}, {1, 1, 8}, {8, 8, 32}, {16, 16, 32}, {128, 4, 32}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        strided(f, 512, cases[i].step);
        once(f, PM_SPACE_CONSTANT, PM_ACCESS_LOAD, cases[i].bytes, UINT32_MAX);
        assert_int_equal(got(f, PM_EVENT_constant_pass), cases[i].passes);
    }
}

static void pile(pm_piles *piles, uint64_t line, uint8_t kind, uint32_t passes, bool again)
{
    const pm_l2_request request = {
        .line = line, .sectors = 5, .write = kind, .passes = passes, .again = again};

    pm_piles_add(piles, &request, 1, 128);
}

/* 256 bytes are one block, whatever the line size, together with every second block of their KB.
 * Loads and stores are in no block. */
TEST(atomics_pile_up)
{
    pm_piles *piles = room(1, sizeof *piles);

    assert_true(pm_piles_highest(piles, 1) == 0);
    pile(piles, 8, PM_L2_ATOMIC, 5, false);
    pile(piles, 9, PM_L2_ATOMIC, 7, false);
    pile(piles, 10, PM_L2_ATOMIC, 11, false);
    assert_true(pm_piles_highest(piles, 1) == 5 + 7);
    pile(piles, 8, PM_L2_READ, 0, false);
    pile(piles, 9, PM_L2_WRITE, 0, false);
    pile(piles, 11, PM_L2_ATOMIC, 0, false);
    assert_true(pm_piles_highest(piles, 1) == 5 + 7);
    pile(piles, 14, PM_L2_ATOMIC, 2, false);
    assert_true(pm_piles_highest(piles, 1) == 11 + 1 + 2);
    pile(piles, 16, PM_L2_ATOMIC, 14, false); /* another KB */
    assert_true(pm_piles_highest(piles, 1) == 14);
}

/* Atomics in retry loops are multiplied by the number of attempts. Their loads of two sectors take
 * two more passes. A slice of L2 has at least its fraction of all. */
TEST(attempts_pile_up)
{
    pm_piles *piles = room(1, sizeof *piles);

    pile(piles, 8, PM_L2_ATOMIC, 10, false);
    pile(piles, 8, PM_L2_ATOMIC, 3, true);
    pile(piles, 8, PM_L2_READ, 0, true);
    assert_true(pm_piles_highest(piles, 1) == 10 + 3 + 2);
    assert_true(pm_piles_highest(piles, 4) == 10 + 4 * (3 + 2));
    assert_true(pm_piles_fullest(piles, 132) == 3 + 2);
    for (uint64_t kb = 1; kb <= 99; kb++)
        pile(piles, 8 + 8 * kb, PM_L2_ATOMIC, 5, true);
    assert_true(fabs(pm_piles_fullest(piles, 132) - 100 * 5 / 73.0) < 1e-9);
}

/* The values of datasets/h100.csv for 16 bytes: see banks.c. */
UNIT_TEST(sixteen_bytes_as_measured)
{
    strided(f, 64, 0); /* nbody local: all work-items have one address */
    check_banks(f, 16, 2, 0);
    for (unsigned lane = 0; lane < 32; lane++) /* matmul_tiled local: one row per half-warp */
        f->address[lane] = lane / 16 * 64;
    check_banks(f, 16, 2, 0);
    for (unsigned lane = 0; lane < 32; lane++) /* matmul_float4 local: one row per quarter-warp */
        f->address[lane] = lane / 8 * 512;
    check_banks(f, 16, 4, 2);
    /* dct8x8 local: another bank for each quarter-warp */
    for (unsigned lane = 0; lane < 32; lane++)
        f->address[lane] = lane / 8 * 32;
    check_banks(f, 16, 2, 0);
    strided(f, 0, 16); /* aes128 local: stores with 11 work-items, or with none */
    assert_int_equal(once(f, PM_SPACE_SHARED, PM_ACCESS_STORE, 16, 0x7FF), 2);
    assert_int_equal(once(f, PM_SPACE_SHARED, PM_ACCESS_STORE, 16, 0), 2);
    /* Accesses of neighbours to global memory are not merged, see nbody nolocal and matmul_float4
     * nolocal. */
    strided(f, 512, 0);
    load(f, 16);
    assert_int_equal(got(f, PM_EVENT_global_wavefront), 4);
}

/* ---- texture units, half- and quarter-warps ---- */

static pm_gpu older_gpu(pm_global_access access)
{
    pm_gpu gpu = sector_gpu();

    gpu.l1_global = gpu.l1_unified = false;
    gpu.l1_bytes = 0;
    gpu.global_access = access;
    return gpu;
}

static void check_passes(fixture *f, unsigned bytes, uint64_t mask, unsigned passes)
{
    once(f, PM_SPACE_GLOBAL, PM_ACCESS_LOAD, bytes, mask);
    assert_int_equal(got(f, PM_EVENT_gld_request), 1);
    assert_int_equal(got(f, PM_EVENT_global_wavefront), passes);
}

/* A texture unit processes 32 bytes of adjacent work-items, whatever their addresses (KTT's Coulomb
 * sums on a GTX 1070: 4 transactions for 4 bytes, 16 for 16). Two units process two such parts at a
 * time. */
TEST(texture_units)
{
    fixture *f = begin(older_gpu(PM_GLOBAL_LINES));
    strided(f, 512, 0);
    check_passes(f, 4, UINT32_MAX, 2);
    check_passes(f, 8, UINT32_MAX, 4);
    check_passes(f, 16, UINT32_MAX, 8);
    assert_int_equal(got(f, PM_EVENT_gld_sector), 1);
    check_passes(f, 4, 0x80000001, 1); /* the first and the last eight work-items */
    check_passes(f, 1, 0xFF, 1);
    strided(f, 512, 4);
    check_passes(f, 4, UINT32_MAX, 2);
    strided(f, 512, 128); /* 32 lines */
    check_passes(f, 4, UINT32_MAX, 32);
    strided(f, 512, 4);
    once(f, PM_SPACE_GLOBAL, PM_ACCESS_STORE, 4, UINT32_MAX);
    assert_int_equal(got(f, PM_EVENT_global_wavefront), 1);
    once(f, PM_SPACE_PRIVATE, PM_ACCESS_LOAD, 4, UINT32_MAX);
    assert_int_equal(got(f, PM_EVENT_global_wavefront), 2);
    f = begin(older_gpu(PM_GLOBAL_TEXTURE)); /* one unit */
    strided(f, 512, 0);
    check_passes(f, 4, UINT32_MAX, 4);
    check_passes(f, 16, UINT32_MAX, 16);
}

/* CUDA C Programming Guide 4.2, F.4.2: wide accesses are several requests. */
TEST(half_and_quarter_warps)
{
    fixture *f = begin(older_gpu(PM_GLOBAL_REISSUES));
    strided(f, 512, 0);
    check_passes(f, 4, UINT32_MAX, 1);
    check_passes(f, 8, UINT32_MAX, 2);
    check_passes(f, 16, UINT32_MAX, 4);
    assert_int_equal(got(f, PM_EVENT_gld_tag), 4);
    assert_int_equal(got(f, PM_EVENT_gld_sector), 4);
    assert_int_equal(got(f, PM_EVENT_inst_issued), 4);
    check_passes(f, 16, 0xFF00, 1);
    strided(f, 512, 16); /* one line for each quarter-warp */
    check_passes(f, 16, UINT32_MAX, 4);
    once(f, PM_SPACE_GLOBAL, PM_ACCESS_STORE, 16, UINT32_MAX);
    assert_int_equal(got(f, PM_EVENT_gst_request), 1);
    assert_int_equal(got(f, PM_EVENT_gst_tag), 4);
    /* the store is issued once, on GPUs that replay accesses, too */
    f = begin(older_gpu(PM_GLOBAL_REPLAYS));
    strided(f, 512, 0);
    check_passes(f, 16, UINT32_MAX, 4);
    assert_int_equal(got(f, PM_EVENT_inst_issued), 3);
}

/* ---- private and constant memory; GPUs that do not exist ----- */

UNIT_TEST(private_and_constant)
{
    strided(f, 16, 0);
    once(f, PM_SPACE_PRIVATE, PM_ACCESS_LOAD, 8, UINT32_MAX);
    assert_int_equal(got(f, PM_EVENT_local_load), 1);
    assert_int_equal(got(f, PM_EVENT_global_wavefront), 2);
    once(f, PM_SPACE_PRIVATE, PM_ACCESS_STORE, 4, 0);
    assert_int_equal(got(f, PM_EVENT_local_store), 1);
    assert_int_equal(once(f, PM_SPACE_CONSTANT, PM_ACCESS_LOAD, 4, UINT32_MAX), 1);
    strided(f, 512, 4);
    assert_int_equal(once(f, PM_SPACE_CONSTANT, PM_ACCESS_LOAD, 4, 0xFF), 8);
    assert_int_equal(got(f, PM_EVENT_constant_pass), 8);
    /* A constant operand is read by the instruction that uses it. */
    f->operand = true;
    strided(f, 512, 0);
    assert_int_equal(once(f, PM_SPACE_CONSTANT, PM_ACCESS_LOAD, 4, UINT32_MAX), 1);
    assert_int_equal(got(f, PM_EVENT_constant_pass), 0);
    queue_of(f, 0);
}

TEST(impossible_gpus)
{
    pm_gpu gpu = sector_gpu();
    gpu.warp_width = 65;
    assert_null(pm_unit_create(&gpu, 0, told()));
    gpu = sector_gpu();
    gpu.l1_sector = 48;
    assert_null(pm_unit_create(&gpu, 0, told()));
    gpu = sector_gpu();
    gpu.l2_line = 512; /* 16 sectors */
    assert_null(pm_unit_create(&gpu, 0, told()));
    gpu = sector_gpu();
    gpu.shared_banks = 24;
    assert_null(pm_unit_create(&gpu, 0, told()));
}
