/* What the trace engine counts of loads by const restrict pointers, by hand: on a K20c and a GTX
 * 980 a read-only cache has them while other loads pass by L1, a GTX 680 has none, and a P100 and
 * an H100 have all loads in L1. CUDA C Programming Guide 7.0, G.4 and G.5; NVIDIA Pascal Tuning
 * Guide, unified L1/texture cache.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

/* As KERNEL, and a and b are const and restrict. */
#define READ_ONLY(body)                                                                            \
    "__kernel void k(__global const int *restrict a, __global const int *restrict b, "             \
    "__global int *restrict out)\n"                                                                \
    "{\n"                                                                                          \
    "    const int i = get_global_id(0), lid = get_local_id(0), lane = lid & 31;\n" body "}\n"

static void count_group(trace_fixture *f, const char *source)
{
    COUNT(f, 128, 128, source);
}

/* Four warps of ints, one int off: 5 sectors each, of which each but the first warp shares one with
 * the warp before it. Bytes 4 to 515 are 17 sectors. */
static void what_is_only_read_is_cached(void **state)
{
    count_group(*state, READ_ONLY("out[i] = a[i + 1];"));
    EXPECT(*state, "restrict", {"gld_request", 4}, {"gld_sector", 20}, {"gld_tag", 8},
           {"l1_global_load_hit", 3}, {"l1_global_load_miss", 17}, {"l2_read_sector", 17},
           {"global_wavefront", 8 + 4});
    count_group(*state, KERNEL("out[i] = a[i + 1];"));
    EXPECT(*state, "no restrict", {"gld_sector", 20}, {"l1_global_load_hit", 0},
           {"l1_global_load_miss", 0}, {"l2_read_sector", 20}, {"global_wavefront", 8 + 4});
    count_group(*state, READ_ONLY("out[i] = (lid & 32 ? a : b)[i + 1];"));
    EXPECT(*state, "one of two", {"gld_sector", 20}, {"l1_global_load_hit", 0},
           {"l1_global_load_miss", 0}, {"l2_read_sector", 20});
    count_group(*state, READ_ONLY("out[i] = out[i + 1 + 1024];"));
    EXPECT(*state, "written too", {"gld_sector", 20}, {"l1_global_load_hit", 0},
           {"l1_global_load_miss", 0}, {"l2_read_sector", 20});
}

/* A load of what the warp has loaded waits for the cache alone. */
static void a_hit_does_not_wait_for_l2(void **state)
{
#define TWICE                                                                                      \
    "int s = a[lane];\n"                                                                           \
    "barrier(CLK_GLOBAL_MEM_FENCE);\n"                                                             \
    "out[i] = a[lane + s];\n"
    static const struct {
        const char *what, *source;
        double misses;
    } cases[] = {{"restrict", READ_ONLY(TWICE), 1}, {"no restrict", KERNEL(TWICE), 2}};
#undef TWICE

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        COUNT(*state, 32, 32, cases[c].source);
        EXPECT(*state, cases[c].what, {"gld_sector", 8}, {"l2_read_sector", 4 * cases[c].misses},
               {"load_wait", 2}, {"load_wait_miss", cases[c].misses});
    }
}

/* The read-only cache takes a load of many lines at once; the store is in line. */
static void what_is_only_read_is_not_issued_again(void **state)
{
    count_group(*state, READ_ONLY("out[i] = a[32 * i];"));
    EXPECT(*state, "restrict", {"global_wavefront", 4 * (32 + 1)}, {"l2_read_sector", 4 * 32});
    expect_replays(*state, "restrict", 4);
    count_group(*state, KERNEL("out[i] = a[32 * i];"));
    EXPECT(*state, "no restrict", {"global_wavefront", 4 * (32 + 1)}, {"l2_read_sector", 4 * 32});
    expect_replays(*state, "no restrict", 4 * (32 + 1));
}

static void without_a_read_only_cache(void **state)
{
    count_group(*state, READ_ONLY("out[i] = a[i + 1];"));
    EXPECT(*state, "restrict", {"gld_sector", 20}, {"l2_read_sector", 20},
           {"global_wavefront", 8 + 4});
    EXPECT_UNKNOWN(*state, "l1_global_load_hit", "l1_global_load_miss");
    expect_replays(*state, "restrict", 8 + 4);
}

/* L1 has what is only read as it has all else. */
static void l1_has_what_is_only_read(void **state)
{
    static const char *const sources[] = {READ_ONLY("out[i] = a[i + 1];"),
                                          KERNEL("out[i] = a[i + 1];")};

    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) {
        count_group(*state, sources[s]);
        EXPECT(*state, sources[s], {"l1_global_load_hit", 3}, {"l1_global_load_miss", 17},
               {"l2_read_sector", 17});
        EXPECT_UNKNOWN(*state, "inst_issued");
    }
}

/* A misaligned warp of a P100 loads from two lines, and takes four passes of its texture unit; a
 * store takes one for its line. */
static void loads_pass_the_texture_unit(void **state)
{
    count_group(*state, READ_ONLY("out[i] = a[i + 1];"));
    EXPECT(*state, "restrict", {"global_wavefront", 16 + 4});
}

int main(void)
{
    static const gpu_tests groups[] = {
        {"k20c",
         {cmocka_unit_test(what_is_only_read_is_cached),
          cmocka_unit_test(a_hit_does_not_wait_for_l2),
          cmocka_unit_test(what_is_only_read_is_not_issued_again)}},
        {"gtx980",
         {cmocka_unit_test(what_is_only_read_is_cached),
          cmocka_unit_test(a_hit_does_not_wait_for_l2)}},
        {"gtx680", {cmocka_unit_test(without_a_read_only_cache)}},
        {"p100",
         {cmocka_unit_test(l1_has_what_is_only_read),
          cmocka_unit_test(loads_pass_the_texture_unit)}},
        {"h100", {cmocka_unit_test(l1_has_what_is_only_read)}},
    };

    return run_by_gpu(groups, sizeof groups / sizeof *groups, setup_tested_gpu);
}
