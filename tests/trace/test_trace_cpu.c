/* Tests the counts for a CPU, by numbers that were computed by hand: the loops over work-items
 * between barriers run in vectors of eight where possible, otherwise one work-item after the other.
 * See docs/trace.md.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

enum { ITEMS = 256, GROUP = 64, LANES = 8, VECTORS = ITEMS / LANES, GROUPS = ITEMS / GROUP };
/* L1 passes for one work-item of a gathered vector, and for the end of a loop over work-items. */
enum { LANE = 4, LOOP_END = 10 };

/* Checks the number of work-items per instruction. */
static void expect_lanes(const trace_fixture *f, double lanes)
{
    const double executed = counted(f, "inst_executed"), all = counted(f, "thread_inst_executed");

    if (!(executed > 0) || fabs(lanes * executed / all - 1) > 1e-6)
        fail_msg("%g instructions of %g of work-items, by hand of %g each", executed, all, lanes);
}

/* Checks the floating-point operations that must execute one after the other, without those before
 * and after the loop. */
static void expect_depth(const trace_fixture *f, double depth)
{
    const double found = counted(f, "inst_depth");

    if (!(found > 0.99 * depth && found < 1.02 * depth))
        fail_msg("%g operations one after the other, by hand %g", found, depth);
}

/* A size_t cannot wrap around here. LLVM therefore knows the neighbours, and a vector of eight ints
 * is one access. */
TEST(neighbours_are_one_access)
{
    COUNT(*state, ITEMS, GROUP, KERNEL("const size_t at = get_global_id(0);\nout[at] = a[at];\n"));
    EXPECT(*state, "neighbours", {"gld_request", VECTORS}, {"gst_request", VECTORS},
           {"global_wavefront", 2 * VECTORS}, {"launched_warps", GROUPS});
}

/* An int may wrap around, so each lane is a separate access. */
TEST(ints_are_gathered)
{
    COUNT(*state, ITEMS, GROUP, KERNEL("out[2 * i] = a[3 * i];\n"));
    EXPECT(*state, "gathered", {"gld_request", VECTORS}, {"global_wavefront", 2 * LANE * ITEMS});
}

/* The source's loop is the innermost one, so work-items execute one after the other. */
TEST(a_loop_is_run_for_one_work_item)
{
    enum { ROUNDS = 16 };
    trace_fixture *f = *state;

    COUNT(f, ITEMS, GROUP,
          KERNEL("int sum = 0;\n" LOOP "for (int j = 0; j < 16; j++)\n"
                 "    sum += a[j * 1024 + i];\n"
                 "out[i] = sum;\n"));
    EXPECT(f, "loop", {"global_wavefront", (ROUNDS + 1) * ITEMS});
    expect_lanes(f, 1);
}

/* Without a loop, a vector of work-items takes as many instructions as one work-item. */
TEST(straight_code_is_vectorised)
{
    trace_fixture *f = *state;

    COUNT(f, ITEMS, GROUP, KERNEL("out[i] = a[i] * a[i] + b[i];\n"));
    expect_lanes(f, LANES);
}

/* A loop with a barrier becomes the outer loop: the code between barriers is vectorised. */
TEST(a_loop_with_a_barrier_is_around_work_items)
{
    enum { ROUNDS = 4 };
    trace_fixture *f = *state;

    COUNT(f, ITEMS, GROUP,
          KERNEL("__local int tile[64];\nint sum = 0;\n" LOOP "for (int j = 0; j < 4; j++) {\n"
                 "    tile[lid] = a[j * 256 + i];\n    barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "    sum += tile[63 - lid];\n    barrier(CLK_LOCAL_MEM_FENCE);\n}\n"
                 "out[i] = sum;\n"));
    EXPECT(f, "barrier", {"barrier", 2 * ROUNDS * VECTORS},
           {"shared_wavefront", 2 * ROUNDS * LANE * ITEMS},
           {"global_wavefront", ((ROUNDS + 1) * LANE + 2 * ROUNDS * LOOP_END) * ITEMS},
           {"shared_bank_conflict", 0});
    expect_lanes(f, LANES);
}

/* Work-items execute atomics one after the other. */
TEST(atomics_are_not_vectorised)
{
    trace_fixture *f = *state;

    COUNT(f, ITEMS, GROUP, KERNEL("atomic_add(out + i, a[i]);\n"));
    EXPECT(f, "atomics", {"global_wavefront", 2 * ITEMS}, {"atomic", VECTORS});
    expect_lanes(f, 1);
}

