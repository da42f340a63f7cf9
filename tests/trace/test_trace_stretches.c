/* Which loads a warp waits for together (load_wait) where branches, loops and barriers stand
 * between them, counted by hand, for an H100.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

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

/* An atomic is not predicated: what is before the branch, in its side and behind it is apart. */
TEST(a_side_behind_a_branch)
{
    COUNT(*state, 256, 64,
          KERNEL("int v = a[i];\n"
                 "if (lane & 1) {\n"
                 "    atomic_add(out + 131072 + i, 1);\n"
                 "    v += b[i];\n"
                 "}\n"
                 "out[i] = v + b[i + 1024];\n"));
    EXPECT(*state, "a branch", {"gld_request", 8 * 3}, {"load_wait", 8 * 3});
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
