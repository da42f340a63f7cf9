/* Barriers of PTX for parts of a block, and barriers in shared memory, order the warps of a block.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "kernel_run.h"

enum { THREADS = 128 };

/* Runs code in which each thread loads its word to %r0 and stores %r1. Returns the stored words. */
static const uint32_t *run_words(const pm_counter_table *table, const char *code,
                                 suite_counts *counts)
{
    static uint32_t in[THREADS];
    char all[3000];

    for (uint32_t k = 0; k < THREADS; k++)
        in[k] = 100 + k;
    snprintf(all, sizeof all,
             "ld.global.b32 %%r0, [%%p]; mov.b32 %%r1, 0;\n"
             "mad.lo.u32 %%at, %%l, 4, %%tile;\nmov.u64 %%b7, barrier;\n%s\n"
             "st.global.b32 [%%q], %%r1;\n",
             code);
    return run_text(table, kernel_of(all, 4, 4), THREADS,
                    (input[]){{in, sizeof in}, {NULL, sizeof in}}, 2, counts);
}

/* The upper two warps write words, and the lower two read them after barrier 1. Then the lower ones
 * double them, and the upper ones read them after barrier 2. */
TEST(named_barriers_order_producers_and_consumers)
{
    static const char code[] = "setp.ge.u32 %c0, %l, 64;\n@%c0 bra UPPER;\n"
                               "bar.sync 1, 128; ld.shared.b32 %r1, [%at+256];\n"
                               "add.u32 %r2, %r1, %r1; st.shared.b32 [%at+256], %r2;\n"
                               "mov.b32 %r9, 2; barrier.arrive %r9, 128;\nbra END;\n"
                               "UPPER:\nst.shared.b32 [%at], %r0; bar.arrive 1, 128;\n"
                               "bar.sync 2, 128; ld.shared.b32 %r1, [%at];\nEND:\n";
    suite_counts counts;
    const uint32_t *found;

    if (!engine_is_there())
        skip();
    found = run_words(*state, code, &counts);
    for (uint32_t k = 0; k < THREADS; k++)
        assert_int_equal(found[k], k < 64 ? 164 + k : 2 * (100 + k));
    /* two warps wait at each of the barriers */
    assert_int_equal(counter(*state, &counts, "barrier"), 4);
}

TEST(reductions_at_barriers_see_all_threads)
{
    static const char code[] =
        "setp.lt.u32 %c0, %l, 5; bar.red.popc.u32 %r1, 0, %c0;\n"
        "bar.red.and.pred %c1, 0, %c0; @%c1 add.u32 %r1, %r1, 1000;\n"
        "barrier.cta.red.or.pred.aligned %c1, 1, 128, %c0; @%c1 add.u32 %r1, %r1, 2000;\n"
        "setp.ge.u32 %c0, %l, 0; bar.red.and.pred %c1, 0, %c0; @%c1 add.u32 %r1, %r1, 4000;\n";
    const uint32_t *found;

    if (!engine_is_there())
        skip();
    found = run_words(*state, code, NULL);
    for (uint32_t k = 0; k < THREADS; k++)
        assert_int_equal(found[k], 6005);
}

/* One thread of warp 0 waits for the arrival of 96 threads, reads what they have written, and lets
 * them go on. Two rounds have the parities 0 and 1. */
TEST(threads_wait_for_phases)
{
    static const char code[] =
        "setp.ne.u32 %c0, %l, 0; @%c0 bra READY;\n"
        "mbarrier.init.shared::cta.b64 [%b7], 96; fence.mbarrier_init.release.cluster;\n"
        "READY:\nbar.sync 0; mov.b32 %r3, 0; setp.ge.u32 %c1, %l, 32;\n"
        "ROUND:\n@%c1 bra WRITE;\n"
        "WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %c2, [%b7], %r3;\n@!%c2 bra WAIT;\n"
        "ld.shared.b32 %r4, [%at+128]; add.u32 %r1, %r1, %r4; bra NEXT;\n"
        "WRITE:\nadd.u32 %r5, %r0, %r3; st.shared.b32 [%at], %r5;\n"
        "mbarrier.arrive.shared::cta.b64 %b1, [%b7];\n"
        "POLL:\nmbarrier.test_wait.shared::cta.b64 %c2, [%b7], %b1;\n@!%c2 bra POLL;\n"
        "NEXT:\nbar.sync 0; add.u32 %r3, %r3, 1; setp.lt.u32 %c3, %r3, 2; @%c3 bra ROUND;\n";
    const uint32_t *found;

    if (!engine_is_there())
        skip();
    found = run_words(*state, code, NULL);
    for (uint32_t k = 0; k < 32; k++)
        assert_int_equal(found[k], 2 * (132 + k) + 1);
}

/* A phase also waits for the bytes of copies. */
TEST(phases_wait_for_bytes)
{
    static const char code[] =
        "setp.ne.u32 %c0, %l, 0; @%c0 bra READY;\nmbarrier.init.shared.b64 [%b7], 1;\n"
        "READY:\nbar.sync 0; setp.eq.u32 %c1, %l, 96; setp.eq.u32 %c2, %l, 64;\n"
        "@%c1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%b7], 48;\n"
        "@%c2 st.shared.b32 [%tile], 77;\n"
        "@%c2 mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%b7], 48;\n"
        "WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %c3, [%b7], 0;\n@!%c3 bra WAIT;\n"
        "ld.shared.b32 %r1, [%tile];\n";
    const uint32_t *found;

    if (!engine_is_there())
        skip();
    found = run_words(*state, code, NULL);
    for (uint32_t k = 0; k < THREADS; k++)
        assert_int_equal(found[k], 77);
}

/* A block that is alone in its cluster writes its own shared memory by the cluster's addresses. */
TEST(a_block_is_its_own_cluster)
{
    static const char code[] =
        "mov.u32 %r2, %cluster_ctarank; mapa.shared::cluster.u32 %r3, %at, %r2;\n"
        "st.shared::cluster.b32 [%r3], %r0; barrier.cluster.arrive.release.aligned;\n"
        "barrier.cluster.wait.acquire.aligned; xor.b32 %r4, %l, 1; mad.lo.u32 %r4, %r4, 4, %tile; "
        "ld.shared.b32 %r1, [%r4];\n"
        "mov.u32 %r5, %cluster_nctarank; add.u32 %r1, %r1, %r5;\n";
    const uint32_t *found;

    if (!engine_is_there())
        skip();
    found = run_words(*state, code, NULL);
    for (uint32_t k = 0; k < THREADS; k++)
        assert_int_equal(found[k], 101 + (k ^ 1));
}

TEST(a_block_that_waits_for_ever_is_an_error)
{
    if (!engine_is_there())
        skip();
    assert_non_null(strstr(failure_of(*state, "bar.sync 3, 192;"),
                           "the warps of a work-group wait for ever at this barrier"));
    assert_non_null(
        strstr(failure_of(*state, "mov.u64 %b7, barrier; mbarrier.init.shared.b64 [%b7], 1000;\n"
                                  "WAIT:\nmbarrier.try_wait.parity.shared.b64 %c3, [%b7], 0;\n"
                                  "@!%c3 bra WAIT;\n"),
               "the warps of a work-group wait for ever at this barrier"));
}

TEST_MAIN(open_table, close_table)
