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
 * sector of 8 places, which L2 changes in one pass for each that want the same, and which is loaded
 * in one. */
TEST(one_of_a_place_succeeds_in_each_round)
{
    COUNT(*state, 32, 32, COMPARE_AND_SWAP, .a = all);
    EXPECT(*state, "places of their own", {"atomic", 1}, {"atomic_pass", 4 + 4},
           {"gld_request", 1 + 1});
    COUNT(*state, 32, 32, COMPARE_AND_SWAP, .a = pairs);
    EXPECT(*state, "pairs", {"atomic", 2}, {"atomic_pass", 4 + 2 + 4}, {"gld_request", 1 + 2});
    COUNT(*state, 32, 32, COMPARE_AND_SWAP, .a = one);
    EXPECT(*state, "one place", {"atomic", 32}, {"atomic_pass", 33 * 16 + 32},
           {"gld_request", 1 + 32}, {"divergent_branch", 31}, {"load_wait", 1 + 2 * 32});
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

/* A sum by compare-and-swap in shared memory. */
#define IN_SHARED                                                                                  \
    KERNEL("__local volatile int bins[64];\n"                                                      \
           "volatile __local int *sum = bins + a[i];\n"                                            \
           "int old;\n"                                                                            \
           "bins[lane] = bins[lane + 32] = 0;\n"                                                   \
           "barrier(CLK_LOCAL_MEM_FENCE);\n"                                                       \
           "do\n"                                                                                  \
           "    old = *sum;\n"                                                                     \
           "while (atomic_cmpxchg(sum, old, old + 1) != old);\n")

static int own(size_t i)
{
    return (int)(i % 64);
}

/* What one of n work-items with one place sees of others, in so many warps. */
static double others(double n, double warps)
{
    const double mean = (n - 1) * (1 - 1 / warps);

    return mean + 3 * sqrt(mean);
}

static void expect_atomics(const trace_fixture *f, double each, double warps)
{
    const double is = counted(f, "atomic") / warps;

    if (fabs(is - each) > 1e-6 * each)
        fail_msg("%g attempts of a warp, expected %g", is, each);
}

/* A warp of a work-group makes 2.2 attempts more for each change of its place by others; the
 * work-groups do not disturb each other, nor do warps with other places. */
TEST(warps_of_a_group_disturb_each_other)
{
    COUNT(*state, 64, 32, IN_SHARED, .a = one);
    expect_atomics(*state, 32, 2);
    COUNT(*state, 128, 64, IN_SHARED, .a = own);
    expect_atomics(*state, 1, 4);
    COUNT(*state, 128, 64, IN_SHARED, .a = one);
    expect_atomics(*state, 32 + 2.2 * others(64, 2), 4);
    COUNT(*state, 512, 256, IN_SHARED, .a = one);
    expect_atomics(*state, 32 + 2.2 * others(256, 8), 16);
}

/* All warps of a launch disturb each other in global memory, whatever their work-groups. */
TEST(warps_of_a_launch_disturb_each_other)
{
    COUNT(*state, 64, 32, COMPARE_AND_SWAP, .a = own);
    expect_atomics(*state, 1, 2);
    COUNT(*state, 64, 32, COMPARE_AND_SWAP, .a = one);
    expect_atomics(*state, 32 + 1.3 * others(64, 2), 2);
    COUNT(*state, 64, 64, COMPARE_AND_SWAP, .a = one);
    expect_atomics(*state, 32 + 1.3 * others(64, 2), 2);
}

/* What else a round does grows with the attempts; what each work-item adds to grows less, as some
 * have left. */
TEST(attempts_take_all_that_a_round_does)
{
    double alone, more;

    COUNT(*state, 32, 32, COMPARE_AND_SWAP, .a = one);
    alone = counted(*state, "atomic_pass");
    COUNT(*state, 1024, 32, COMPARE_AND_SWAP, .a = one);
    more = counted(*state, "atomic") / 32 / 32;
    assert_true(more > 20);
    assert_true(fabs((counted(*state, "gld_request") - 32) / 1024 / more - 1) < 1e-6);
    assert_true(counted(*state, "atomic_pass") > 32 * alone * (1 + 0.3 * (more - 1)));
    assert_true(counted(*state, "atomic_pass") < 32 * alone * (1 + 0.5 * (more - 1)));
    assert_true(counted(*state, "l2_read_sector") > 0.3 * counted(*state, "gld_request"));
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
