/* Bulk copies of PTX copy what the PTX manual says, and barriers in shared memory wait for them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "kernel_run.h"

enum { THREADS = 128, ROW = 16, BYTES = THREADS * ROW };

/* Code that makes the shared array `barrier` at %r0 wait for one arrival, and leaves %c0 true for
 * thread 0 alone. */
#define START                                                                                      \
    "mov.u64 %b7, barrier; cvt.u32.u64 %r0, %b7; setp.eq.u32 %c0, %l, 0;\n"                        \
    "@%c0 mbarrier.init.shared::cta.b64 [%r0], 1;\n@%c0 fence.mbarrier_init.release.cluster;\n"    \
    "@%c0 fence.proxy.async.shared::cta; bar.sync 0;\n"
#define LOAD                                                                                       \
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"                            \
    ".L2::cache_hint [%tile], [%p], 2048, [%r0], %b6;\n"
#define WAIT "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %c1, [%r0], 0;\n@!%c1 bra WAIT;\n"
#define PASS_ON                                                                                    \
    "ld.shared.v4.b32 {%r1,%r2,%r3,%r4}, [%at]; st.global.v4.b32 [%q], {%r1,%r2,%r3,%r4};\n"

static const uint8_t *given(void)
{
    static uint8_t in[BYTES];

    for (unsigned k = 0; k < BYTES; k++)
        in[k] = (uint8_t)(k * 7 + k / 256);
    return in;
}

static const void *run_rows(const pm_counter_table *table, const char *code, suite_counts *counts)
{
    return run_text(table, kernel_of(code, ROW, ROW), THREADS,
                    (input[]){{given(), BYTES}, {NULL, BYTES}}, 2, counts);
}

TEST(a_copy_arrives_at_its_barrier)
{
    static const char *const orders[] = {
        "@%c0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r0], 2048;\n@%c0 " LOAD,
        "@%c0 " LOAD "@%c0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r0], 2048;\n",
        "@%c0 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r0], 2048;\n@%c0 " LOAD
        "@%c0 mbarrier.arrive.shared::cta.b64 _, [%r0];\n",
    };

    if (!engine_is_there())
        skip();
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        char code[2000];

        snprintf(code, sizeof code, "%s", START);
        strcat(code, "mov.b64 %b6, 0;\n");
        strcat(code, orders[k]);
        strcat(code, WAIT PASS_ON);
        assert_memory_equal(run_rows(*state, code, NULL), given(), BYTES);
    }
}

/* 32 threads copy 64 bytes each. */
TEST(each_thread_makes_its_own_copy)
{
    static const char code[] = START
        "setp.lt.u32 %c2, %l, 32; mad.wide.u32 %b1, %l, 48, %p; mad.lo.u32 %r5, %l, 64, %tile;\n"
        "@%c0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r0], 2048;\nbar.sync 0;\n"
        "@%c2 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r5], [%b1], "
        "64, [%r0];\n" WAIT PASS_ON;

    if (!engine_is_there())
        skip();
    assert_memory_equal(run_rows(*state, code, NULL), given(), BYTES);
}

TEST(a_copy_counts_as_requests_to_l2)
{
    static const char code[] =
        START "mov.b64 %b6, 0;\n@%c0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r0], 2048;\n"
              "@%c0 " LOAD WAIT PASS_ON;
    suite_counts counts;

    if (!engine_is_there())
        skip();
    run_rows(*state, code, &counts);
    assert_int_equal(counter(*state, &counts, "l2_read_sector"), BYTES / 32);
    assert_int_equal(counter(*state, &counts, "gld_request"), 0);
    assert_int_equal(counter(*state, &counts, "gld_sector"), 0);
    assert_int_equal(counter(*state, &counts, "shared_store"), 0);
    assert_int_equal(counter(*state, &counts, "shared_load"), THREADS / 32);
    /* only the loads take wavefronts, and not the copy */
    assert_int_equal(counter(*state, &counts, "shared_wavefront"), 4 * THREADS / 32);
    /* each warp waits once at the barrier */
    assert_int_equal(counter(*state, &counts, "load_wait"), THREADS / 32);
    assert_int_equal(counter(*state, &counts, "load_wait_miss"), THREADS / 32);
}

