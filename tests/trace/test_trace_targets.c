/* The trace engine's counts by the rules of GPUs other than an H100, counted by hand for accesses
 * of a warp that are in line, a stride apart or misaligned: a GTX 280 (compute capability 1.3,
 * segments for half-warps), a C2050 (2.0, whole lines through L1), a K20c, a GTX 680 and a GTX
 * 980 (global loads pass by L1), a Radeon HD 5870 (wavefronts of 64), and two made-up ones with
 * warps of 64. The rules are those of the CUDA C Programming Guide 3.2, appendix G, and 7.0,
 * appendix G.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"
#include "trace_wide.h"

enum { ITEMS = 4096, GROUP = 128 };

/* Warps of 64 belong to a made-up GPU. */
static int setup(void **state)
{
    char folder[] = "/tmp/pm_vector_XXXXXX";
    int status;

    if (strncmp(tested_gpu, "wide", 4) != 0)
        return setup_tested_gpu(state);
    status = write_wide_gpus(folder) ? trace_setup_for(state, tested_gpu, folder) : -1;
    remove_wide_gpus(folder);
    return status;
}

/* A kernel out[i] = a[INDEX], or with `store` out[INDEX] = a[i], of ITEMS ints. */
static void count_pattern(trace_fixture *f, const char *index, bool store)
{
    char options[64];

    snprintf(options, sizeof options, "-DI=%s", index);
    COUNT(f, ITEMS, GROUP, store ? KERNEL("out[I] = a[i];") : KERNEL("out[i] = a[I];"),
          .options = options);
}

/* ---- segments ------------------------------------------------------------------------------- */

/* Segments of each size for two half-warps of ints. If aligned, these are bytes 0 to 63 and 64 to
 * 127. */
static const struct {
    const char *index;
    double s32, s64, s128;
} segments[] = {
    {"i", 0, 2, 0},
    {"(i^31)", 0, 2, 0}, /* the order within a half-warp does not matter */
    {"(i+16)", 0, 2, 0}, /* bytes 64 to 127 and 128 to 191 */
    /* bytes 4 to 67 take a segment of 128; bytes 68 to 131 take the upper 64 and 32 of the next
     * segment */
    {"(i+1)", 1, 1, 1},
    /* bytes 32 to 95 take 128; bytes 96 to 159 take the last 32 and the first 32 of the next
     * segment */
    {"(i+8)", 2, 0, 1},
    {"(2*i)", 0, 0, 2},   /* 128 bytes each */
    {"(32*i)", 32, 0, 0}, /* one line for each work-item, which needs 32 bytes of it */
    {"(i/2)", 2, 0, 0},   /* 0 to 31, 32 to 63 */
    {"0", 2, 0, 0},
};

/* Warps of 64 are four half-warps: twice as many transactions per warp, half as many warps. */
static void segment_patterns(trace_fixture *f, unsigned width)
{
    const double warps = (double)ITEMS / width, pairs = ITEMS / 32.0;

    for (size_t p = 0; p < sizeof segments / sizeof *segments; p++) {
        double s32 = pairs * segments[p].s32, s64 = pairs * segments[p].s64;
        double s128 = pairs * segments[p].s128;

        count_pattern(f, segments[p].index, false);
        EXPECT(f, segments[p].index, {"launched_warps", warps}, {"gld_request", warps},
               {"gst_request", warps}, {"gld_32b", s32}, {"gld_64b", s64}, {"gld_128b", s128},
               {"gst_32b", 0}, {"gst_64b", 2 * pairs}, {"gst_128b", 0},
               {"dram_read_bytes", 32 * s32 + 64 * s64 + 128 * s128},
               {"dram_write_bytes", 2 * 64 * pairs});
        EXPECT_UNKNOWN(f, "gld_sector", "gst_sector", "gld_tag", "gst_tag", "l1_global_load_hit",
                       "l1_global_load_miss", "l2_read_sector", "l2_write_sector", "inst_issued");
        expect_items(f, segments[p].index, ITEMS, ITEMS);
        count_pattern(f, segments[p].index, true);
        EXPECT(f, segments[p].index, {"gst_32b", s32}, {"gst_64b", s64}, {"gst_128b", s128},
               {"gld_32b", 0}, {"gld_64b", 2 * pairs}, {"gld_128b", 0});
    }
}

static void patterns_in_segments(void **state)
{
    segment_patterns(*state, 32);
}

static void patterns_in_segments_of_wide_warps(void **state)
{
    segment_patterns(*state, 64);
}

/* 16 work-items of 1 byte use half of a 32-byte segment. If they have 2 bytes, they use half of a
 * 64-byte segment, with 8 bytes a whole 128-byte segment, and with 16 bytes two of these. */
