/* Which loads a warp waits for together (load_wait) where stores stand between them, counted by
 * hand, for an H100.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

#define UNROLLED "_Pragma(\"unroll\") "

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

TEST_MAIN(trace_setup, trace_teardown)
