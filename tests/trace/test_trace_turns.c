/* Wavefronts of atomics in shared memory, counted by hand, for an H100.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

/* Nothing else of the kernel is in shared memory but the store of zeros, of one wavefront. */
#define ATOMIC(statement)                                                                          \
    KERNEL("__local int bins[32];\n"                                                               \
           "bins[lid] = 0;\n"                                                                      \
           "barrier(CLK_LOCAL_MEM_FENCE);\n" statement ";\n"                                       \
           "barrier(CLK_LOCAL_MEM_FENCE);\n"                                                       \
           "out[i] = bins[0];\n")
enum { OTHERS = 2 }; /* the store, and the load at the end */

static int quarters(size_t i)
{
    return (int)(i % 4);
}

static int one(size_t i)
{
    (void)i;
    return 5;
}

static int all(size_t i)
{
    return (int)(i % WARP);
}

/* Eight work-items a place. */
TEST(work_items_of_a_place_take_turns)
{
    COUNT(*state, 32, 32, ATOMIC("atomic_add(&bins[a[i]], i)"), .a = all);
    EXPECT(*state, "places of their own", {"atomic", 1}, {"shared_wavefront", OTHERS + 1},
           {"shared_bank_conflict", 0});
    COUNT(*state, 32, 32, ATOMIC("atomic_add(&bins[a[i]], i)"), .a = quarters);
    EXPECT(*state, "four places", {"shared_wavefront", OTHERS + 8}, {"shared_bank_conflict", 7});
    COUNT(*state, 32, 32, ATOMIC("atomic_max(&bins[a[i]], i)"), .a = one);
    EXPECT(*state, "one place", {"shared_wavefront", OTHERS + 32}, {"shared_bank_conflict", 31});
    COUNT(*state, 32, 32, ATOMIC("out[i + 64] = atomic_cmpxchg(&bins[a[i]], 0, i)"), .a = one);
    EXPECT(*state, "compare and swap", {"shared_wavefront", OTHERS + 2 * 32},
           {"shared_bank_conflict", 31});
}

/* Steps by one give each work-item another result: those of a place take turns where something uses
 * it (tests/bench/terms/local_atomics_returned). */
TEST(results_are_given_one_by_one)
{
    COUNT(*state, 32, 32, ATOMIC("out[i + 64] = atomic_inc(&bins[a[i]])"), .a = quarters);
    EXPECT(*state, "four places", {"atomic", 1}, {"shared_wavefront", OTHERS + 8},
           {"shared_bank_conflict", 7});
    COUNT(*state, 32, 32, ATOMIC("out[i + 64] = atomic_inc(&bins[a[i]])"), .a = all);
    EXPECT(*state, "places of their own", {"shared_wavefront", OTHERS + 1});
}

/* Steps by one, and a place that all share by the code. */
TEST(what_is_done_for_all_at_once)
{
    COUNT(*state, 32, 32, ATOMIC("atomic_inc(&bins[a[i]])"), .a = quarters);
    EXPECT(*state, "steps", {"shared_wavefront", OTHERS + 1}, {"shared_bank_conflict", 0});
    COUNT(*state, 32, 32, ATOMIC("atomic_add(&bins[3], i)"));
    EXPECT(*state, "a place of all", {"shared_wavefront", OTHERS + 1}, {"shared_bank_conflict", 0});
    COUNT(*state, 32, 32, ATOMIC("out[i + 64] = atomic_xchg(&bins[3], i)"));
    EXPECT(*state, "an exchange", {"shared_wavefront", OTHERS + 32}, {"shared_bank_conflict", 31});
}

/* An exchange or compare-and-swap cannot be made one for a warp, in global memory either. */
TEST(what_cannot_be_one_atomic)
{
    COUNT(*state, 32, 32, KERNEL("atomic_add(&out[1], i);\n"));
    EXPECT(*state, "a sum", {"atomic_pass", 1});
    COUNT(*state, 32, 32, KERNEL("out[i + 64] = atomic_cmpxchg(&out[1], 0, i);\n"));
    EXPECT(*state, "compare and swap", {"atomic_pass", 32});
}

TEST_MAIN(trace_setup, trace_teardown)
