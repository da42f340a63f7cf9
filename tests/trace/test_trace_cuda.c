/* Tests CUDA sources in the trace engine: exchanges of data between the threads of a warp give the
 * results that the host computes, and sources with headers are read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_suite.h"

#define KERNELS PM_SOURCE_DIR "/tests/trace/sources/cuda/"

enum { ITEMS = 256, GROUP = 64, WARP = 32, PARTS = 12 };

static pm_executor *open_engine(const pm_counter_table *table)
{
    const pm_trace_engine_options options = {.target = "h100", .worker = test_worker()};
    pm_executor *executor = NULL;

    assert_ok(pm_executor_trace_open(&options, table, NULL, &executor, told()) == PM_OK);
    return executor;
}

static void give_source(pm_workload *workload, const char *name, const char *options)
{
    char path[4096];

    snprintf(path, sizeof path, KERNELS "%s", name);
    pm_workload_source_file(workload, path);
    pm_workload_options(workload, "%s", options);
}

/* ---- exchanges between the threads of a warp ------------------------------------------------- */

static unsigned value_at(size_t i)
{
    return (unsigned)(i * 2654435761u) % 1009 + 2;
}

static void *values(void)
{
    unsigned *in = need(malloc(ITEMS * sizeof *in));

    for (size_t i = 0; i < ITEMS; i++)
        in[i] = value_at(i);
    return in;
}

/* Returns the words that a kernel of warp.cu writes. The kernel takes the input, the output and
 * ITEMS. */
static const unsigned *run_kernel(const pm_counter_table *table, const char *kernel, size_t words)
{
    pm_workload *w = owned_workload(pm_workload_create("test", "base", "1"));
    pm_executor *engine = open_engine(table);
    unsigned *out = room(words, sizeof *out);

    give_source(w, "warp.cu", "");
    pm_workload_buffer(w, "in", ITEMS * sizeof *out, values(), PM_BUFFER_IN);
    pm_workload_buffer(w, "out", words * sizeof *out, NULL, PM_BUFFER_OUTPUT);
    pm_workload_launch(w, kernel, 1, (size_t[]){ITEMS}, (size_t[]){GROUP});
    PM_ARGS(w, PM_BUFFER(0), PM_BUFFER(1), PM_INT(ITEMS));
    assert_ok(w->error.status == PM_OK);
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_ok(engine->type->run(engine, NULL, told()) == PM_OK);
    assert_ok(engine->type->read(engine, 1, out, told()) == PM_OK);
    engine->type->close(engine);
    return out;
}

/* Values of the lanes of a warp, and the results of votes and reductions in lane l. */
typedef struct {
    unsigned v[WARP];
    unsigned ballot, largest, sum, some, least, any, all;
} warp_values;

static warp_values warp_of(size_t first)
{
    warp_values w = {.least = UINT32_MAX, .all = 1};

    for (unsigned l = 0; l < WARP; l++) {
        w.v[l] = value_at(first + l);
        w.ballot |= (unsigned)(w.v[l] % 3 == 0) << l;
        w.largest = w.v[l] > w.largest ? w.v[l] : w.largest;
        w.sum += w.v[l];
        w.any |= w.v[l] % 64 == 0;
        w.all &= w.v[l] % 2 == 0 || l != 9;
        if (l % 3 == 1) {
            w.some++;
            w.least = w.v[l] % 1000 < w.least ? w.v[l] % 1000 : w.least;
        }
    }
    return w;
}

static unsigned same_as(const warp_values *w, unsigned lane)
{
    unsigned same = 0;

    for (unsigned l = 0; l < WARP; l++)
        same |= (unsigned)(w->v[l] % 5 == w->v[lane] % 5) << l;
    return same;
}

/* The last result: a sum over the lanes from l down; lanes without a partner add their own
 * value. */
static unsigned summed(const warp_values *w, unsigned lane)
{
    unsigned part[WARP], next[WARP];

    for (unsigned l = 0; l < WARP; l++)
        part[l] = l % 3 == 1 ? w->some + 100 * w->least : 77;
    for (unsigned step = 16; step > 0; step /= 2) {
        for (unsigned l = 0; l < WARP; l++)
            next[l] = part[l] + part[l + step < WARP ? l + step : l];
        memcpy(part, next, sizeof part);
    }
    return part[lane];
}

