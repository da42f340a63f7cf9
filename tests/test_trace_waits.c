/* How often warps wait for loads (load_wait, load_wait_miss), counted by hand, for an H100.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_counts_fixture.h"

/* Neither load needs the other: a warp starts both and waits once, and both miss. */
static void loads_side_by_side(void **state)
{
    count_case(*state, &(launch_case){.source = KERNEL("out[i] = a[i] + b[i];\n"),
                                      .global = {256},
                                      .local = {64}});
    EXPECT(*state, "side by side", {"gld_request", 8 * 2}, {"load_wait", 8}, {"load_wait_miss", 8});
}

/* The second load's address is what the first one loads. */
static void loads_one_after_the_other(void **state)
{
    count_case(*state, &(launch_case){.source = KERNEL("out[i] = b[i + a[i]];\n"),
                                      .global = {256},
                                      .local = {64}});
    EXPECT(*state, "one after the other", {"gld_request", 8 * 2}, {"load_wait", 8 * 2},
           {"load_wait_miss", 8 * 2});
}

/* The store must not be overtaken, as out may be b; its value waits for a. */
static void a_load_behind_a_store(void **state)
{
    count_case(*state, &(launch_case){.source = KERNEL("out[i] = a[i];\n"
                                                       "out[i + 65536] = b[i];\n"),
                                      .global = {256},
                                      .local = {64}});
    EXPECT(*state, "behind a store", {"gld_request", 8 * 2}, {"load_wait", 8 * 2},
           {"load_wait_miss", 8 * 2});
}

/* A line of 32 ints is 4 sectors of 8: the loop's load misses in every eighth round. Both warps of
 * a group find the sector at the same time, and both wait for it; only one misses. */
static void warps_wait_for_the_same_sector(void **state)
{
    count_case(*state, &(launch_case){.source = KERNEL("int sum = 0;\n" LOOP
                                                       "for (int j = 0; j < 64; j++)\n"
                                                       "    sum += a[j];\n"
                                                       "out[i] = sum;\n"),
                                      .global = {64},
                                      .local = {64}});
    EXPECT(*state, "same sector", {"gld_request", 2 * 64}, {"load_wait", 2 * 64},
           {"l1_global_load_miss", 64 / 8}, {"load_wait_miss", 2 * 64 / 8});
}

/* The same again: all of it is in L1. */
static void a_second_time_nobody_waits_long(void **state)
{
    count_case(*state, &(launch_case){.source = KERNEL("int sum = 0;\n" LOOP
                                                       "for (int j = 0; j < 128; j++)\n"
                                                       "    sum += a[j & 63];\n"
                                                       "out[i] = sum;\n"),
                                      .global = {64},
                                      .local = {64}});
    EXPECT(*state, "second time", {"load_wait", 2 * 128}, {"load_wait_miss", 2 * 64 / 8});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_side_by_side),
        cmocka_unit_test(loads_one_after_the_other),
        cmocka_unit_test(a_load_behind_a_store),
        cmocka_unit_test(warps_wait_for_the_same_sector),
        cmocka_unit_test(a_second_time_nobody_waits_long),
    };

    return cmocka_run_group_tests(tests, trace_setup, trace_teardown);
}
