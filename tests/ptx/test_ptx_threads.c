/* Indices of threads, exchanges, state spaces, jumps, calls and atomics of PTX give the results
 * that the PTX manual describes. The kernels are in threads.ptx.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "tests/trace/trace_suite.h"

#define KERNELS PM_SOURCE_DIR "/tests/ptx/threads.ptx"

enum { BLOCK = 64, BLOCKS = 2, PARTS = 12, WARP = 32, WORDS = BLOCK * BLOCKS * PARTS };

/* Runs a kernel of threads.ptx, which takes the address of WORDS words. Returns the words. */
static const uint32_t *run_kernel(const pm_counter_table *table, const char *kernel,
                                  const size_t items[3], const size_t block[3])
{
    const pm_trace_engine_options options = {.target = "h100", .worker = test_worker()};
    pm_workload *w = owned_workload(pm_workload_create("test", "base", "1"));
    uint32_t *out = room(WORDS, sizeof *out);
    pm_executor *engine = NULL;

    assert_ok(pm_executor_trace_open(&options, table, NULL, &engine, told()) == PM_OK);
    pm_workload_source_file(w, KERNELS);
    pm_workload_buffer(w, "out", WORDS * sizeof *out, need(calloc(WORDS, sizeof *out)),
                       PM_BUFFER_OUTPUT | PM_BUFFER_IN);
    pm_workload_launch(w, kernel, 3, items, block);
    PM_ARGS(w, PM_BUFFER(0));
    assert_ok(w->error.status == PM_OK);
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_ok(engine->type->run(engine, NULL, told()) == PM_OK);
    assert_ok(engine->type->read(engine, 0, out, told()) == PM_OK);
    engine->type->close(engine);
    return out;
}

/* The words of thread t of a block that begins with thread `first` of the launch. */
static void expect_thread(const uint32_t *out, uint32_t first, uint32_t t)
{
    const uint32_t lane = t % WARP, below = (UINT32_C(1) << lane) - 1;
    const bool in_part = lane % 8 + 3 < 8;
    const uint32_t wanted[PARTS] = {lane,
                                    t / WARP,
                                    below,
                                    ~below,
                                    in_part ? lane + 3 : lane,
                                    in_part,
                                    0, /* the lanes of each warp have two different values */
                                    0,
                                    first + 1,
                                    first + (t ^ 33),
                                    t < 10 ? 300 : 301,
                                    t % 4 == 0   ? 7
                                    : t % 4 == 1 ? 70
                                                 : 700};

    for (size_t p = 0; p < PARTS; p++)
        if (out[p] != wanted[p])
            fail_msg("part %zu of thread %u is %u, not %u", p, first + t, out[p], wanted[p]);
}

TEST(threads_know_their_indices)
{
    const uint32_t *out;

    if (!engine_is_there())
        skip();
    out = run_kernel(*state, "ids", (size_t[]){8 * BLOCKS, 4, 2}, (size_t[]){8, 4, 2});
    for (uint32_t i = 0; i < BLOCK * BLOCKS; i++)
        expect_thread(out + (size_t)i * PARTS, i / BLOCK * BLOCK, i % BLOCK);
}

TEST(calls_and_atomics)
{
    /* 16-bit numbers: 2 + 2 and 1 + 1 in one word; 2 and 1 before the second addition; 1 */
    static const uint32_t wanted[] = {15,     0,  1015, 0, 0x40004400, 0x3c004000,
                                      0x3f80, 11, 9,    0, 77,         0};
    const uint32_t *out;

    if (!engine_is_there())
        skip();
    out = run_kernel(*state, "sums", (size_t[]){1, 1, 1}, (size_t[]){1, 1, 1});
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (out[i] != wanted[i])
            fail_msg("word %zu is %x, not %x", i, out[i], wanted[i]);
}

TEST_MAIN(open_table, close_table)
