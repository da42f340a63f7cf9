/* How often warps wait for loads (load_wait, load_wait_miss, shared_wait), counted by hand, for an
 * H100.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

#define UNROLLED "_Pragma(\"unroll\") "
#define FOUR "__global const int4 *four = (__global const int4 *)a;\n"

/* Neither load needs the other: a warp starts both and waits once, and both miss. */
TEST(loads_side_by_side)
{
    COUNT(*state, 256, 64, KERNEL("out[i] = a[i] + b[i];\n"));
    EXPECT(*state, "side by side", {"gld_request", 8 * 2}, {"load_wait", 8}, {"load_wait_miss", 8});
}

/* Short sides of branches run under predicates. */
TEST(loads_of_sides)
{
    COUNT(*state, 256, 64,
          KERNEL("int x = 0, y = 0;\n"
                 "if (lid & 1) x = a[i];\n"
                 "if (lid & 2) y = b[i];\n"
                 "out[i] = x + y;\n"));
    EXPECT(*state, "sides", {"gld_request", 8 * 2}, {"load_wait", 8});
}

/* The second load's address is what the first one loads. */
TEST(loads_one_after_the_other)
{
    COUNT(*state, 256, 64, KERNEL("out[i] = b[i + a[i]];\n"));
    EXPECT(*state, "one after the other", {"gld_request", 8 * 2}, {"load_wait", 8 * 2},
           {"load_wait_miss", 8 * 2});
}

/* The store must not be overtaken, as out may be b; its value waits for a. */
TEST(a_load_behind_a_store)
{
    COUNT(*state, 256, 64,
          KERNEL("out[i] = a[i];\n"
                 "out[i + 65536] = b[i];\n"));
    EXPECT(*state, "behind a store", {"gld_request", 8 * 2}, {"load_wait", 8 * 2},
           {"load_wait_miss", 8 * 2});
}

/* A line of 32 ints is 4 sectors of 8: the loop's load misses in every eighth round. Both warps of
 * a group find the sector at the same time, and both wait for it; only one misses. */
TEST(warps_wait_for_the_same_sector)
{
    COUNT(*state, 64, 64,
          KERNEL("int sum = 0;\n" LOOP "for (int j = 0; j < 64; j++)\n"
                 "    sum += a[j];\n"
                 "out[i] = sum;\n"));
    EXPECT(*state, "same sector", {"gld_request", 2 * 64}, {"load_wait", 2 * 64},
           {"l1_global_load_miss", 8}, {"load_wait_miss", 2 * 8});
}

/* The same again: all of it is in L1. */
TEST(a_second_time_nobody_waits_long)
{
    COUNT(*state, 64, 64,
          KERNEL("int sum = 0;\n" LOOP "for (int j = 0; j < 128; j++)\n"
                 "    sum += a[j & 63];\n"
                 "out[i] = sum;\n"));
    EXPECT(*state, "second time", {"load_wait", 2 * 128}, {"load_wait_miss", 2 * 8});
}

/* Twenty registers are more than loads under way are given: sixteen, then four. */
TEST(many_loads_are_under_way_in_turns)
{
    COUNT(*state, 256, 64,
          KERNEL("int sum = 0;\n" UNROLLED "for (int j = 0; j < 20; j++)\n"
                 "    sum += a[i + 1024 * j];\n"
                 "out[i] = sum;\n"));
    EXPECT(*state, "20 of 4 bytes", {"gld_request", 8 * 20}, {"load_wait", 8 * 2},
           {"load_wait_miss", 8 * 2});
}

/* Four of 16 bytes are all that is under way; the fifth waits anew. */
TEST(wide_loads_take_more_registers)
{
    for (unsigned loads = 4; loads <= 5; loads++) {
        char options[32];

        snprintf(options, sizeof options, "-DLOADS=%u", loads);
        COUNT(*state, 256, 64,
              KERNEL(FOUR "int4 sum = 0;\n" UNROLLED "for (int j = 0; j < LOADS; j++)\n"
                          "    sum += four[i + 256 * j];\n"
                          "vstore4(sum, i, out);\n"),
              .options = options);
        EXPECT(*state, "16 bytes", {"gld_request", 8 * loads}, {"load_wait", 8 * (loads - 3)});
    }
}