/* Checks a counter's value per round, for a loop of 8 rounds and for one that exceeds a core's
 * window of instructions. */
static void count_rounds(trace_fixture *f, const char *source, const char *counter, double each[2])
{
    for (int k = 0; k < 2; k++) {
        COUNT(f, ITEMS, GROUP, source, .options = k ? "-DROUNDS=4096" : "-DROUNDS=8");
        each[k] = counted(f, counter) / (k ? 4096 : 8);
    }
}

/* A core waits for a long chain of products. A short chain overlaps with the next work-items. */
TEST(only_long_chains_are_waited_for)
{
    static const char source[] = KERNEL("int x = a[i];\n" LOOP "for (int j = 0; j < ROUNDS; j++)\n"
                                        "    x = x * x + j;\nout[i] = x;\n");
    double depth[2];

    count_rounds(*state, source, "inst_depth", depth);
    assert_true(depth[0] > 0 && depth[0] < depth[1] / 2);
}

/* A core does not wait for dependent loads either while other work-items have loads. */
TEST(only_long_stretches_wait_for_loads)
{
    static const char source[] = KERNEL("int x = b[i];\n" LOOP "for (int j = 0; j < ROUNDS; j++)\n"
                                        "    x += a[b[(x + j) & 255] & 255];\nout[i] = x;\n");
    double waits[2];

    count_rounds(*state, source, "load_wait", waits);
    if (!(waits[1] > 0.9 * VECTORS && waits[0] < 0.8 * waits[1]))
        fail_msg("%g waits a round of a short loop, %g of a long one", waits[0], waits[1]);
}

/* Rounds of a loop overlap except for values that one round needs from the round before. A sum of
 * floats waits for an addition per round. Independent products only wait for the loop counter, an
 * integer. */
TEST(rounds_that_need_no_other_overlap)
{
    enum { ROUNDS = 4096 };
    static const char source[] =
        KERNEL("float x = 0;\n" LOOP "for (int j = 0; j < 4096; j++) BODY\n"
               "out[i] = (int)x;\n");
    trace_fixture *f = *state;

    COUNT(f, ITEMS, GROUP, source, .options = "-DBODY=\"x+=a[j+i];\"");
    expect_depth(f, 1.0 * ROUNDS * ITEMS);
    COUNT(f, ITEMS, GROUP, source, .options = "-DBODY=\"out[j+i]=a[j]*b[j];\"");
    expect_depth(f, 0.25 * ROUNDS * ITEMS);
}

/* Written lines stay in the core's cache and are not fetched again. */
TEST(stores_stay_in_the_cache)
{
    COUNT(*state, ITEMS, GROUP,
          KERNEL("const size_t at = get_global_id(0);\nout[at] = 1;\n"
                 "barrier(CLK_GLOBAL_MEM_FENCE);\nout[at] += b[0];\n"));
    /* a line of 16 ints of out for each, which is read before it is written, and one line of b for
     * each core */
    EXPECT(*state, "stores", {"l2_write_sector", ITEMS / 8},
           {"l2_read_sector", ITEMS / 8 + 2 * GROUPS});
}

/* 256 KB with four ways: addresses 64 KB apart are in one set, in which eight lines evict each
 * other. */
TEST(strides_fall_on_few_sets)
{
    static const char source[] =
        KERNEL("int sum = 0;\n" LOOP "for (int round = 0; round < 2; round++)\n" LOOP
               "    for (int j = 0; j < 8; j++)\n        sum += a[j * STRIDE];\nout[i] = sum;\n");
    enum { LINES = 8, SECTORS = 2 };

    COUNT(*state, LANES, LANES, source, .options = "-DSTRIDE=16384");
    EXPECT(*state, "one set", {"l1_global_load_miss", 2 * LINES * SECTORS});
    COUNT(*state, LANES, LANES, source, .options = "-DSTRIDE=16400");
    EXPECT(*state, "eight sets", {"l1_global_load_miss", LINES * SECTORS});
}

static int setup(void **state)
{
    return trace_setup_for(state, "i7-6700k", NULL);
}

TEST_MAIN(setup, trace_teardown)
