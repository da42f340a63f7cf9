/* Where work-items of a warp meet again in loops that some leave early, and where only some of the
 * ways from a branch come together: loads are one request as long as they do, counted by hand, for
 * an H100.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

enum { LEAVES = 101, ROUNDS = 32 };

/* In round i / WARP: work-item l leaves in round l, and half of the others are odd. */
static int one_a_round(size_t i)
{
    return i / WARP == i % WARP ? LEAVES : (int)(i % 2);
}

/* A side that some leave by, and another. */
#define SIDES(how)                                                                                 \
    "    if (v & 1) {\n"                                                                           \
    "        if (v > 100)\n"                                                                       \
    "            " how ";\n"                                                                       \
    "        atomic_add(&out[lane + 64], v);\n"                                                    \
    "    } else {\n"                                                                               \
    "        atomic_sub(&out[lane + 64], v + 3);\n"                                                \
    "    }\n"
/* Two loops, the inner one with both. */
#define TWO_LOOPS(how)                                                                             \
    KERNEL(LOOP "for (int r = 0; r < 4; r++) {\n" LOOP "for (int k = 0; k < 8; k++) {\n"           \
                "    const int v = a[(r * 8 + k) * 32 + lane];\n" SIDES(how) "}\n"                 \
                                                                             "out[i] = r;\n"       \
                                                                             "}\n")

/* Behind the loop they store together. */
TEST(out_of_a_side)
{
    COUNT(*state, 32, 32,
          KERNEL("int k;\n" LOOP "for (k = 0; k < 32; k++) {\n"
                 "    const int v = a[k * 32 + lane];\n" SIDES("break") "}\n"
                                                                        "out[i] = k;\n"),
          .a = one_a_round);
    EXPECT(*state, "a break in a side", {"gld_request", ROUNDS}, {"gst_request", 1});
}

/* They go on with the next round at different places. */
TEST(on_from_several_places)
{
    COUNT(*state, 32, 32,
          KERNEL("int k = 0, tries = 0;\n" LOOP "do {\n"
                 "    const int v = a[k * 32 + lane];\n"
                 "    k++;\n"
                 "    if (v & 1) {\n"
                 "        if (v > 100)\n"
                 "            break;\n"
                 "        atomic_add(&out[lane + 64], v);\n"
                 "        continue;\n"
                 "    }\n"
                 "    atomic_sub(&out[lane + 64], v + 3);\n"
                 "    tries++;\n"
                 "} while (tries < 40);\n"
                 "out[i] = k;\n"),
          .a = one_a_round);
    EXPECT(*state, "a continue and a break", {"gld_request", ROUNDS}, {"gst_request", 1});
}

/* Of two loops at once; the rest meets behind the inner one in each round of the outer one. */
TEST(out_of_two_loops)
{
    COUNT(*state, 32, 32, TWO_LOOPS("return"), .a = one_a_round);
    /* Eight work-items leave in each round of the outer loop, in the last all that are left. */
    EXPECT(*state, "a return", {"gld_request", ROUNDS}, {"gst_request", 3});
}

/* Some leave the inner loop alone, and go on with the outer one together with those who stay. */
TEST(out_of_the_inner_loop)
{
    COUNT(*state, 32, 32, TWO_LOOPS("break"), .a = one_a_round);
    EXPECT(*state, "a break", {"gld_request", ROUNDS}, {"gst_request", 4});
}

/* ---- some of the ways ----------------------------------------------------------------------- */

/* Of the first WARP odd lanes are odd; of the next every third is above a hundred. */
static int odd_and_third(size_t i)
{
    return i < WARP ? (int)(i % 2) : i % 3 == 0 ? LEAVES : 0;
}

/* Each value of a switch over four. */
static int in_turn(size_t i)
{
    return (int)(i % 4);
}

/* A load, an atomic that nothing predicates, and a store. */
#define BODY(at)                                                                                   \
    "{\n"                                                                                          \
    "    const int w = b[" at " + lane];\n"                                                        \
    "    atomic_add(&out[256 + w + lane], v);\n"                                                   \
    "    out[512 + lane] = w;\n"                                                                   \
    "}\n"
#define FIRST "const int v = a[lane];\n"
#define SECOND "a[32 + lane] > 100"

/* Those who come by the first condition and by the second run the body together; all meet behind it
 * to store. */
TEST(either)
{
    COUNT(*state, 32, 32,
          KERNEL(FIRST "if ((v & 1) || " SECOND ")\n" BODY("64") "out[lane] = b[lane];\n"),
          .a = odd_and_third);
    EXPECT(*state, "a || b", {"gld_request", 4}, {"gst_request", 2}, {"atomic", 1});
}

