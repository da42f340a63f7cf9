/* Loops that try again where work-items of a warp want one place, counted by hand, for an H100.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

/* A sum by compare-and-swap; the loop loads what it compares with. */
#define COMPARE_AND_SWAP                                                                           \
    KERNEL("volatile __global int *sum = out + a[i];\n"                                            \
           "int old;\n"                                                                            \
           "do\n"                                                                                  \
           "    old = *sum;\n"                                                                     \
           "while (atomic_cmpxchg(sum, old, old + 1) != old);\n")

/* The histogram of CUDA's early samples, for GPUs without atomics in shared memory. */
#define TAGGED                                                                                     \
    KERNEL("__local volatile uint bins[64];\n"                                                     \
           "const uint tag = (uint)lid << 27, at = a[i];\n"                                        \
           "uint count;\n"                                                                         \
           "bins[lid] = bins[lid + 32] = 0;\n"                                                     \
           "barrier(CLK_LOCAL_MEM_FENCE);\n"                                                       \
           "do {\n"                                                                                \
           "    count = tag | ((bins[at] & 0x07ffffff) + 1);\n"                                    \
           "    bins[at] = count;\n"                                                               \
           "} while (bins[at] != count);\n")

/* A sum by two exchanges: one takes what is there, one leaves the sum, and what it finds is to be
 * added yet. */
#define TWO_EXCHANGES                                                                              \
    KERNEL("volatile __global int *sum = out + a[i];\n"                                            \
           "int left = b[i] + 1;\n"                                                                \
           "do\n"                                                                                  \
           "    left = atomic_xchg(sum, atomic_xchg(sum, 0) + left);\n"                            \
           "while (left != 0);\n")

static int one(size_t i)
{
    (void)i;
    return 7;
}

static int pairs(size_t i)
{
    return (int)(i % WARP / 2);
}

static int all(size_t i)
{
    return (int)(i % WARP);
}

/* Of those that want one place in a round, one is done with it. Work-items side by side have a
 * sector of 8 places, which L2 changes in one pass for each that want the same. */
TEST(one_of_a_place_succeeds_in_each_round)
{
    COUNT(*state, 32, 32, COMPARE_AND_SWAP, .a = all);
    EXPECT(*state, "places of their own", {"atomic", 1}, {"atomic_pass", 4},
           {"gld_request", 1 + 1});
    COUNT(*state, 32, 32, COMPARE_AND_SWAP, .a = pairs);
    EXPECT(*state, "pairs", {"atomic", 2}, {"atomic_pass", 4 + 2}, {"gld_request", 1 + 2});
    COUNT(*state, 32, 32, COMPARE_AND_SWAP, .a = one);
    EXPECT(*state, "one place", {"atomic", 32}, {"atomic_pass", 33 * 16}, {"gld_request", 1 + 32},
           {"divergent_branch", 31}, {"load_wait", 1 + 2 * 32});
}

/* A round is a load, a store and the load that looks who was the last. */
TEST(what_is_read_back_decides)
{
    COUNT(*state, 32, 32, TAGGED, .a = all);
    EXPECT(*state, "places of their own", {"shared_load", 2}, {"shared_store", 2 + 1});
    COUNT(*state, 32, 32, TAGGED, .a = pairs);
    EXPECT(*state, "pairs", {"shared_load", 2 * 2}, {"shared_store", 2 + 2},
           {"divergent_branch", 1});
    COUNT(*state, 32, 32, TAGGED, .a = one);
    EXPECT(*state, "one place", {"shared_load", 2 * 32}, {"shared_store", 2 + 32},
           {"divergent_branch", 31});
}

/* All take, then all leave: of a place's work-items one finds 0 in each round, but the first. */
TEST(two_exchanges_meet_too)
{
    COUNT(*state, 32, 32, TWO_EXCHANGES, .a = all);
    EXPECT(*state, "places of their own", {"atomic", 2});
    COUNT(*state, 32, 32, TWO_EXCHANGES, .a = pairs);
    EXPECT(*state, "pairs", {"atomic", 2 * 2});
}

/* What a round costs is the same in the first one and in those that come again, and a place that
 * nobody else wants takes one. */
TEST(rounds_cost_the_same)
{
    static const char *const costs[] = {"inst_executed", "inst_depth", "load_wait", "branch"};
    double of[3][4];

    for (int k = 0; k < 3; k++) {
        COUNT(*state, 32, 32, COMPARE_AND_SWAP, .a = k == 0 ? all : k == 1 ? pairs : one);
        for (int c = 0; c < 4; c++)
            of[k][c] = counted(*state, costs[c]);
    }
    for (int c = 0; c < 4; c++)
        assert_true(of[2][c] - of[0][c] == 31 * (of[1][c] - of[0][c]));
}

TEST_MAIN(trace_setup, trace_teardown)
