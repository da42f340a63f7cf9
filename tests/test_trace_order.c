/* Which loads a warp waits for together (load_wait) where stores and short sides of branches stand
 * between them, counted by hand, for an H100.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

#define UNROLLED "_Pragma(\"unroll\") "

/* ---- what a load may pass ------------------------------------------------------------------ */

#define OWN "const size_t g = get_global_id(0);\n"

/* The store's value waits for a. A load a constant away cannot be of the same place; one at another
 * index may be. */
TEST(a_load_behind_a_store_to_its_buffer)
{
    COUNT(*state, 256, 64,
          KERNEL(OWN "out[g] = a[g];\n"
                     "out[g + 65536] = out[g + 256];\n"));
    EXPECT(*state, "a constant away", {"gld_request", 8 * 2}, {"load_wait", 8});
    COUNT(*state, 256, 64,
          KERNEL(OWN "out[g] = a[g];\n"
                     "out[g + 65536] = out[g ^ 256];\n"));
    EXPECT(*state, "somewhere", {"gld_request", 8 * 2}, {"load_wait", 8 * 2});
}

/* Sixteen stores are told apart from a load; with one more it stays behind. */
TEST(a_load_behind_many_stores)
{
    COUNT(*state, 256, 64,
          KERNEL(OWN "const int v = a[g];\n" UNROLLED "for (int j = 0; j < STORES; j++)\n"
                     "    out[g + 1024 * j] = v + j;\n"
                     "out[g + 65536] = out[g + 512];\n"),
          .options = "-DSTORES=16");
    EXPECT(*state, "16 stores", {"gst_request", 8 * 17}, {"load_wait", 8});
    COUNT(*state, 256, 64,
          KERNEL(OWN "const int v = a[g];\n" UNROLLED "for (int j = 0; j < STORES; j++)\n"
                     "    out[g + 1024 * j] = v + j;\n"
                     "out[g + 65536] = out[g + 512];\n"),
          .options = "-DSTORES=17");
    EXPECT(*state, "17 stores", {"gst_request", 8 * 18}, {"load_wait", 8 * 2});
}

/* One of the two buffers without another name is enough. */
TEST(a_load_behind_a_store_to_another_buffer)
{
    static const struct {
        const char *options;
        double waits;
    } cases[] = {{"-DIN= -DOUT=", 2}, {"-DIN=restrict -DOUT=", 1}, {"-DIN= -DOUT=restrict", 1}};

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        COUNT(*state, 256, 64,
              "__kernel void k(__global const int *a, __global const int *IN b,\n"
              "                __global int *OUT out)\n"
              "{\n"
              "    const int i = get_global_id(0);\n"
              "    out[i] = a[i];\n"
              "    out[i + 65536] = b[i];\n"
              "}\n",
              .options = cases[c].options);
        EXPECT(*state, cases[c].options, {"gld_request", 8 * 2}, {"load_wait", 8 * cases[c].waits});
    }
    /* of one buffer it says nothing */
    COUNT(*state, 256, 64,
          "__kernel void k(__global const int *a, __global int *b, __global int *restrict out)\n"
          "{\n"
          "    const int i = get_global_id(0);\n"
          "    out[i] = a[i];\n"
          "    out[i + 65536] = out[i ^ 256];\n"
          "}\n");
    EXPECT(*state, "the same buffer", {"load_wait", 8 * 2});
}

/* ---- short sides of branches --------------------------------------------------------------- */

/* Before, in and behind a side that runs under a predicate. */
TEST(loads_of_a_short_side)
{
    COUNT(*state, 256, 64,
          KERNEL("int v = i > 0 ? a[i - 1] : 0;\n"
                 "out[i] = v + b[i];\n"));
    EXPECT(*state, "a side and behind", {"gld_request", 8 * 2}, {"load_wait", 8});
    COUNT(*state, 256, 64,
          KERNEL("int u = a[i + 1024], v = i > 0 ? a[i - 1] : 0, w = i < 255 ? a[i + 1] : 0;\n"
                 "out[i] = u + v + w + b[i];\n"));
    EXPECT(*state, "two sides", {"gld_request", 8 * 4}, {"load_wait", 8});
}

/* What decides is waited for first; what stands behind need not wait for it. */
TEST(a_side_that_a_load_decides)
{
    COUNT(*state, 256, 64,
          KERNEL("int v = 0;\n"
                 "if (a[i] == 0)\n"
                 "    v = b[i];\n"
                 "out[i] = v + b[i + 1024];\n"));
    EXPECT(*state, "by data", {"gld_request", 8 * 3}, {"load_wait", 8 * 2});
}

/* The join needs what the side loads. */
TEST(a_load_that_needs_what_a_side_loads)
{
    COUNT(*state, 256, 64,
          KERNEL("int v = i > 0 ? a[i - 1] : 0;\n"
                 "out[i] = b[i + v];\n"));
    EXPECT(*state, "needs the side", {"gld_request", 8 * 2}, {"load_wait", 8 * 2});
}

/* Of each round anew, though its blocks are ordered as one. */
TEST(a_short_side_in_a_loop)
{
    COUNT(*state, 256, 64,
          KERNEL("int sum = 0;\n" LOOP "for (int j = 0; j < 16; j++) {\n"
                 "    if (lane > j)\n"
                 "        sum += a[i + 1024 * j];\n"
                 "    sum += b[i + 1024 * j];\n"
                 "}\n"
                 "out[i] = sum;\n"));
    EXPECT(*state, "rounds", {"gld_request", 8 * 2 * 16}, {"load_wait", 8 * 16});
}

/* Nothing is moved across. */
TEST(a_barrier_between_loads)
{
    COUNT(*state, 256, 64,
          KERNEL("int v = a[i];\n"
                 "barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "out[i] = v + b[i];\n"));
    EXPECT(*state, "a barrier", {"gld_request", 8 * 2}, {"load_wait", 8 * 2});
}

TEST_MAIN(trace_setup, trace_teardown)