static void expect_lane(const unsigned *out, size_t i, const warp_values *w)
{
    const unsigned l = (unsigned)(i % WARP);
    const unsigned wanted[PARTS] = {w->v[(l & 16) | (l * 7 & 15)],
                                    w->v[l % 8 < 3 ? l : l - 3],
                                    w->v[l + 5 < WARP ? l + 5 : l],
                                    w->v[l ^ 12],
                                    w->v[l ^ 1],
                                    w->ballot,
                                    same_as(w, l),
                                    w->largest,
                                    w->sum,
                                    l % 3 == 1 ? w->some + 100 * w->least : 77,
                                    w->any + 2 * w->all,
                                    summed(w, l)};

    for (size_t p = 0; p < PARTS; p++)
        if (out[p * ITEMS + i] != wanted[p])
            fail_msg("part %zu of thread %zu is %u, not %u", p, i, out[p * ITEMS + i], wanted[p]);
}

TEST(threads_of_a_warp_exchange_values)
{
    const unsigned *out;

    if (!engine_is_there())
        skip();
    out = run_kernel(*state, "exchange", (size_t)PARTS * ITEMS);
    for (size_t i = 0; i < ITEMS; i++) {
        const warp_values w = warp_of(i / WARP * WARP);

        expect_lane(out, i, &w);
    }
}

TEST(threads_of_a_warp_wait_for_each_other)
{
    const unsigned *out;

    if (!engine_is_there())
        skip();
    out = run_kernel(*state, "hand_on", ITEMS);
    for (size_t i = 0; i < ITEMS; i++)
        assert_int_equal(out[i], value_at(i ^ 31));
}

TEST(tiles_of_threads_and_numbers_of_16_bits)
{
    const unsigned *out;

    if (!engine_is_there())
        skip();
    out = run_kernel(*state, "tiles", ITEMS);
    for (size_t i = 0; i < ITEMS; i++) {
        const unsigned small = value_at(i) % 64, product = small * small + small;
        unsigned sum = 0, any = 0;
        const unsigned step = product < 2048 ? 1 : product < 4096 ? 2 : 4; /* between neighbours */

        for (size_t k = i / 8 * 8; k < i / 8 * 8 + 8; k++) {
            sum += value_at(k);
            any |= value_at(k) % 8 == 0;
        }
        if (product % step == 0)
            assert_int_equal(out[i], 1000 * sum + 10 * product + (i % 8 == 0) + 2 * any);
    }
}

/* ---- a file with host code ------------------------------------------------------------------- */

static double float_at(size_t i)
{
    return (double)(i * 37 % 101);
}

static void *floats(void)
{
    float *in = need(malloc(ITEMS * sizeof *in));

    for (size_t i = 0; i < ITEMS; i++)
        in[i] = (float)float_at(i);
    return in;
}

/* A template's instance by its name, with dynamic shared memory, and a kernel in a namespace that
 * takes a struct by value. */
static pm_workload *program_workload(void)
{
    pm_workload *w = owned_workload(pm_workload_create("test", "base", "1"));
    const float by[2] = {3, 0.5f};

    give_source(w, "program.cu", "-std=c++17 -O3");
    pm_workload_buffer(w, "in", ITEMS * sizeof(float), floats(), PM_BUFFER_IN);
    pm_workload_buffer(w, "sums", ITEMS / GROUP * sizeof(float), NULL, PM_BUFFER_OUTPUT);
    pm_workload_buffer(w, "scaled", ITEMS * sizeof(float), NULL, PM_BUFFER_OUTPUT);
    pm_workload_launch(w, "reduce<float, 64>", 1, (size_t[]){ITEMS}, (size_t[]){GROUP});
    pm_workload_shared(w, GROUP * sizeof(float));
    PM_ARGS(w, PM_BUFFER(0), PM_BUFFER(1), PM_INT(ITEMS));
    pm_workload_launch(w, "shapes::scale", 1, (size_t[]){ITEMS}, (size_t[]){GROUP});
    PM_ARGS(w, PM_BUFFER(2));
    pm_workload_arg_value(w, by, sizeof by);
    PM_ARGS(w, PM_INT(ITEMS));
    assert_ok(w->error.status == PM_OK);
    return w;
}