static void segments_by_type(void **state)
{
    static const struct {
        const char *type;
        double s32, s128;
    } types[] = {
        {"uchar", 2, 0}, {"short", 2, 0}, {"double", 0, 2}, {"int2", 0, 2}, {"float4", 0, 4}};

    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const double warps = 1024.0 / WARP;
        char options[64];

        snprintf(options, sizeof options, "-DTYPE=%s", types[t].type);
        COUNT(*state, 1024, 64,
              "__kernel void k(__global const TYPE *a, "
              "__global const TYPE *b, __global TYPE *out)\n"
              "{ out[get_global_id(0)] = a[get_global_id(0)]; }\n",
              .options = options);
        EXPECT(*state, types[t].type, {"gld_request", warps}, {"gld_32b", warps * types[t].s32},
               {"gld_64b", 0}, {"gld_128b", warps * types[t].s128},
               {"gst_32b", warps * types[t].s32}, {"gst_128b", warps * types[t].s128});
    }
}

/* Each half-warp accesses the 16 banks separately. A store and a load of one warp. */
static void sixteen_banks(void **state)
{
    static const struct {
        unsigned stride;
        double wavefronts, conflicts;
    } strides[] = {{1, 4, 0}, {2, 8, 4}, {3, 4, 0}, {8, 32, 28}, {16, 64, 60}, {17, 4, 0}};

    for (size_t s = 0; s < sizeof strides / sizeof *strides; s++) {
        char options[32];

        snprintf(options, sizeof options, "-DS=%u", strides[s].stride);
        COUNT(*state, 32, 32,
              KERNEL("__local int tile[17 * 32];\n"
                     "tile[S * lid] = a[i];\n"
                     "barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "out[i] = tile[S * (31 - lid)];\n"),
              .options = options);
        EXPECT(*state, options, {"shared_load", 1}, {"shared_store", 1},
               {"shared_wavefront", strides[s].wavefronts},
               {"shared_bank_conflict", strides[s].conflicts}, {"barrier", 1});
    }
}

/* ---- lines and sectors ---------------------------------------------------------------------- */

/* Lines and sectors that a warp of 32 ints accesses, and a warp of 64. */
static const struct {
    const char *index;
    double lines, sectors, wide_lines, wide_sectors;
} patterns[] = {
    {"i", 1, 4, 2, 8},        {"(i^31)", 1, 4, 2, 8},
    {"(i+1)", 2, 5, 3, 9},  /* bytes 4 to 131, or 4 to 259 with warps of 64 */
    {"(i+8)", 2, 4, 3, 8},  /* bytes 32 to 159, or 32 to 287 with warps of 64 */
    {"(2*i)", 2, 8, 4, 16}, /* 256 bytes; 512 */
    {"(9*i)", 9, 32, 18, 64}, {"(32*i)", 32, 32, 64, 64},
    {"(i/2)", 1, 2, 1, 4},    {"(i&~31)", 1, 1, 2, 2},
    {"0", 1, 1, 1, 1},
};

/* Global loads fetch whole lines into L1. Stores go to L2 in sectors. */
static void patterns_in_lines(void **state)
{
    const double warps = (double)ITEMS / WARP;

    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        count_pattern(*state, patterns[p].index, false);
        EXPECT(*state, patterns[p].index, {"gld_request", warps},
               {"gld_tag", warps * patterns[p].lines},
               {"gld_sector", warps * 4 * patterns[p].lines}, {"gst_tag", warps},
               {"gst_sector", warps * 4}, {"l2_write_sector", warps * 4},
               {"global_wavefront", warps * (patterns[p].lines + 1)});
        expect_replays(*state, patterns[p].index, warps * (patterns[p].lines - 1));
        EXPECT_UNKNOWN(*state, "gld_32b", "gld_64b", "gld_128b", "gst_32b", "gst_64b", "gst_128b");
        count_pattern(*state, patterns[p].index, true);
        EXPECT(*state, patterns[p].index, {"gst_request", warps},
               {"gst_tag", warps * patterns[p].lines}, {"gst_sector", warps * patterns[p].sectors},
               {"l2_write_sector", warps * patterns[p].sectors});
    }
}

/* One group of four warps with misaligned accesses. Each warp needs the line with which the next
 * one starts. Five lines of 4 sectors are fetched. The other three of the eight accesses hit. */
static void neighbours_share_lines(void **state)
{
    COUNT(*state, 128, 128, KERNEL("out[i] = a[i + 1];"));
    EXPECT(*state, "misaligned", {"gld_request", 4}, {"gld_sector", 32},
           {"l1_global_load_miss", 20}, {"l1_global_load_hit", 12}, {"l2_read_sector", 20});
}