TEST(a_group_of_copies_is_stored)
{
    static const char code[] = START
        "ld.global.v4.b32 {%r1,%r2,%r3,%r4}, [%p]; st.shared.v4.b32 [%at], {%r1,%r2,%r3,%r4};\n"
        "fence.proxy.async.shared::cta; bar.sync 0;\n@!%c0 bra DONE;\n"
        "cp.async.bulk.global.shared::cta.bulk_group [%q], [%tile], 2032;\n"
        "add.u64 %b1, %q, 2032; add.u32 %r5, %tile, 2032; mov.b32 %r6, 16;\n"
        "cp.async.bulk.global.shared::cta.bulk_group [%b1], [%r5], %r6;\n"
        "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;\nDONE:\n";
    suite_counts counts;

    if (!engine_is_there())
        skip();
    assert_memory_equal(run_rows(*state, code, &counts), given(), BYTES);
    assert_int_equal(counter(*state, &counts, "gst_request"), 0);
    /* half of the sectors go to the other partition of L2, too; two pieces share a sector */
    assert_int_equal(counter(*state, &counts, "l2_write_sector"), (BYTES / 32 + 1) * 3 / 2);
    assert_int_equal(counter(*state, &counts, "load_wait"), 5);
}

typedef struct {
    const char *type;
    const char *add;       /* operation and type */
    unsigned bytes;        /* of an element */
    uint64_t a, b, result; /* bit patterns of an element in global and shared memory */
} reduction;

TEST(elements_are_reduced)
{
    static const reduction all[] = {
        {"u32", "add.u32", 4, 7, 0xfffffffe, 5},
        {"s32", "min.s32", 4, 7, 0xfffffffe, 0xfffffffe},
        {"s32", "max.s32", 4, 7, 0xfffffffe, 7},
        {"u32", "inc.u32", 4, 7, 7, 0},
        {"u32", "dec.u32", 4, 0, 9, 9},
        {"b32", "and.b32", 4, 6, 3, 2},
        {"b64", "xor.b64", 8, 6, 0x100000003, 0x100000005},
        {"u64", "add.u64", 8, 1, 0xffffffff, 0x100000000},
        {"s64", "max.s64", 8, 0xffffffffffffffff, 2, 2},
        {"f32", "add.f32", 4, 0x3fc00000, 0x40200000, 0x40800000},
        {"f64", "add.f64", 8, 0x3ff8000000000000, 0x4004000000000000, 0x4010000000000000},
        {"f16", "add.noftz.f16", 2, 0x3e00, 0x4100, 0x4400},
        {"bf16", "add.noftz.bf16", 2, 0x3fc0, 0x4020, 0x4080},
        {"f16", "max.f16", 2, 0x3e00, 0x4100, 0x4100},
    };

    if (!engine_is_there())
        skip();
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const reduction *r = &all[k];
        const unsigned count = 64 / r->bytes;
        uint8_t in[64];
        const uint8_t *out;
        char code[1000];

        for (unsigned i = 0; i < count; i++)
            memcpy(in + i * r->bytes, i % 2 ? &r->b : &r->a, r->bytes);
        /* the output gets the input, and then the input's neighbours are added */
        snprintf(code, sizeof code,
                 "setp.lt.u32 %%c0, %%l, 4; setp.eq.u32 %%c1, %%l, 0; @!%%c0 bra DONE;\n"
                 "ld.global.v4.b32 {%%r1,%%r2,%%r3,%%r4}, [%%p];\n"
                 "st.global.v4.b32 [%%q], {%%r1,%%r2,%%r3,%%r4};\n"
                 "st.shared.v4.b32 [%%at], {%%r1,%%r2,%%r3,%%r4}; bar.warp.sync 15;\n"
                 "mov.u32 %%r5, %%tile; @!%%c1 bra DONE;\n"
                 "ld.shared.b%u %%%s, [%%tile+%u];\nst.shared.b%u [%%tile], %%%s;\n"
                 "cp.reduce.async.bulk.global.shared::cta.bulk_group.%s [%%q], [%%r5], 64;\n"
                 "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nDONE:\n",
                 r->bytes * 8,
                 r->bytes == 8   ? "b1"
                 : r->bytes == 4 ? "r6"
                                 : "r6",
                 r->bytes, r->bytes * 8, r->bytes == 8 ? "b1" : "r6", r->add);
        out = run_text(*state, kernel_of(code, ROW, ROW), 32, (input[]){{in, 64}, {NULL, 64}}, 2,
                       NULL);
        /* element 0: a in global memory, b in shared memory */
        if (memcmp(out, &r->result, r->bytes) != 0)
            fail_msg("%s is wrong", r->add);
    }
}

/* Warp 0 loads four tiles into two stages. Warps 1 to 3 add up what they read. Each stage has a
 * barrier for full and one for empty. */
