/* The trace engine's memory counts of access patterns small enough to be counted by hand, for an
 * H100: sectors of 32 bytes, lines of 128, 32 banks of 4 bytes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

/* What one warp's int access at index I(i) touches. Bytes of lane l of warp w are 4 I(32 w + l). */
static const struct {
    const char *index;
    double sectors, lines;
} patterns[] = {
    {"i", 4, 1},      /* 128 bytes in line */
    {"(i^31)", 4, 1}, /* the same, backwards */
    {"(2*i)", 8, 2},  /* 256 bytes, every other int */
    {"(5*i)", 20, 5}, /* 640 bytes, no sector left out */
    {"(9*i)", 32, 9}, /* 36 bytes apart: no two in one sector; lines 0 to 31 * 36 / 128 = 8 */
    {"(32*i)", 32, 32}, {"(33*i)", 32, 32}, {"(i/2)", 2, 1}, /* 64 bytes */
    {"(i&~31)", 1, 1},                                       /* one address a warp */
    {"0", 1, 1},        {"(i+1)", 5, 2},                     /* bytes 4 to 131 */
    {"(i+8)", 4, 2},                                         /* bytes 32 to 159 */
    {"(i+31)", 5, 2},                                        /* bytes 124 to 251 */
};

TEST(loads_by_pattern)
{
    for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
        char options[64];
        const int warps = 4096 / WARP;

        snprintf(options, sizeof options, "-DI=%s", patterns[p].index);
        COUNT(*state, 4096, 128, KERNEL("out[i] = a[I];"), .options = options);
        EXPECT(*state, patterns[p].index, {"gld_request", warps}, {"gst_request", warps},
               {"gld_sector", warps * patterns[p].sectors}, {"gst_sector", warps * 4},
               {"gld_tag", warps * patterns[p].lines}, {"gst_tag", warps}, {"atomic", 0},
               {"shared_load", 0}, {"shared_store", 0}, {"local_load", 0}, {"barrier", 0},
               {"divergent_branch", 0});
        expect_items(*state, patterns[p].index, 4096, 4096);
    }
}

TEST(stores_by_pattern)
{
    for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++) {
        char options[64];
        const int warps = 4096 / WARP;

        snprintf(options, sizeof options, "-DI=%s", patterns[p].index);
        COUNT(*state, 4096, 128, KERNEL("out[I] = a[i];"), .options = options);
        EXPECT(*state, patterns[p].index, {"gst_request", warps},
               {"gst_sector", warps * patterns[p].sectors}, {"gst_tag", warps * patterns[p].lines},
               {"gld_sector", warps * 4});
    }
}

/* A copy of elements of TYPE. No instruction moves more than 16 bytes or more than 4 elements:
 * longer types take several, and each of those touches every sector of its stretch. */
TEST(copies_by_type)
{
    static const struct {
        const char *type;
        double requests, sectors;
    } types[] = {
        {"uchar", 1, 1},    {"short", 1, 2},   {"int", 1, 4},       {"double", 1, 8},
        {"int2", 1, 8},     {"float4", 1, 16}, {"uchar4", 1, 4},    {"short4", 1, 8},
        {"short8", 2, 32},  {"uchar8", 2, 16}, {"uchar16", 4, 64},  {"double2", 1, 16},
        {"double4", 2, 64}, {"int8", 2, 64},   {"float16", 4, 128},
    };

    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        char options[64];
        const int warps = 1024 / WARP;

        snprintf(options, sizeof options, "-DTYPE=%s", types[t].type);
        COUNT(*state, 1024, 64,
              "__kernel void k(__global const TYPE *a, "
              "__global const TYPE *b, __global TYPE *out)\n"
              "{ out[get_global_id(0)] = a[get_global_id(0)]; }\n",
              .options = options);
        EXPECT(*state, types[t].type, {"gld_request", warps * types[t].requests},
               {"gst_request", warps * types[t].requests}, {"gld_sector", warps * types[t].sectors},
               {"gst_sector", warps * types[t].sectors});
    }
}

/* Three ints of 12 bytes: each instruction's lanes are 12 bytes apart, over 384 bytes: all 12
 * sectors and 3 lines of them, three times. */
TEST(members_of_a_struct)
{
    COUNT(*state, 32, 32,
          "typedef struct { int x, y, z; } v;\n"
          "__kernel void k(__global const v *a, __global const v *b, "
          "__global int *out)\n"
          "{ const int i = get_global_id(0);\n"
          "  out[i] = a[i].x * a[i].y + a[i].z; }\n");
    EXPECT(*state, "array of structs", {"gld_request", 3}, {"gld_sector", 36}, {"gld_tag", 9},
           {"gst_request", 1}, {"gst_sector", 4});
    expect_items(*state, "array of structs", 96, 32);
}

/* n groups count n times what one does. */
TEST(groups_add_up)
{
    static const size_t groups[] = {1, 7, 100, 300};

    for (size_t g = 0; g < sizeof groups / sizeof groups[0]; g++) {
        const double n = (double)groups[g];

        COUNT(*state, groups[g] * 96, 96, KERNEL("out[i] = a[i] + 1;"));
        EXPECT(*state, "groups of 96", {"work_groups", n}, {"launched_warps", 3 * n},
               {"gld_request", 3 * n}, {"gld_sector", 12 * n}, {"gst_sector", 12 * n});
    }
}

