/* Work-items' own memory, counted by hand: arrays whose indices data chooses, which no register can
 * hold. The words of work-items side by side lie side by side, so that what a warp has at one index
 * is a line. By the rules of an H200, whose L2 has two partitions, of a C2050, whose L2 is small,
 * and of a GTX 1070, whose L1 has no part in it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

enum { ITEMS = 256, GROUP = 64, WARPS = ITEMS / WARP };

/* Half of what the H200's L2 is given goes to its other partition too. */
#define WRITTEN(sectors) (1.5 * (sectors))

/* One element is written and another read, which nobody wrote; b is 0. */
#define ONE_EACH                                                                                   \
    KERNEL("int own[64];\n"                                                                        \
           "own[a[i] & 63] = i;\n"                                                                 \
           "out[i] = own[a[i] + b[i] + 32 & 63];\n")

static int zero(size_t i)
{
    (void)i;
    return 0;
}

static int pair_of(size_t i)
{
    return (int)(i % WARP / 2);
}

static int lane_of(size_t i)
{
    return (int)(i % WARP);
}

/* One index for a warp: the 4 sectors of a line. Else a line for each index, and the sectors that
 * its work-items are in: one. a and b are 4 sectors a warp, and so is out. */
static void indices_of_a_warp(void **state)
{
    static const struct {
        const char *what;
        int (*index)(size_t i);
        double lines, sectors;
    } cases[] = {{"one index", zero, 1, 4}, {"16", pair_of, 16, 16}, {"32", lane_of, 32, 32}};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const double sectors = WARPS * cases[c].sectors;

        COUNT(*state, ITEMS, GROUP, ONE_EACH, .a = cases[c].index);
        EXPECT(*state, cases[c].what, {"local_store", WARPS},
               {"local_store_tag", WARPS * cases[c].lines}, {"local_store_sector", sectors},
               {"local_load", WARPS}, {"local_load_miss", sectors}, {"gst_sector", WARPS * 4},
               {"l2_write_sector", WRITTEN(WARPS * 4 + sectors)},
               {"l2_read_sector", WARPS * 8 + sectors}, {"dram_write_bytes", 0});
    }
}

/* In L1, so that no load of it misses. */
static void what_was_written_is_there(void **state)
{
    COUNT(*state, ITEMS, GROUP,
          KERNEL("int own[64];\n" LOOP "for (int j = 0; j < 64; j++)\n"
                 "    own[j] = i + j;\n"
                 "out[i] = own[a[i] & 63];\n"),
          .a = lane_of);
    EXPECT(*state, "64 stores", {"local_store", WARPS * 64}, {"local_store_tag", WARPS * 64},
           {"local_store_sector", WARPS * 64 * 4}, {"local_load", WARPS}, {"local_load_miss", 0},
           {"load_wait", WARPS * 2}, {"load_wait_miss", WARPS},
           {"l2_write_sector", WRITTEN(WARPS * (4 + 64 * 4))});
}

/* 8 bytes are two words, each with a line of its own. */
static void wide_elements_are_two_lines(void **state)
{
    COUNT(*state, ITEMS, GROUP,
          KERNEL("long own[64];\n"
                 "own[a[i] & 63] = i;\n"
                 "out[i] = (int)(own[a[i] + b[i] + 32 & 63] >> 7);\n"));
    EXPECT(*state, "longs", {"local_store", WARPS}, {"local_store_tag", WARPS * 2},
           {"local_store_sector", WARPS * 2 * 4}, {"local_load", WARPS},
           {"local_load_miss", WARPS * 2 * 4});
}

/* 64 groups of 256 work-items are on the GPU at once and have 4 MiB, of which L2 holds 768 KiB: 3
 * of 16 parts. a, b and out stay in L2. */
static void more_than_l2_holds(void **state)
{
    const double sectors = 512 * 4, lost = sectors * 13 / 16;

    COUNT(*state, 16384, 256, ONE_EACH);
    EXPECT(*state, "4 MiB", {"launched_warps", 512}, {"local_store_sector", sectors},
           {"local_load_miss", sectors}, {"l2_write_sector", 2 * sectors}, {"l2_read_miss", lost},
           {"l2_read_hit", 3 * sectors - lost}, {"dram_read_bytes", lost * 32},
           {"dram_write_bytes", lost * 32});
}

/* A GTX 1070 has no L1 for it: each load goes to L2, what was written there or not. */
static void without_l1_all_is_in_l2(void **state)
{
    COUNT(*state, ITEMS, GROUP,
          KERNEL("int own[64];\n" LOOP "for (int j = 0; j < 64; j++)\n"
                 "    own[j] = i + j;\n"
                 "out[i] = own[a[i] & 63];\n"),
          .a = lane_of);
    EXPECT(*state, "64 stores", {"local_store", WARPS * 64}, {"local_store_tag", WARPS * 64},
           {"local_store_sector", WARPS * 64 * 4}, {"local_load", WARPS},
           {"local_load_miss", WARPS * 32}, {"load_wait", WARPS * 2}, {"load_wait_miss", WARPS * 2},
           {"l2_read_sector", WARPS * (4 + 32)}, {"l2_write_sector", WARPS * (4 + 64 * 4)});
}

int main(void)
{
    static const gpu_tests groups[] = {
        {"h200",
         {cmocka_unit_test(indices_of_a_warp), cmocka_unit_test(what_was_written_is_there),
          cmocka_unit_test(wide_elements_are_two_lines)}},
        {"c2050", {cmocka_unit_test(more_than_l2_holds)}},
        {"gtx1070", {cmocka_unit_test(without_l1_all_is_in_l2)}}};

    return run_by_gpu(groups, sizeof groups / sizeof *groups, setup_tested_gpu);
}
