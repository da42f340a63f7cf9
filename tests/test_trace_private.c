/* Work-items' own memory, counted by hand, for an H200: arrays whose indices data chooses, which no
 * register can hold. The words of work-items side by side lie side by side, so that what a warp has
 * at one index is a line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

enum { ITEMS = 256, GROUP = 64, WARPS = ITEMS / WARP };

/* Of L2: each sector that is written goes to the other partition half of the time. */
#define WRITTEN(sectors) ((sectors) * (1 + 0.5))

/* One element is written and another read, which nobody wrote; b is 0. */
#define ONE_EACH                                                                                   \
    KERNEL("int own[64];\n"                                                                        \
           "own[a[i] & 63] = i;\n"                                                                 \
           "out[i] = own[a[i] + b[i] + 32 & 63];\n")

static int lane_of(size_t i)
{
    return (int)(i % WARP);
}

static int setup(void **state)
{
    return trace_setup_for(state, "h200", NULL);
}

/* All work-items of a warp at one index: 4 sectors of a line. */
TEST(one_index)
{
    COUNT(*state, ITEMS, GROUP, ONE_EACH);
    EXPECT(*state, "one index", {"local_store", WARPS}, {"local_store_tag", WARPS},
           {"local_store_sector", WARPS * 4}, {"local_load", WARPS}, {"local_load_miss", WARPS * 4},
           {"l2_write_sector", WRITTEN(WARPS * (4 + 4))});
}

/* Each work-item at an index of its own: as many lines, a sector of each. */
TEST(as_many_indices_as_work_items)
{
    COUNT(*state, ITEMS, GROUP, ONE_EACH, .a = lane_of);
    EXPECT(*state, "32 indices", {"local_store", WARPS}, {"local_store_tag", WARPS * 32},
           {"local_store_sector", WARPS * 32}, {"local_load", WARPS},
           {"local_load_miss", WARPS * 32}, {"l2_write_sector", WRITTEN(WARPS * (4 + 32))});
}

/* Pairs of work-items at 16 indices: a line for each, and a sector of it. */
static int pair_of(size_t i)
{
    return (int)(i % WARP / 2);
}

TEST(half_as_many_indices)
{
    COUNT(*state, ITEMS, GROUP, ONE_EACH, .a = pair_of);
    EXPECT(*state, "16 indices", {"local_store_tag", WARPS * 16},
           {"local_store_sector", WARPS * 16}, {"local_load_miss", WARPS * 16},
           {"l2_write_sector", WRITTEN(WARPS * (4 + 16))});
}

/* What a work-item has written is in L1. */
TEST(what_was_written_is_there)
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

/* 8 bytes a work-item are two words, a line each. */
TEST(wide_elements_are_two_lines)
{
    COUNT(*state, ITEMS, GROUP,
          KERNEL("long own[64];\n"
                 "own[a[i] & 63] = i;\n"
                 "out[i] = (int)(own[a[i] + b[i] + 32 & 63] >> 7) + (int)own[b[i] & 63];\n"));
    EXPECT(*state, "longs", {"local_store", WARPS}, {"local_store_tag", WARPS * 2},
           {"local_store_sector", WARPS * 2 * 4});
}

TEST_MAIN(setup, trace_teardown)