/* Groups of 48: a warp of 32 and one of 16 each. Group g starts at byte 192 g, on a sector. */
TEST(the_last_warp_is_not_full)
{
    COUNT(*state, 480, 48, KERNEL("out[i] = a[i];"));
    EXPECT(*state, "groups of 48", {"launched_warps", 20}, {"gld_request", 20}, {"gst_request", 20},
           {"gld_sector", 10 * (4 + 2)}, {"gst_sector", 10 * (4 + 2)});
    expect_items(*state, "groups of 48", 480, 480);
    COUNT(*state, 40, 1, KERNEL("out[i] = a[i];"));
    EXPECT(*state, "groups of 1", {"launched_warps", 40}, {"gld_request", 40}, {"gld_sector", 40});
}

/* A warp takes the work-items of a group in the order of x, then y, then z. */
TEST(warps_of_groups_in_three_dimensions)
{
    static const struct {
        const char *index;
        unsigned dimensions;
        size_t global[3], local[3];
        double sectors, lines; /* of a warp */
    } shapes[] = {
        /* a warp is a plane of z: 32 ints in line */
        {"(x+8*(y+4*z)+64*g)", 3, {16, 8, 4}, {8, 4, 2}, 4, 1},
        {"(y+4*(x+8*z)+64*g)", 3, {16, 8, 4}, {8, 4, 2}, 4, 1},
        /* z fastest in memory: every other int */
        {"(z+2*(y+4*x)+64*g)", 3, {16, 8, 4}, {8, 4, 2}, 8, 2},
        /* rows of 64 ints: two rows of 16, or eight rows of 4 */
        {"(gx+64*gy)", 2, {64, 64, 1}, {16, 16, 1}, 4, 2},
        {"(gx+64*gy)", 2, {64, 64, 1}, {4, 8, 1}, 8, 8},
        {"(gx+64*gy)", 2, {64, 64, 1}, {64, 2, 1}, 4, 1},
        /* transposed: 16 columns of 2 ints */
        {"(gy+64*gx)", 2, {64, 64, 1}, {16, 16, 1}, 16, 16},
    };

    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        const size_t *n = shapes[s].global;
        const double warps = (double)(n[0] * n[1] * n[2]) / WARP;
        char options[96];
        launch_case c = {.source = "__kernel void k(__global const int *a, __global const int *b, "
                                   "__global int *out)\n"
                                   "{ const int x = get_local_id(0), y = get_local_id(1),\n"
                                   "            z = get_local_id(2), gx = get_global_id(0),\n"
                                   "            gy = get_global_id(1), gz = get_global_id(2),\n"
                                   "            g = get_group_id(0) + get_num_groups(0) *\n"
                                   "                (get_group_id(1) + get_num_groups(1) *\n"
                                   "                 get_group_id(2));\n"
                                   "  out[0] = a[I] + z + gz; }\n",
                         .options = options,
                         .dimensions = shapes[s].dimensions};

        memcpy(c.global, shapes[s].global, sizeof c.global);
        memcpy(c.local, shapes[s].local, sizeof c.local);
        snprintf(options, sizeof options, "-DI=%s", shapes[s].index);
        count_case(*state, &c);
        EXPECT(*state, shapes[s].index, {"launched_warps", warps}, {"gld_request", warps},
               {"gld_sector", warps * shapes[s].sectors}, {"gld_tag", warps * shapes[s].lines});
    }
}

/* Lanes S ints apart in 32 banks: they share a bank with gcd(S, 32) - 1 others, and of one word
 * all lanes read or write it at once. */
TEST(shared_memory_banks)
{
    static const struct {
        unsigned stride;
        double wavefronts;
    } strides[] = {{0, 1}, {1, 1},   {2, 2},   {3, 1},  {4, 4},
                   {8, 8}, {16, 16}, {32, 32}, {33, 1}, {6, 2}};

    for (size_t s = 0; s < sizeof strides / sizeof strides[0]; s++) {
        char options[32];
        const double waves = 2 * strides[s].wavefronts;

        snprintf(options, sizeof options, "-DS=%u", strides[s].stride);
        COUNT(*state, 32, 32,
              KERNEL("__local int tile[33 * 32];\n"
                     "tile[S * lid] = a[i];\n"
                     "barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "out[i] = tile[S * (31 - lid)];\n"),
              .options = options);
        EXPECT(*state, options, {"shared_load", 1}, {"shared_store", 1},
               {"shared_wavefront", waves}, {"shared_bank_conflict", waves - 2}, {"barrier", 1},
               {"gld_request", 1}, {"gst_request", 1});
        expect_shared_items(*state, options, 32, 32, 0);
    }
}

/* Each of two passes of one warp wants the same 4 sectors: L1 has them the second time. */
TEST(the_second_read_hits)
{
    COUNT(*state, 32, 32,
          KERNEL("int s = 0;\n" LOOP "for (int r = 0; r < 2; r++) {\n"
                 "    s += a[i];\n"
                 "    out[i + 4096 * r] = s;\n"
                 "}\n"));
    EXPECT(*state, "twice", {"gld_request", 2}, {"gld_sector", 8}, {"l1_global_load_hit", 4},
           {"l1_global_load_miss", 4}, {"gst_request", 2}, {"gst_sector", 8});
}

/* An array that is indexed by what was loaded cannot be in registers. */
TEST(private_arrays)
{
    COUNT(*state, 128, 64,
          KERNEL("int t[32];\n" LOOP "for (int k = 0; k < 32; k++)\n"
                 "    t[k] = a[32 * k + lane];\n"
                 "out[i] = t[b[i] & 31];\n"));
    EXPECT(*state, "private array", {"local_store", 4 * 32}, {"local_load", 4},
           {"gld_request", 4 * 33}, {"gst_request", 4});
}

TEST_MAIN(trace_setup, trace_teardown)
