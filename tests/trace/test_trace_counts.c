/* Tests kernels on an H100 whose counters were computed by hand and whose results are checked, too.
 * Kernels of which only the counters are checked are in tests/trace/kernels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

static int one(size_t i)
{
    (void)i;
    return 1;
}

/* A tree sum of 128 elements: 64, 32, ... 1 work-items add, with 7 barriers after the first one.
 * The right sum shows that warps wait for each other. */
TEST(a_tree_in_shared_memory)
{
    trace_fixture *f = *state;
    int *out = room(BUFFER_INTS, sizeof *out);

    COUNT(f, 1280, 128,
          KERNEL("__local int t[128];\n"
                 "t[lid] = a[i];\n"
                 "barrier(CLK_LOCAL_MEM_FENCE);\n" LOOP "for (int n = 64; n > 0; n /= 2) {\n"
                 "    if (lid < n)\n"
                 "        t[lid] += t[lid + n];\n"
                 "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "}\n"
                 "if (lid == 0)\n"
                 "    out[get_group_id(0)] = t[0];\n"),
          .a = one);
    EXPECT(f, "tree", {"barrier", 10 * 4 * 8}, {"gld_request", 10 * 4}, {"gst_request", 10});
    expect_shared_items(f, "tree", 10 * (2 * 127 + 1), 10 * (128 + 127), 0);
    assert_ok(f->executor->type->run(f->executor, NULL, told()) == PM_OK);
    assert_ok(f->executor->type->read(f->executor, 2, out, told()) == PM_OK);
    for (size_t g = 0; g < 10; g++)
        assert_int_equal(out[g], 128);
}

TEST(atomics)
{
    trace_fixture *f = *state;
    int *out = room(BUFFER_INTS, sizeof *out);

    COUNT(f, 256, 64,
          KERNEL("if (lane < 5)\n"
                 "    atomic_add(out + lane % 2, 1);\n"));
    EXPECT(f, "global atomic", {"atomic", 8}, {"gld_request", 0}, {"gst_request", 0});
    assert_true(f->opencl || items(f, "atomic", "global") == 8 * 5);
    assert_ok(f->executor->type->run(f->executor, NULL, told()) == PM_OK);
    assert_ok(f->executor->type->read(f->executor, 2, out, told()) == PM_OK);
    assert_int_equal(out[0], 8 * 3);
    assert_int_equal(out[1], 8 * 2);

    /* one address for each group: one atomic per warp, whether arguments or ids determine the
     * address */
    COUNT(f, 256, 64, KERNEL("atomic_inc(out + get_group_id(0) * 32);\n"));
    EXPECT(f, "one place", {"atomic", 8}, {"atomic_pass", 8});
    COUNT(f, 256, 64, KERNEL("atomic_inc(out + lane % 4 * 32);\n"));
    EXPECT(f, "four places", {"atomic", 8}, {"atomic_pass", 8 * 32});

    COUNT(f, 256, 64,
          KERNEL("__local int t[32];\n"
                 "t[lane] = 0;\n"
                 "barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "atomic_inc(t + a[i]);\n"
                 "barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "out[i] = t[lane];\n"));
    EXPECT(f, "shared atomic", {"atomic", 8}, {"shared_store", 8}, {"shared_load", 8},
           {"gld_request", 8}, {"gst_request", 8});
    expect_shared_items(f, "shared atomic", 256, 256, 256);
}

TEST_MAIN(trace_setup, trace_teardown)
