/* The trace engine's counts where work-items of a warp part and meet again, counted by hand, for an
 * H100. A warp runs both sides of a branch when it has work-items for both; what comes after the
 * place where the sides meet is one instruction of the whole warp again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sides load different types wherever both load: accesses of one type could be made one by the
 * compiler, with a selected address.
 */
#include "trace_counts_fixture.h"

#define SHORTS "__global const short *s16 = (__global const short *)b;\n"

/* Odd work-items load a short (64 bytes of a warp), even ones a long (256 bytes): 2 and 8 sectors.
 */
TEST(both_sides_of_an_if)
{
    COUNT(*state, 256, 64,
          KERNEL(SHORTS "__global const long *s64 = (__global const long *)a;\n"
                        "if (lane & 1)\n"
                        "    ((__global short *)(out + 65536))[i] = s16[i] + 1;\n"
                        "else\n"
                        "    ((__global long *)out)[i] = s64[i] + 2;\n"));
    EXPECT(*state, "odd and even", {"gld_request", 8 * 2}, {"gst_request", 8 * 2},
           {"gld_sector", 8 * (2 + 8)}, {"gst_sector", 8 * (2 + 8)});
    expect_items(*state, "odd and even", 256, 256);
}

TEST(after_an_if_the_warp_is_one)
{
    COUNT(*state, 256, 64,
          KERNEL(SHORTS "__global const long *s64 = (__global const long *)a;\n"
                        "int v;\n"
                        "if (lane & 1)\n"
                        "    v = s16[i];\n"
                        "else\n"
                        "    v = (int)s64[i];\n"
                        "out[i] = b[i + v];\n"));
    EXPECT(*state, "after if", {"gld_request", 8 * 3}, {"gld_sector", 8 * (2 + 8 + 4)},
           {"gst_request", 8}, {"gst_sector", 8 * 4});
    expect_items(*state, "after if", 2 * 256, 256);
}

/* Few instructions on one side: a GPU runs them under a predicate, without a branch. */
TEST(a_short_if)
{
    COUNT(*state, 256, 64,
          KERNEL("int v = 0;\n"
                 "if (lane & 1)\n"
                 "    v = a[i];\n"
                 "out[i] = v;\n"));
    EXPECT(*state, "short if", {"gld_request", 8}, {"gld_sector", 8 * 4}, {"gst_request", 8},
           {"gst_sector", 8 * 4}, {"divergent_branch", 0});
    expect_items(*state, "short if", 128, 256);
}

/* Whole warps go one way: nobody parts, and only those warps load. */
TEST(an_if_of_whole_warps)
{
    COUNT(*state, 256, 64,
          KERNEL("if (i >> 5 & 1)\n"
                 "    out[i] = a[i];\n"));
    EXPECT(*state, "every other warp", {"launched_warps", 8}, {"gld_request", 4},
           {"gst_request", 4}, {"gld_sector", 4 * 4}, {"divergent_branch", 0});
    expect_items(*state, "every other warp", 128, 128);
}

/* Work-item l goes round l times: round k has those above k, and round 31 none. Of a warp's 4
 * sectors the first is done with after round 6, the next after 14, 22, 30:
 * 7 * 4 + 8 * 3 + 8 * 2 + 8 * 1 = 76. In each of 31 rounds one work-item leaves and others stay. */
TEST(a_loop_as_long_as_the_lane)
{
    COUNT(*state, 128, 64,
          KERNEL("int s = 0;\n" LOOP "for (int k = 0; k < lane; k++)\n"
                 "    s += a[32 * k + lane];\n"
                 "out[i] = b[i + s];\n"));
    EXPECT(*state, "lane rounds", {"gld_request", 4 * (31 + 1)}, {"gld_sector", 4 * (76 + 4)},
           {"gst_request", 4}, {"gst_sector", 4 * 4}, {"divergent_branch", 4 * 31});
    expect_items(*state, "lane rounds", 4 * (496 + 32), 128);
}

/* a[32 k + l] is 1 from k = l on. */
static int row_reaches_column(size_t i)
{
    return i / 32 >= i % 32;
}