TEST(files_with_host_code_templates_and_given_memory)
{
    pm_executor *engine;
    float sums[ITEMS / GROUP], scaled[ITEMS];
    pm_workload *w;

    if (!engine_is_there())
        skip();
    w = program_workload();
    engine = open_engine(*state);
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_ok(engine->type->run(engine, NULL, told()) == PM_OK);
    assert_ok(engine->type->read(engine, 1, sums, told()) == PM_OK);
    assert_ok(engine->type->read(engine, 2, scaled, told()) == PM_OK);
    engine->type->close(engine);
    for (size_t g = 0; g < ITEMS / GROUP; g++) {
        double sum = float_at(g * GROUP + GROUP - 1);

        for (size_t i = 0; i < GROUP; i++)
            sum += float_at(g * GROUP + i);
        assert_true(sums[g] == (float)sum);
    }
    for (size_t i = 0; i < ITEMS; i++)
        assert_true(scaled[i] == (float)(2 * i) * 3 + (0.5f + (float)(i % 4 + 1)));
}

/* Accesses beyond the dynamic shared memory are faults. */
TEST(memory_that_the_launch_does_not_give_is_not_there)
{
    pm_executor *engine;
    pm_workload *w;

    if (!engine_is_there())
        skip();
    w = program_workload();
    w->launches[0].shared = GROUP * sizeof(float) - 4;
    engine = open_engine(*state);
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_int_equal(engine->type->run(engine, NULL, told()), PM_BAD_INPUT);
    assert_non_null(strstr(last_error.text,
                           "program.cu:68: kernel reduce<float, 64>: a store of 4 bytes at "
                           "byte 252 of given, which has 252"));
    engine->type->close(engine);
}

/* ---- __constant__ memory --------------------------------------------------------------------- */

TEST(symbols_have_what_the_workload_gives_them)
{
    const float weights[3] = {10, 20, 30};
    pm_executor *engine;
    float scaled[ITEMS];
    pm_workload *w;

    if (!engine_is_there())
        skip();
    w = program_workload();
    pm_workload_symbol(w, "weights", weights, sizeof weights);
    engine = open_engine(*state);
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_ok(engine->type->run(engine, NULL, told()) == PM_OK);
    assert_ok(engine->type->read(engine, 2, scaled, told()) == PM_OK);
    engine->type->close(engine);
    for (size_t i = 0; i < ITEMS; i++)
        assert_true(scaled[i] == (float)(2 * i) * 3 + (0.5f + (i % 4 < 3 ? weights[i % 4] : 0)));
}

/* Static kernels and symbols that no host code names. */
TEST(static_kernels_and_symbols_are_there)
{
    const unsigned given[2] = {7, 9};
    unsigned out[WARP];
    pm_executor *engine;
    pm_workload *w;

    if (!engine_is_there())
        skip();
    w = owned_workload(pm_workload_create("test", "base", "1"));
    w->source = strdup("static __constant__ unsigned table[2];\n"
                       "static __global__ void k(unsigned *out)\n"
                       "{ out[threadIdx.x] = table[threadIdx.x % 2]; }\n");
    w->source_path = strdup("static.cu");
    pm_workload_options(w, "-O3");
    pm_workload_buffer(w, "out", sizeof out, NULL, PM_BUFFER_OUTPUT);
    pm_workload_symbol(w, "table", given, sizeof given);
    pm_workload_launch(w, "k", 1, (size_t[]){WARP}, (size_t[]){WARP});
    PM_ARGS(w, PM_BUFFER(0));
    assert_ok(w->error.status == PM_OK);
    engine = open_engine(*state);
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_ok(engine->type->run(engine, NULL, told()) == PM_OK);
    assert_ok(engine->type->read(engine, 0, out, told()) == PM_OK);
    engine->type->close(engine);
    for (size_t i = 0; i < WARP; i++)
        assert_int_equal(out[i], given[i % 2]);
}

/* A missing symbol, and one that is too small for its contents. */
TEST(symbols_have_to_fit)
{
    const float many[5] = {0};
    pm_executor *engine;

    if (!engine_is_there())
        skip();
    engine = open_engine(*state);
    for (size_t i = 0; i < 2; i++) {
        pm_workload *w = program_workload();

        pm_workload_symbol(w, i ? "weights" : "wights", many, i ? sizeof many : 4);
        assert_int_equal(engine->type->load(engine, w, told()), PM_BAD_INPUT);
        assert_non_null(strstr(last_error.text, i ? "weights has 16 bytes, given are 20"
                                                  : "no variable wights in __constant__ or "
                                                    "__device__ memory"));
    }
    engine->type->close(engine);
}

TEST_MAIN(open_table, close_table)