static void sector_patterns(trace_fixture *f, unsigned width)
{
    const double warps = (double)ITEMS / width, in_line = width * 4 / 32.0;

    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        const bool wide = width == 64;
        double lines = warps * (wide ? patterns[p].wide_lines : patterns[p].lines);
        double sectors = warps * (wide ? patterns[p].wide_sectors : patterns[p].sectors);

        count_pattern(f, patterns[p].index, false);
        EXPECT(f, patterns[p].index, {"launched_warps", warps}, {"gld_request", warps},
               {"gld_tag", lines}, {"gld_sector", sectors}, {"l2_read_sector", sectors},
               {"gst_request", warps}, {"gst_sector", warps * in_line},
               {"l2_write_sector", warps * in_line});
        EXPECT_UNKNOWN(f, "gld_64b", "gst_64b");
        expect_items(f, patterns[p].index, ITEMS, ITEMS);
        count_pattern(f, patterns[p].index, true);
        EXPECT(f, patterns[p].index, {"gst_tag", lines}, {"gst_sector", sectors},
               {"l2_write_sector", sectors}, {"gld_sector", warps * in_line});
    }
}

static void patterns_in_sectors(void **state)
{
    sector_patterns(*state, 32);
}

/* Checks one pass per line that a warp's load or store accesses, and at least `least` passes per
 * load. With replays, each pass is issued again. */
static void line_passes(trace_fixture *f, bool replays, double least)
{
    const double warps = (double)ITEMS / WARP;

    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++)
        for (int store = 0; store < 2; store++) {
            const double passes =
                store ? patterns[p].lines + least : fmax(patterns[p].lines, least) + 1;

            count_pattern(f, patterns[p].index, store);
            EXPECT(f, patterns[p].index, {"global_wavefront", warps * passes});
            if (replays)
                expect_replays(f, patterns[p].index, warps * passes);
            else
                EXPECT_UNKNOWN(f, "inst_issued");
        }
}

static void lines_are_issued_again(void **state)
{
    line_passes(*state, true, 1);
}

static void lines_are_passes_of_one_instruction(void **state)
{
    line_passes(*state, false, 2); /* two texture units */
}

/* One warp stores and loads 4 bytes at strides of 1, 2, 4 and 32 words, in 1, 1, 2 and 16 passes.
 * Words that are 32 apart in one segment of 64 words share a pass. A load and a store of global
 * memory are replayed once each. */
static void conflicts_are_issued_again(void **state)
{
    static const struct {
        unsigned stride;
        double conflicts;
    } strides[] = {{1, 0}, {2, 0}, {4, 2 * 1}, {32, 2 * 15}};

    for (size_t s = 0; s < sizeof strides / sizeof *strides; s++) {
        char options[32];

        snprintf(options, sizeof options, "-DS=%u", strides[s].stride);
        COUNT(*state, 32, 32,
              KERNEL("__local int tile[32 * 32];\n"
                     "tile[S * lid] = a[i];\n"
                     "barrier(CLK_LOCAL_MEM_FENCE);\n"
                     "out[i] = tile[S * (31 - lid)];\n"),
              .options = options);
        EXPECT(*state, options, {"shared_bank_conflict", strides[s].conflicts});
        expect_replays(*state, options, strides[s].conflicts + 2);
    }
}

static void patterns_in_sectors_of_wide_warps(void **state)
{
    sector_patterns(*state, 64);
}

/* AMD's wavefronts and lines of 64 bytes: the same number of 32-byte DRAM sectors as with lines of
 * 128, and no accesses in L1. */
static void patterns_of_wavefronts(void **state)
{
    const double wavefronts = ITEMS / 64.0;

    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        const double sectors = wavefronts * patterns[p].wide_sectors;

        count_pattern(*state, patterns[p].index, false);
        EXPECT(*state, patterns[p].index, {"launched_warps", wavefronts},
               {"gld_request", wavefronts}, {"gld_sector", sectors}, {"l2_read_sector", sectors},
               {"gst_tag", wavefronts * 4}, {"gst_sector", wavefronts * 8});
        EXPECT_UNKNOWN(*state, "l1_global_load_hit", "l1_global_load_miss", "gld_64b");
    }
}

/* ---- wide warps ----------------------------------------------------------------------------- */

