/* A kernel in PTX computes what its source in CUDA C++ computes, and is counted like it. Each
 * kernel of twins/NAME.cu is also in twins/NAME.ptx, which nvcc 13.0 made of it (nvcc -ptx
 * -arch=sm_90).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "tests/trace/trace_suite.h"

#define TWINS PM_SOURCE_DIR "/tests/ptx/twins/"

enum { WORDS = 4096, BLOCK = 128, BLOCKS = 8, ITEMS = BLOCK * BLOCKS };

/* Contents of the input: bits below 2^16, floats in [0, 1) or doubles in [0, 1). */
typedef enum { BITS, FLOATS, DOUBLES } contents;

typedef struct {
    const char *file, *kernel;
    contents in;
    size_t block, shared; /* block: 0 for BLOCK; shared: bytes of dynamic shared memory */
    /* Largest relative difference of results; of floats, unless it is 0. */
    double tolerance;
    /* Largest ratio of executed instructions, or of its inverse. clang unrolls the loop of `walk`,
     * and nvcc the loop of `calls`. */
    double instructions;
} twin;

static const twin twins[] = {
    {"memory", "add", FLOATS, 0, 0, 0, 1.1},
    {"memory", "wide", FLOATS, 0, 0, 0, 1.2},
    {"memory", "transpose", FLOATS, 256, 0, 0, 1.1},
    {"memory", "gather", BITS, 0, 0, 0, 1.2},
    {"memory", "bytes", BITS, 0, 0, 0, 1.2},
    {"memory", "constants", BITS, 0, 0, 0, 1.2},
    {"memory", "private_array", BITS, 0, 0, 0, 1.2},
    {"memory", "shared_of_launch", FLOATS, 0, 8 * BLOCK, 0, 1.2},
    {"memory", "walk", FLOATS, 0, 0, 0, 3},
    {"warps", "reduce", FLOATS, 0, 0, 1e-5, 1.2},
    {"warps", "histogram", BITS, 0, 0, 0, 1.2},
    {"warps", "largest", FLOATS, 0, 0, 0, 1.3},
    {"warps", "exchange", BITS, 0, 0, 0, 1.2},
    {"warps", "calls", FLOATS, 0, 0, 1e-6, 2},
    {"warps", "choices", BITS, 0, 0, 0, 1.3},
    {"numbers", "integers", BITS, 0, 0, 0, 1.3},
    {"numbers", "floats", FLOATS, 0, 0, 1e-6, 1.3},
    {"numbers", "functions", FLOATS, 0, 0, 1e-5, 2},
    {"numbers", "doubles", DOUBLES, 0, 0, 1e-12, 1.3},
};

typedef struct {
    uint32_t out[WORDS];
    const double *counts;
} outcome;

static void *make_input(contents in)
{
    uint32_t *words = need(malloc(WORDS * sizeof *words));
    uint64_t state = 7;

    for (size_t i = 0; i < WORDS; i++) {
        const float single = (float)(i * 37 % 1009) / 1009;
        const double real = (double)(i * 53 % 2003) / 2003;

        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        words[i] = (uint32_t)(state >> 48);
        if (in == FLOATS)
            memcpy(&words[i], &single, sizeof single);
        if (in == DOUBLES && i % 2 == 0)
            memcpy(&words[i], &real, sizeof real);
        if (in == DOUBLES)
            i++;
    }
    return words;
}

/* Runs and counts a kernel of a file with this ending. */
static outcome *run_twin(const pm_counter_table *table, const twin *t, const char *ending)
{
    const pm_trace_engine_options options = {
        .target = "h100", .sample = 1, .worker = test_worker()};
    const size_t block = t->block ? t->block : BLOCK;
    pm_workload *w = owned_workload(pm_workload_create("test", "base", "1"));
    outcome *found = room(1, sizeof *found);
    pm_executor *engine = NULL;
    suite_counts counts;
    char path[4096];

    assert_ok(pm_executor_trace_open(&options, table, NULL, &engine, told()) == PM_OK);
    snprintf(path, sizeof path, TWINS "%s%s", t->file, ending);
    pm_workload_source_file(w, path);
    pm_workload_options(w, "%s", "");
    pm_workload_buffer(w, "in", sizeof found->out, make_input(t->in), PM_BUFFER_IN);
    pm_workload_buffer(w, "out", sizeof found->out, calloc(WORDS, sizeof(uint32_t)),
                       PM_BUFFER_OUTPUT | PM_BUFFER_IN);
    pm_workload_launch(w, t->kernel, 1, (size_t[]){ITEMS}, &block);
    PM_ARGS(w, PM_BUFFER(0), PM_BUFFER(1), PM_INT(ITEMS));
    if (t->shared > 0)
        pm_workload_shared(w, t->shared);
    assert_ok(w->error.status == PM_OK);
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_ok(suite_count(engine, table, w, &counts, told()) == PM_OK);
    found->counts = counts.values;
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_ok(engine->type->run(engine, NULL, told()) == PM_OK);
    assert_ok(engine->type->read(engine, 1, found->out, told()) == PM_OK);
    engine->type->close(engine);
    return found;
}

