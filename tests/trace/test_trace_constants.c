/* How __constant memory is counted, by hand: a pointer to it that the kernel is given, and tables
 * of the program's own, by the rules of GPUs that have a cache for what is only read (an H200, a
 * GTX 980) and of some that have none (a C2050, a GTX 680, a GTX 285).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

/* ENTRY: every kernel reads where memory is from there too. */
enum { ITEMS = 256, GROUP = 64, WARPS = ITEMS / WARP, ENTRY = 1 };

#define TABLE                                                                                      \
    "__constant int table[64] = {11, 7, 5, 3, 2, 9, 8, 4, 6, 1, 13, 17, 19, 23, 29, 31,\n"         \
    "                            12, 8, 6, 4, 3, 1, 9, 5, 7, 2, 14, 18, 20, 24, 30, 32,\n"         \
    "                            13, 9, 7, 5, 4, 2, 1, 6, 8, 3, 15, 19, 21, 25, 31, 33,\n"         \
    "                            14, 1, 8, 6, 5, 3, 2, 7, 9, 4, 16, 20, 22, 26, 32, 34};\n"
/* A kernel that is given a pointer to __constant memory: b. */
#define GIVEN(body)                                                                                \
    "__kernel void k(__global const int *a, __constant int *b, __global int *out)\n"               \
    "{\n"                                                                                          \
    "    const int i = get_global_id(0);\n" body "}\n"

static int place_of_four(size_t i)
{
    return (int)(i % 4);
}

/* ---- GPUs that read it as global memory ---------------------------------------------------- */

/* 32 ints in line are 4 sectors; a is as long. */
static void what_is_given_is_loaded(void **state)
{
    COUNT(*state, ITEMS, GROUP, GIVEN("out[i] = a[i] + b[i];\n"));
    EXPECT(*state, "in line", {"gld_request", WARPS * 2.}, {"gld_sector", WARPS * 2. * 4},
           {"l1_global_load_miss", WARPS * 2. * 4 - (tested_gpu[0] == 'g' ? WARPS * 4. : 0)},
           {"constant_pass", 0}, {"inst_memory", ITEMS * (ENTRY + 3.)});
}

/* a says which four elements: 16 bytes, and the compiler knows nothing of it. */
static void a_table_beside_what_is_given_is_loaded(void **state)
{
    COUNT(*state, ITEMS, GROUP, TABLE GIVEN("out[i] = table[a[i] & 63];\n"), .a = place_of_four);
    EXPECT(*state, "table", {"gld_request", WARPS * 2.}, {"gld_sector", WARPS * (4. + 1)},
           {"constant_pass", 0}, {"inst_memory", ITEMS * (ENTRY + 3.)});
}

/* ---- GPUs that do not ------------------------------------------------------------------------ */

/* The constant cache gives one of 32 places at a time. */
static void what_is_given_is_passed(void **state)
{
    COUNT(*state, ITEMS, GROUP, GIVEN("out[i] = a[i] + b[i];\n"));
    EXPECT(*state, "in line", {"gld_request", WARPS}, {"constant_pass", WARPS * 32.},
           {"inst_memory", ITEMS * (ENTRY + 3.)});
}

static void a_table_beside_what_is_given_is_passed(void **state)
{
    COUNT(*state, ITEMS, GROUP, TABLE GIVEN("out[i] = table[a[i] & 63];\n"), .a = place_of_four);
    EXPECT(*state, "table", {"gld_request", WARPS}, {"constant_pass", WARPS * 4.},
           {"inst_memory", ITEMS * (ENTRY + 3.)});
}

/* ---- all ------------------------------------------------------------------------------------- */

/* No pointer is given: the constant cache has the table. */
static void a_table_alone_is_passed(void **state)
{
    COUNT(*state, ITEMS, GROUP, TABLE KERNEL("out[i] = table[a[i] & 63];\n"), .a = place_of_four);
    EXPECT(*state, "four places", {"gld_request", WARPS}, {"constant_pass", WARPS * 4.},
           {"inst_memory", ITEMS * (ENTRY + 3.)});
    COUNT(*state, ITEMS, GROUP, TABLE KERNEL("out[i] = table[a[i] & 63];\n"));
    EXPECT(*state, "one place", {"gld_request", WARPS}, {"constant_pass", WARPS});
}

/* Rounds that are known before the run: each element is an operand. */
static void a_loop_through_a_table(void **state)
{
    COUNT(*state, ITEMS, GROUP,
          TABLE KERNEL("int sum = 0;\n"
                       "for (int j = 0; j < 64; j++)\n"
                       "    sum += a[i + 1024 * j] * table[j];\n"
                       "out[i] = sum;\n"));
    EXPECT(*state, "unrolled", {"gld_request", WARPS * 64.}, {"constant_pass", 0},
           {"inst_memory", ITEMS * (ENTRY + 64. + 1)});
    COUNT(*state, ITEMS, GROUP,
          TABLE KERNEL("int sum = 0;\n" LOOP "for (int j = 0; j < 64; j++)\n"
                       "    sum += a[i + 1024 * j] * table[j];\n"
                       "out[i] = sum;\n"));
    EXPECT(*state, "a loop", {"gld_request", WARPS * 64.}, {"constant_pass", WARPS * 64.});
}

#define LOADED                                                                                     \
    {                                                                                              \
        cmocka_unit_test(what_is_given_is_loaded),                                                 \
            cmocka_unit_test(a_table_beside_what_is_given_is_loaded),                              \
            cmocka_unit_test(a_table_alone_is_passed), cmocka_unit_test(a_loop_through_a_table)    \
    }
#define PASSED                                                                                     \
    {                                                                                              \
        cmocka_unit_test(what_is_given_is_passed),                                                 \
            cmocka_unit_test(a_table_beside_what_is_given_is_passed),                              \
            cmocka_unit_test(a_table_alone_is_passed)                                              \
    }

int main(void)
{
    static const gpu_tests groups[] = {{"h200", LOADED},
                                       {"gtx980", LOADED},
                                       {"c2050", PASSED},
                                       {"gtx680", PASSED},
                                       {"gtx285", PASSED}};

    return run_by_gpu(groups, sizeof groups / sizeof *groups, setup_tested_gpu);
}