/* Groups of 96: a warp of 64 and one of 32. Group g starts at byte 384 g, on a line. */
static void the_last_wide_warp_is_not_full(void **state)
{
    COUNT(*state, 960, 96, KERNEL("out[i] = a[i];"));
    EXPECT(*state, "groups of 96", {"launched_warps", 20}, {"gld_request", 20}, {"gst_request", 20},
           {"gld_sector", 10 * (8 + 4)}, {"gst_sector", 10 * (8 + 4)}, {"gld_tag", 10 * (2 + 1)});
    expect_items(*state, "groups of 96", 960, 960);
}

/* Work-item l of a warp runs l rounds. In each of 63 rounds one work-item leaves. The first of a
 * row's 8 sectors is finished after round 6, the next after round 14, and so on: 8 * (8 + 7 + ... +
 * 1) - 8 = 280. Rounds are counted from 0. */
static void a_loop_as_long_as_the_place_in_a_wide_warp(void **state)
{
    COUNT(*state, 256, 128,
          KERNEL("int s = 0;\n" LOOP "for (int k = 0; k < (lid & 63); k++)\n"
                 "    s += a[64 * k + (lid & 63)];\n"
                 "out[i] = b[i + s];\n"));
    EXPECT(*state, "rounds", {"launched_warps", 4}, {"gld_request", 4 * (63 + 1)},
           {"gld_sector", 4 * (280 + 8)}, {"gst_request", 4}, {"divergent_branch", 4 * 63});
    expect_items(*state, "rounds", 4 * (2016 + 64), 256);
}

/* Whole halves of a wide warp take different paths, so the wide warp diverges. A narrow warp would
 * not. */
static void halves_of_a_wide_warp_part(void **state)
{
    COUNT(*state, 256, 64,
          KERNEL("__global const short *s16 = (__global const short *)b;\n"
                 "__global const long *s64 = (__global const long *)a;\n"
                 "if (lid & 32)\n"
                 "    ((__global short *)(out + 65536))[i] = s16[i] + 1;\n"
                 "else\n"
                 "    ((__global long *)out)[i] = s64[i] + 2;\n"));
    EXPECT(*state, "halves", {"gld_request", 4 * 2}, {"gst_request", 4 * 2},
           {"gld_sector", 4 * (2 + 8)}, {"gst_sector", 4 * (2 + 8)});
    expect_items(*state, "halves", 256, 256);
}

/* The engine counts pipes as GPUs from Volta on have them. */
static void pipes_are_unknown(void **state)
{
    COUNT(*state, ITEMS, GROUP, KERNEL("out[i] = a[i] * b[i] ^ a[i];"));
    EXPECT_UNKNOWN(*state, "pipe_fma", "pipe_fmaheavy", "pipe_alu");
    assert_true(counted(*state, "inst_int") > 0);
}

static void pipes_are_known(void **state)
{
    static const char *const pipes[] = {"pipe_fma", "pipe_fmaheavy", "pipe_alu"};

    COUNT(*state, ITEMS, GROUP, KERNEL("out[i] = a[i] * b[i] ^ a[i];"));
    for (size_t p = 0; p < sizeof pipes / sizeof *pipes; p++)
        assert_true(counted(*state, pipes[p]) >= (double)ITEMS / WARP);
}

#define KEPLER                                                                                     \
    {                                                                                              \
        cmocka_unit_test(patterns_in_sectors), cmocka_unit_test(lines_are_issued_again),           \
            cmocka_unit_test(conflicts_are_issued_again)                                           \
    }

int main(void)
{
    static const gpu_tests groups[] = {
        {"gtx280",
         {cmocka_unit_test(patterns_in_segments), cmocka_unit_test(segments_by_type),
          cmocka_unit_test(sixteen_banks)}},
        {"c2050",
         {cmocka_unit_test(patterns_in_lines), cmocka_unit_test(neighbours_share_lines),
          cmocka_unit_test(pipes_are_unknown)}},
        {"k20c", KEPLER},
        {"gtx680", KEPLER},
        {"gtx980",
         {cmocka_unit_test(patterns_in_sectors),
          cmocka_unit_test(lines_are_passes_of_one_instruction),
          cmocka_unit_test(pipes_are_unknown)}},
        {"h200", {cmocka_unit_test(pipes_are_known)}},
        {"hd5870", {cmocka_unit_test(patterns_of_wavefronts)}},
        {"wide_sectors",
         {cmocka_unit_test(patterns_in_sectors_of_wide_warps),
          cmocka_unit_test(the_last_wide_warp_is_not_full),
          cmocka_unit_test(a_loop_as_long_as_the_place_in_a_wide_warp),
          cmocka_unit_test(halves_of_a_wide_warp_part)}},
        {"wide_segments", {cmocka_unit_test(patterns_in_segments_of_wide_warps)}},
    };

    return run_by_gpu(groups, sizeof groups / sizeof *groups, setup);
}