/* Work-item l reads rows 0 to l, then leaves by its break: sectors 8 * (4 + 3 + 2 + 1) = 80. */
TEST(a_loop_that_is_left_one_by_one)
{
    COUNT(*state, 128, 64,
          KERNEL("int k = 0;\n" LOOP "for (; k < 32; k++)\n"
                 "    if (a[32 * k + lane] != 0)\n"
                 "        break;\n"
                 "out[i] = b[i + k - lane];\n"),
          .a = row_reaches_column);
    EXPECT(*state, "break", {"gld_request", 4 * (32 + 1)}, {"gld_sector", 4 * (80 + 4)},
           {"gst_request", 4}, {"gst_sector", 4 * 4});
    expect_items(*state, "break", 4 * (528 + 32), 128);
}

/* The work-items that go on early wait for the others before the next round. */
TEST(a_loop_with_continue)
{
    COUNT(*state, 128, 64,
          KERNEL(SHORTS "int s = 0;\n" LOOP "for (int k = 0; k < 8; k++) {\n"
                        "    if (a[32 * k + lane] + lane & 1)\n"
                        "        continue;\n"
                        "    s += s16[32 * k + lane];\n"
                        "}\n"
                        "out[i] = b[i + s];\n"));
    EXPECT(*state, "continue", {"gld_request", 4 * (8 + 8 + 1)},
           {"gld_sector", 4 * (8 * 4 + 8 * 2 + 4)}, {"gst_request", 4});
    expect_items(*state, "continue", 4 * (8 * 32 + 8 * 16 + 32), 128);
}

/* In each of 4 rounds outside, work-item l goes round l % 4 + 1 times inside: 4 loads of the warp,
 * 8 (1 + 2 + 3 + 4) = 80 of work-items; then all load once. */
TEST(a_break_inside_two_loops)
{
    COUNT(*state, 128, 64,
          KERNEL("int s = 0;\n" LOOP "for (int o = 0; o < 4; o++) {\n" LOOP
                 "    for (int j = 0; j < 8; j++) {\n"
                 "        s += a[32 * (8 * o + j) + lane];\n"
                 "        if (j == (lane & 3))\n"
                 "            break;\n"
                 "    }\n"
                 "    s += b[32 * o + lane + s];\n"
                 "}\n"
                 "out[i] = s;\n"));
    EXPECT(*state, "two loops", {"gld_request", 4 * 4 * (4 + 1)}, {"gst_request", 4},
           {"gst_sector", 4 * 4});
    expect_items(*state, "two loops", 4 * 4 * (80 + 32), 128);
}

/* Bytes of lanes 0 mod 4: 1 sector; shorts of 1 mod 4: 2; ints of 2 mod 4: 4; int4 of 3 mod 4, 64
 * bytes apart: 8. */
TEST(a_switch)
{
    COUNT(*state, 256, 64,
          KERNEL(SHORTS "int v;\n"
                        "switch (lane & 3) {\n"
                        "case 0: v = ((__global const char *)b)[i]; break;\n"
                        "case 1: v = s16[i]; break;\n"
                        "case 2: v = a[i]; break;\n"
                        "default: {\n"
                        "    const int4 q = ((__global const int4 *)a)[i];\n"
                        "    v = q.x * q.y + q.z * q.w;\n"
                        "} }\n"
                        "out[i] = b[i + v];\n"));
    EXPECT(*state, "switch", {"gld_request", 8 * (4 + 1)}, {"gld_sector", 8 * (1 + 2 + 4 + 8 + 4)},
           {"gst_request", 8}, {"gst_sector", 8 * 4});
    expect_items(*state, "switch", 256 + 256, 256);
}

/* The group's last work-items have nothing to do. */
TEST(an_early_return)
{
    static const struct {
        const char *n;
        double requests, sectors, work_items;
    } ends[] = {{"-DN=100", 4, 3 * 4 + 1, 100}, {"-DN=96", 3, 3 * 4, 96}, {"-DN=1", 1, 1, 1}};

    for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++) {
        COUNT(*state, 128, 64,
              KERNEL("if (i >= N)\n"
                     "    return;\n"
                     "out[i] = a[i];\n"),
              .options = ends[e].n);
        EXPECT(*state, ends[e].n, {"gld_request", ends[e].requests},
               {"gst_request", ends[e].requests}, {"gld_sector", ends[e].sectors},
               {"gst_sector", ends[e].sectors});
        expect_items(*state, ends[e].n, ends[e].work_items, ends[e].work_items);
    }
}