TEST(two_stages_are_filled_and_emptied)
{
    static const char code[] =
        "mov.u64 %b7, barrier; cvt.u32.u64 %r0, %b7; setp.eq.u32 %c0, %l, 0; @!%c0 bra READY;\n"
        "mbarrier.init.shared::cta.b64 [%tile+4032], 1; mbarrier.init.shared::cta.b64 "
        "[%tile+4040], 1;\n"
        "mbarrier.init.shared::cta.b64 [%tile+4048], 96; mbarrier.init.shared::cta.b64 "
        "[%tile+4056], 96;\n"
        "READY: bar.sync 0; mov.b32 %r10, 0; mov.b32 %r11, 0; setp.ge.u32 %c1, %l, 32;\n"
        "@%c1 bra CONSUME; @!%c0 bra DONE;\n"
        "PRODUCE: and.b32 %r2, %r10, 1; mad.lo.u32 %r3, %r2, 8, %tile; mad.lo.u32 %r4, %r2, 512, "
        "%tile;\n"
        "shr.u32 %r5, %r10, 1; and.b32 %r5, %r5, 1; xor.b32 %r5, %r5, 1;\n"
        "FREE: mbarrier.try_wait.parity.shared::cta.b64 %c2, [%r3+4048], %r5;\n@!%c2 bra FREE;\n"
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3+4032], 512;\n"
        "mad.wide.u32 %b1, %r10, 512, %p;\n"
        "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r4], [%b1], 512, "
        "[%r3+4032];\n"
        "add.u32 %r10, %r10, 1; setp.lt.u32 %c3, %r10, 4; @%c3 bra PRODUCE; bra DONE;\n"
        "CONSUME: and.b32 %r2, %r10, 1; mad.lo.u32 %r3, %r2, 8, %tile; mad.lo.u32 %r4, %r2, 512, "
        "%tile;\n"
        "shr.u32 %r5, %r10, 1; and.b32 %r5, %r5, 1;\n"
        "FULL: mbarrier.try_wait.parity.shared::cta.b64 %c2, [%r3+4032], %r5;\n@!%c2 bra FULL;\n"
        "mad.lo.u32 %r6, %l, 4, %r4; ld.shared.b32 %r7, [%r6]; add.u32 %r11, %r11, %r7;\n"
        "mbarrier.arrive.shared::cta.b64 _, [%r3+4048];\n"
        "add.u32 %r10, %r10, 1; setp.lt.u32 %c3, %r10, 4; @%c3 bra CONSUME;\n"
        "DONE: st.global.b32 [%q], %r11;\n";
    static uint32_t in[512];
    const uint32_t *out;
    suite_counts counts;

    if (!engine_is_there())
        skip();
    for (uint32_t k = 0; k < 512; k++)
        in[k] = k * k;
    out = run_text(*state, kernel_of(code, 4, 4), THREADS,
                   (input[]){{in, sizeof in}, {NULL, THREADS * 4}}, 2, &counts);
    for (uint32_t k = 0; k < THREADS; k++)
        assert_int_equal(out[k], k < 32 ? 0 : in[k] + in[128 + k] + in[256 + k] + in[384 + k]);
    /* Copies of two stages are in flight together, so that the three warps wait twice. */
    assert_int_equal(counter(*state, &counts, "load_wait"), 3 * 2);
}

static void expect_failure(const pm_counter_table *table, const char *code, const char *message)
{
    const char *found = failure_of(table, code);

    if (!strstr(found, message) || strncmp(found, "text.ptx:", 9) != 0 || strchr(found, '\n'))
        fail_msg("the message is: %s\nwanted: %s", found, message);
}

TEST(wrong_copies_are_errors)
{
#define ONE(copy) START "@%c0 cp.async.bulk." copy ";\n"
#define TO_SHARED "shared::cta.global.mbarrier::complete_tx::bytes "
#define TO_GLOBAL "global.shared::cta.bulk_group "
    static const struct {
        const char *code, *message;
    } all[] = {
        {ONE(TO_SHARED "[%tile], [%p], 24, [%r0]"), "its size is no multiple of 16"},
        {ONE(TO_SHARED "[%tile], [%p+4], 16, [%r0]"), "in global memory is no multiple of 16"},
        {ONE(TO_SHARED "[%tile+8], [%p], 16, [%r0]"), "in shared memory is no multiple of 16"},
        {ONE(TO_SHARED "[%tile], [%p], 65536, [%r0]"), "it leaves the shared memory of the block"},
        {ONE(TO_SHARED "[%tile], [%p], 1024, [%r0]"), "byte 1008 of in, which has 512"},
        {ONE(TO_GLOBAL "[%q], [%tile], 528"), "byte 512 of out, which has 512"},
        {START "@%c0 cp.reduce.async.bulk.global.shared::cta.bulk_group.max.f32 [%q], [%tile], 16;",
         "elements of this type have no such reduction"},
        /* more bytes are expected than arrive */
        {START "@%c0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r0], 32;\n@%c0 "
               "cp.async.bulk." TO_SHARED "[%tile], [%p], 16, [%r0];\n" WAIT,
         "the warps of a work-group wait for ever at this barrier"},
    };

    if (!engine_is_there())
        skip();
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        expect_failure(*state, all[k].code, all[k].message);
}

TEST_MAIN(open_table, close_table)