static double real_at(const twin *t, const uint32_t *words, size_t i)
{
    float single;
    double real;

    if (t->in == DOUBLES)
        memcpy(&real, &words[i & ~(size_t)1], sizeof real);
    memcpy(&single, &words[i], sizeof single);
    return t->in == DOUBLES ? real : single;
}

/* Returns whether all results are the same, and prints the first that differs. */
static bool has_same_results(const twin *t, const outcome *cuda, const outcome *ptx)
{
    for (size_t i = 0; i < WORDS; i++) {
        const double wanted = real_at(t, cuda->out, i), found = real_at(t, ptx->out, i);

        if (cuda->out[i] == ptx->out[i] ||
            (t->tolerance > 0 && fabs(found - wanted) <= t->tolerance * (fabs(wanted) + 1)))
            continue;
        print_error("%s: word %zu is %x (%g) in PTX, and %x (%g) in CUDA\n", t->kernel, i,
                    ptx->out[i], found, cuda->out[i], wanted);
        return false;
    }
    return true;
}

static size_t counter_of(const pm_counter_table *table, const char *name)
{
    size_t c = 0;

    while (c < pm_counter_table_size(table) && strcmp(pm_counter_name(table, c), name) != 0)
        c++;
    assert_true(c < pm_counter_table_size(table));
    return c;
}

/* Returns whether accesses to memory are the same, and the number of instructions about the same.
 * Prints the counters that differ. */
static bool has_same_counts(const pm_counter_table *table, const twin *t, const outcome *cuda,
                            const outcome *ptx)
{
    static const char *const same[] = {"gld_request", "gst_request", "gld_sector",
                                       "gst_sector",  "shared_load", "shared_store",
                                       "local_load",  "barrier",     "atomic"};
    const size_t total = counter_of(table, "inst_executed");
    const double ratio = ptx->counts[total] / cuda->counts[total];
    bool are = ratio <= t->instructions && ratio >= 1 / t->instructions;

    if (!are)
        print_error("%s: %g instructions in PTX, and %g in CUDA\n", t->kernel, ptx->counts[total],
                    cuda->counts[total]);
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        const size_t c = counter_of(table, same[k]);

        if (cuda->counts[c] == ptx->counts[c])
            continue;
        print_error("%s: %s is %g in PTX, and %g in CUDA\n", t->kernel, same[k], ptx->counts[c],
                    cuda->counts[c]);
        are = false;
    }
    return are;
}

static void compare_twins(const pm_counter_table *table, const char *file)
{
    size_t wrong = 0;

    if (!engine_is_there())
        skip();
    for (size_t k = 0; k < sizeof twins / sizeof *twins; k++) {
        const twin *t = &twins[k];
        const outcome *cuda, *ptx;

        if (strcmp(t->file, file) != 0)
            continue;
        cuda = run_twin(table, t, ".cu");
        ptx = run_twin(table, t, ".ptx");
        wrong += !has_same_results(t, cuda, ptx);
        wrong += !has_same_counts(table, t, cuda, ptx);
    }
    assert_int_equal(wrong, 0);
}

TEST(kernels_that_access_memory)
{
    compare_twins(*state, "memory");
}

TEST(kernels_with_warps_and_branches)
{
    compare_twins(*state, "warps");
}

TEST(kernels_that_compute)
{
    compare_twins(*state, "numbers");
}

TEST_MAIN(open_table, close_table)
