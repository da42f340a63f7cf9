/* Asynchronous copies of PTX copy what the PTX manual says, and count what the GPU executes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "kernel_run.h"

enum { WARP = 32, ROW = 16 };

/* Runs a copy of each thread's 16 bytes to shared memory, which is first filled with ones, and from
 * there to the output. Returns the output. */
static const uint8_t *copy(const pm_counter_table *table, const char *instruction,
                           const uint8_t *given, suite_counts *counts)
{
    char code[1000];

    snprintf(code, sizeof code,
             "mov.b32 %%r0, -1; st.shared.v4.b32 [%%at], {%%r0,%%r0,%%r0,%%r0};\n"
             "and.b32 %%r1, %%l, 15; setp.lt.u32 %%c0, %%l, 8;\n"
             "%s\ncp.async.commit_group;\ncp.async.wait_group 0;\n"
             "ld.shared.v4.b32 {%%r2,%%r3,%%r4,%%r5}, [%%at];\n"
             "st.global.v4.b32 [%%q], {%%r2,%%r3,%%r4,%%r5};\n",
             instruction);
    return run_text(table, kernel_of(code, ROW, ROW), WARP,
                    (input[]){{given, WARP * ROW}, {NULL, WARP * ROW}}, 2, counts);
}

/* size: number of bytes of the copy; given(lane): bytes that are not zero. */
static void check(const pm_counter_table *table, const char *instruction, unsigned size,
                  unsigned (*given)(unsigned lane))
{
    uint8_t in[WARP * ROW];
    const uint8_t *out;

    for (unsigned k = 0; k < sizeof in; k++)
        in[k] = (uint8_t)(k % 200 + 1);
    out = copy(table, instruction, in, NULL);
    for (unsigned k = 0; k < sizeof in; k++)
        assert_int_equal(out[k], k % ROW >= size ? 0xff : k % ROW < given(k / ROW) ? in[k] : 0);
}

static unsigned all(unsigned lane)
{
    (void)lane;
    return ROW;
}

static unsigned by_lane(unsigned lane)
{
    return lane % 16;
}

static unsigned from_8_on(unsigned lane)
{
    return lane < 8 ? 0 : ROW;
}

TEST(copies_fill_shared_memory)
{
    if (!engine_is_there())
        skip();
    check(*state, "cp.async.ca.shared.global [%at], [%p], 4;", 4, all);
    check(*state, "cp.async.ca.shared.global [%at], [%p], 8;", 8, all);
    check(*state, "cp.async.cg.shared.global [%at+0], [%p+0], 0x10;", 16, all);
    check(*state, "cp.async.ca.shared::cta.global.L2::128B [%at], [%p], 16, 16;", 16, all);
    check(*state, "cp.async.cg.shared.global [%at], [%p], 16, %r1;", 16, by_lane);
    check(*state, "cp.async.ca.shared.global [%at], [%p], 16, %c0;", 16, from_8_on);
}

TEST(a_copy_is_a_global_load_for_which_wait_group_waits)
{
    uint8_t in[WARP * ROW] = {0};
    suite_counts counts;

    if (!engine_is_there())
        skip();
    copy(*state, "cp.async.cg.shared.global [%at], [%p], 16;", in, &counts);
    assert_int_equal(counter(*state, &counts, "gld_request"), 1);
    assert_int_equal(counter(*state, &counts, "gld_sector"), WARP * ROW / 32);
    assert_int_equal(counter(*state, &counts, "l1_global_load_miss"), 0);
    /* the compiler removes the store that the copy overwrites */
    assert_int_equal(counter(*state, &counts, "shared_store"), 1);
    assert_int_equal(counter(*state, &counts, "load_wait"), 1);
    copy(*state,
         "cp.async.ca.shared.global [%at], [%p], 16; cp.async.ca.shared.global [%at], [%p], 16;",
         in, &counts);
    assert_int_equal(counter(*state, &counts, "gld_request"), 2);
    assert_int_equal(counter(*state, &counts, "l1_global_load_miss"), WARP * ROW / 32);
    assert_int_equal(counter(*state, &counts, "load_wait"), 1);
    /* the groups of two waits are in flight together */
    copy(*state,
         "cp.async.ca.shared.global [%at], [%p], 4; cp.async.commit_group;\n"
         "cp.async.wait_group 1;\ncp.async.ca.shared.global [%at+4], [%p+4], 4;\n"
         "cp.async.commit_group; cp.async.wait_group 1;",
         in, &counts);
    assert_int_equal(counter(*state, &counts, "load_wait"), 1);
}

TEST_MAIN(open_table, close_table)