/* Some return from within a loop: the rest of the warp goes on together. Work-item l leaves in
 * round l % 4 of 0 to 3 for l below 16; the others do all 8 rounds, and then load once more. */
TEST(a_return_inside_a_loop)
{
    COUNT(*state, 128, 64,
          KERNEL("int s = 0;\n" LOOP "for (int k = 0; k < 8; k++) {\n"
                 "    s += a[32 * k + lane];\n"
                 "    if (lane < 16 && (lane & 3) + s == k)\n"
                 "        return;\n"
                 "}\n"
                 "out[i] = b[i + s];\n"));
    EXPECT(*state, "return in a loop", {"gld_request", 4 * (8 + 1)}, {"gst_request", 4},
           {"gst_sector", 4 * 2});
    expect_items(*state, "return in a loop", 4 * (4 * (1 + 2 + 3 + 4) + 16 * 8 + 16), 64);
}

/* In every other warp a is 0 for even work-items alone, in the others for none. */
static int even_of_even_warps(size_t i)
{
    return i / 32 % 2 || i % 2;
}

/* What is right of && runs for those whose left was true: 16 work-items of 2 of 4 warps. */
TEST(and_stops_early)
{
    COUNT(*state, 128, 64,
          KERNEL(SHORTS "if (a[i] == 0 && s16[i] == 0)\n"
                        "    out[i] = 1;\n"),
          .a = even_of_even_warps);
    EXPECT(*state, "&&", {"gld_request", 4 + 2}, {"gld_sector", 4 * 4 + 2 * 2}, {"gst_request", 2},
           {"gst_sector", 2 * 4});
    expect_items(*state, "&&", 128 + 32, 32);
}

/* Rounds that all work-items share: no branch parts them. */
TEST(a_loop_of_one_length)
{
    COUNT(*state, 128, 64,
          KERNEL("int s = 0;\n" LOOP "for (int k = 0; k < get_local_size(0); k++)\n"
                 "    s += a[k];\n"
                 "out[i] = s;\n"));
    EXPECT(*state, "64 rounds", {"gld_request", 4 * 64}, {"gld_sector", 4 * 64}, {"gst_request", 4},
           {"divergent_branch", 0});
}

/* 4 warps a group, 6 barriers; no bank has two words of one warp. */
TEST(barriers)
{
    COUNT(*state, 512, 128,
          KERNEL("__local int tile[128];\n"
                 "int s = 0;\n" LOOP "for (int k = 0; k < 3; k++) {\n"
                 "    tile[lid] = a[i + 512 * k];\n"
                 "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "    s += tile[127 - lid];\n"
                 "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "}\n"
                 "out[i] = s;\n"));
    EXPECT(*state, "barriers", {"barrier", 16 * 6}, {"shared_load", 16 * 3},
           {"shared_store", 16 * 3}, {"shared_wavefront", 16 * 6}, {"shared_bank_conflict", 0},
           {"gld_request", 16 * 3}, {"gst_request", 16});
}

static int one(size_t i)
{
    (void)i;
    return 1;
}

/* A tree over 128: 64, 32, ... 1 work-items add, 7 barriers after the first. The sum shows that
 * warps wait for each other. */
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

    /* one place for each group: one atomic of a warp's, whether arguments or ids choose it */
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

/* Eight fused multiply-adds and nothing else that computes in floating point. */
TEST(arithmetic)
{
    COUNT(*state, 256, 64,
          KERNEL("float x = as_float(a[i]);\n"
                 "x = fma(x, x, 1.5f); x = fma(x, x, 2.5f);\n"
                 "x = fma(x, x, 3.5f); x = fma(x, x, 4.5f);\n"
                 "x = fma(x, x, 5.5f); x = fma(x, x, 6.5f);\n"
                 "x = fma(x, x, 7.5f); x = fma(x, x, 8.5f);\n"
                 "out[i] = as_int(x);\n"));
    EXPECT(*state, "fma", {"inst_fp32", 8 * 256}, {"inst_fp64", 0}, {"inst_special", 0},
           {"flop_fp32", 2 * 8 * 256}, {"flop_fp64", 0});
}

TEST_MAIN(trace_setup, trace_teardown)