/* A line is four sectors of two int4: of a uniform load of eight, each turn of four misses two. */
TEST(a_turn_misses_what_it_loads)
{
    COUNT(*state, 64, 64,
          KERNEL(FOUR "int4 sum = 0;\n" LOOP "for (int j = 0; j < 64; j += 8)\n"
                      "    for (int k = 0; k < 8; k++)\n"
                      "        sum += four[j + k] * (k + 1);\n"
                      "out[i] = sum.x + sum.y * sum.z + sum.w;\n"));
    EXPECT(*state, "in turns", {"gld_request", 2 * 64}, {"load_wait", 2 * 16},
           {"load_wait_miss", 2 * 16}, {"l1_global_load_miss", 32});
}

/* Side by side, one after the other. */
TEST(loads_from_shared_memory_wait_likewise)
{
    COUNT(*state, 256, 64,
          KERNEL("__local int tile[64];\n"
                 "tile[lid] = a[i] & 63;\n"
                 "barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "out[i] = tile[lid ^ 1] + tile[lid ^ 2];\n"));
    EXPECT(*state, "shared, side by side", {"shared_load", 8 * 2}, {"shared_wait", 8},
           {"load_wait", 8});
    COUNT(*state, 256, 64,
          KERNEL("__local int tile[64];\n"
                 "tile[lid] = a[i] & 63;\n"
                 "barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "out[i] = tile[tile[lid ^ 1]];\n"));
    EXPECT(*state, "shared, one after the other", {"shared_load", 8 * 2}, {"shared_wait", 8 * 2});
}

/* What an atomic gives is waited for where something needs it. */
TEST(an_atomic_whose_result_is_used)
{
    COUNT(*state, 256, 64, KERNEL("atomic_add(&out[i], 1);\n"));
    EXPECT(*state, "no result", {"atomic", 8}, {"load_wait", 0});
    COUNT(*state, 256, 64, KERNEL("out[i] = b[atomic_add(&out[i + 1024], 1)];\n"));
    EXPECT(*state, "a result", {"atomic", 8}, {"load_wait", 8 * 2}, {"load_wait_miss", 8 * 2});
}

/* Work-items' own memory is waited for as L1 is. */
TEST(private_memory_waits_likewise)
{
    COUNT(*state, 64, 64,
          KERNEL("int own[100];\n" LOOP "for (int j = 0; j < 100; j++)\n"
                 "    own[j] = i + j;\n"
                 "out[i] = own[(i * 7) % 100] + own[(i * 3) % 100];\n"));
    EXPECT(*state, "own", {"local_load", 2 * 2}, {"load_wait", 2}, {"load_wait_miss", 0});
}

/* One warp of eight has ten times as many rounds: its group takes as long as it, and is the
 * longest.
 */
TEST(the_slowest_warp_keeps_its_group)
{
    double even[3], uneven[3];
    static const char *const spans[] = {"warp_span", "group_span", "longest_span"};

    for (int k = 0; k < 2; k++) {
        COUNT(*state, 256, 64,
              KERNEL("int sum = i;\n" LOOP
                     "for (int j = 0; j < (a[0] == 0 && i >= 224 ? LONG : 100); j++)\n"
                     "    sum = sum * sum + j;\n"
                     "out[i] = sum;\n"),
              .options = k ? "-DLONG=1000" : "-DLONG=100");
        for (int s = 0; s < 3; s++)
            (k ? uneven : even)[s] = counted(*state, spans[s]);
    }
    assert_true(fabs(even[1] / even[0] * 2 - 1) < 0.02); /* two warps a group */
    assert_true(fabs(even[2] / even[1] * 4 - 1) < 0.02);
    assert_true(fabs(uneven[0] / even[0] - 17.0 / 8) < 0.2);
    assert_true(fabs(uneven[1] / even[1] - 13.0 / 4) < 0.4);
    assert_true(fabs(uneven[2] / even[2] - 10) < 1.5);
}

TEST_MAIN(trace_setup, trace_teardown)
