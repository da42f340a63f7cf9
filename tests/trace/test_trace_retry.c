/* Compare-and-swap retry loops under contention on an H100: their counters follow formulas and
 * relations between launches. Loops with constant counters are in
 * tests/trace/kernels/compare_and_swap.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

/* A sum by a compare-and-swap loop. The loop loads the compared value. */
#define COMPARE_AND_SWAP                                                                           \
    KERNEL("volatile __global int *sum = out + a[i];\n"                                            \
           "int old;\n"                                                                            \
           "do\n"                                                                                  \
           "    old = *sum;\n"                                                                     \
           "while (atomic_cmpxchg(sum, old, old + 1) != old);\n")

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

/* Number of competitors that one of n work-items sees at one address, if they are in `warps`
 * warps. */
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

/* For each change of its address by another warp of its work-group, a warp needs 2.2 more attempts.
 * Other work-groups and warps with other addresses do not matter. */
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

/* In global memory, all warps of a launch compete, whatever their work-groups. */
TEST(warps_of_a_launch_disturb_each_other)
{
    COUNT(*state, 64, 32, COMPARE_AND_SWAP, .a = own);
    expect_atomics(*state, 1, 2);
    COUNT(*state, 64, 32, COMPARE_AND_SWAP, .a = one);
    expect_atomics(*state, 32 + 1.3 * others(64, 2), 2);
    COUNT(*state, 64, 64, COMPARE_AND_SWAP, .a = one);
    expect_atomics(*state, 32 + 1.3 * others(64, 2), 2);
}

/* The other work of an attempt grows with the number of attempts. The work at the address grows
 * less, because some work-items have left the loop. */
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

/* All attempts cost the same, and an address without competitors needs one attempt. */
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