TEST(one_of_three)
{
    COUNT(*state, 32, 32,
          KERNEL(FIRST "if ((v & 1) || " SECOND
                       " || b[96 + lane] == 0)\n" BODY("64") "out[lane] = b[lane];\n"),
          .a = odd_and_third);
    EXPECT(*state, "a || b || c", {"gld_request", 5}, {"gst_request", 2}, {"atomic", 1});
}

/* Each asks something else. */
TEST(one_way_or_the_other)
{
    COUNT(*state, 32, 32,
          KERNEL(FIRST "if ((v & 1) ? " SECOND " : a[64 + lane] > 100)\n" BODY("64")),
          .a = odd_and_third);
    EXPECT(*state, "c ? a : b", {"gld_request", 4}, {"gst_request", 1}, {"atomic", 1});
}

/* All that the condition is not true of meet at the other side. */
TEST(not_both)
{
    COUNT(*state, 32, 32,
          KERNEL(FIRST "if ((v & 1) && " SECOND
                       ")\n" BODY("64") "else atomic_sub(&out[256 + lane], a[128 + lane]);\n"
                                        "out[lane] = b[lane];\n"),
          .a = odd_and_third);
    EXPECT(*state, "a && b", {"gld_request", 5}, {"gst_request", 2}, {"atomic", 2});
}

TEST(after_an_early_return)
{
    COUNT(*state, 32, 32, KERNEL(FIRST "if ((v & 1) && " SECOND ") return;\n" BODY("64")),
          .a = odd_and_third);
    EXPECT(*state, "a return", {"gld_request", 3}, {"gst_request", 1}, {"atomic", 1});
}

/* In each round of a loop, which some leave from between the two conditions. */
TEST(either_in_a_loop)
{
    COUNT(*state, 32, 32,
          KERNEL("int k;\n" LOOP "for (k = 0; k < 8; k++) {\n" FIRST "    if (v & 1) {\n"
                 "        if (a[32 + lane] > 100 && k == 4)\n"
                 "            break;\n"
                 "    }\n"
                 "    if ((v & 1) || " SECOND ")\n" BODY("64 + k") "}\n"
                                                                   "out[lane] = k;\n"),
          .a = odd_and_third);
    EXPECT(*state, "a || b in a loop", {"gst_request", 8 + 1}, {"atomic", 8});
}

/* The places that no value leads to are one for both switches: all meet between them, and load
 * together. */
TEST(two_switches_of_known_values)
{
    COUNT(*state, 32, 32,
          KERNEL("__local int s[32];\n"
                 "s[lid] = lane;\n"
                 "switch ((unsigned)a[lane] % 4u) {\n"
                 "case 1: s[lid]++; break;\n"
                 "case 2: s[lid] = 17; break;\n"
                 "case 3: atomic_add(&out[256 + lane], 1);\n"
                 "}\n"
                 "barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "switch ((unsigned)b[s[31 - lid] & 31] % 4u) {\n"
                 "case 0: atomic_sub(&out[256 + lane], 1); break;\n"
                 "case 1: atomic_xor(&out[288 + lane], 1); break;\n"
                 "case 2: atomic_or(&out[320 + lane], 1); break;\n"
                 "case 3: atomic_and(&out[352 + lane], 1);\n"
                 "}\n"),
          .a = in_turn);
    EXPECT(*state, "two switches", {"gld_request", 2}, {"barrier", 1});
}

/* ---- the end of the kernel ------------------------------------------------------------------ */

#define SUMS                                                                                       \
    "__local int s[64];\n"                                                                         \
    "s[lid] = a[i];\n"                                                                             \
    "barrier(CLK_LOCAL_MEM_FENCE);\n"                                                              \
    "if (lid == 0)\n"                                                                              \
    "    out[i] = s[63];\n"

/* A warp without the side exits before it; one that has something behind it runs it under a
 * predicate, and an H100 counts accesses to shared memory that are off. */
TEST(a_last_side)
{
    COUNT(*state, 64, 64, KERNEL(SUMS));
    EXPECT(*state, "at the end", {"shared_load", 1}, {"gst_request", 1});
    COUNT(*state, 64, 64,
          KERNEL(SUMS "barrier(CLK_LOCAL_MEM_FENCE);\n"
                      "out[64 + i] = s[63 - lid];\n"));
    EXPECT(*state, "before the end", {"shared_load", 2 + 2}, {"gst_request", 1 + 2});
}

TEST_MAIN(trace_setup, trace_teardown)
