/* Words side by side that are one access by the rules of AMD's GPUs (an MI250X, a W6600) and
 * several by those of an H100, counted by hand. LLVM's AMDGPU target (clang 19, gfx90a) makes the
 * same of these kernels: global_load_dwordx3 and the like.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

enum { ITEMS = 1024, GROUP = 128 };

static bool is_amd(void)
{
    return strcmp(tested_gpu, "h100") != 0;
}

/* loads and stores of a warp: on AMD's GPUs, on an H100 */
static void check(trace_fixture *f, const char *what, const char *body, double loads, double stores,
                  double loads_h100, double stores_h100)
{
    static const char head[] =
        "typedef struct { int x, y, z; } P;\n"
        "__kernel void k(__global const P *a, __global const P *b, __global P *out)\n"
        "{ const int i = get_global_id(0); ";
    const double warps = ITEMS / (strcmp(tested_gpu, "mi250x") == 0 ? 64.0 : 32.0);
    char source[1024];

    snprintf(source, sizeof source, "%s%s }\n", head, body);
    COUNT(f, ITEMS, GROUP, source);
    EXPECT(f, what, {"gld_request", warps * (is_amd() ? loads : loads_h100)},
           {"gst_request", warps * (is_amd() ? stores : stores_h100)});
}

static void members_are_one_access(void **state)
{
    check(*state, "a copy", "out[i] = a[i];", 1, 1, 3, 3);
    check(*state, "x and y", "out[i].x = a[i].x + a[i].y;", 1, 1, 2, 1);
    check(*state, "x and z", "out[i].x = a[i].x + a[i].z;", 2, 1, 2, 1);
    check(*state, "six words", "out[i].x = a[i].x + a[i].y + a[i].z + a[i + 1].x + a[i + 1].y;", 2,
          1, 5, 1);
}

/* b may be out. */
static void what_may_meet_stays_apart(void **state)
{
    check(*state, "a store between", "const int x = a[i].x; out[i].y = x; out[i].x = x + a[i].y;",
          2, 2, 2, 2);
    check(*state, "another buffer", "out[i].x = a[i].x + b[i].y;", 2, 1, 2, 1);
}

/* All 12 bytes of each work-item in line are 768 bytes of 64, and 384 of 32. */
static void sectors_are_as_many(void **state)
{
    COUNT(*state, ITEMS, GROUP,
          "typedef struct { int x, y, z; } P;\n"
          "__kernel void k(__global const P *a, __global const P *b, __global P *out)\n"
          "{ out[get_global_id(0)] = a[get_global_id(0)]; }\n");
    EXPECT(*state, "whole lines", {"gld_sector", ITEMS * 12 / 32.},
           {"gst_sector", ITEMS * 12 / 32.});
}

#define BOTH cmocka_unit_test(members_are_one_access), cmocka_unit_test(what_may_meet_stays_apart)

int main(void)
{
    static const gpu_tests groups[] = {
        {"mi250x", {BOTH, cmocka_unit_test(sectors_are_as_many)}},
        {"w6600", {BOTH, cmocka_unit_test(sectors_are_as_many)}},
        {"h100", {BOTH}},
    };

    return run_by_gpu(groups, sizeof groups / sizeof *groups, setup_tested_gpu);
}
