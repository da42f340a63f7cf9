/* Tests CUDA programs of the suite whose arrays are copied to shared memory. The results have the
 * same bytes as without, the trace engine counts the same events as for the OpenCL versions, and
 * NVIDIA's compiler, if this machine has it, accepts the new source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/nvidia/cuda_code.h"
#include "tests/layout/layout_cuda.h"

typedef struct {
    const char *program, *text;
} staged_case;

/* Kamiya's product and inverse, a neighbourhood, a loop that is split in two, vectors, and structs
 * as a whole and by field. */
static const staged_case cases[] = {
    {"matmul", "shared"},         {"matmul", "shared:a+b/8"},
    {"matmul", "shared:b"},       {"inverse", "shared"},
    {"inverse", "shared:in"},     {"sobel3x3", "shared"},
    {"matmul_tiled", "shared"},   {"nbody", "shared"},
    {"particlefilter", "shared"}, {"particlefilter", "soa;shared"},
};

enum { CASES = sizeof cases / sizeof *cases };

static pm_executor *open_engine(const pm_counter_table *table)
{
    const pm_trace_engine_options options = {.target = "h200", .worker = test_worker()};
    pm_executor *executor = NULL;

    assert_ok(pm_executor_trace_open(&options, table, NULL, &executor, told()) == PM_OK);
    return executor;
}

/* Loads a workload into an engine of its own. */
static pm_executor *load(const pm_counter_table *table, const pm_workload *w)
{
    pm_executor *engine = open_engine(table);

    if (engine->type->load(engine, w, told()) != PM_OK)
        fail_msg("%s: %s\n%s", w->program, last_error.text, w->source);
    return engine;
}

/* ---- results -------------------------------------------------------------------------------- */

static void *read_buffer(pm_executor *engine, const pm_workload *w, size_t buffer)
{
    void *bytes = room(w->buffers[buffer].bytes, 1);

    assert_ok(engine->type->read(engine, buffer, bytes, told()) == PM_OK);
    return bytes;
}

/* Returns whether every byte of every buffer is equal. */
static void compare_results(const pm_counter_table *table, const staged_case *c,
                            const pm_workload *plain, const pm_workload *staged)
{
    pm_executor *of_plain = load(table, plain), *of_staged = load(table, staged);

    assert_ok(of_plain->type->run(of_plain, NULL, told()) == PM_OK);
    if (of_staged->type->run(of_staged, NULL, told()) != PM_OK)
        fail_msg("%s %s: %s\n%s", c->program, c->text, last_error.text, staged->source);
    assert_int_equal(plain->buffer_count, staged->buffer_count);
    for (size_t b = 0; b < plain->buffer_count; b++)
        if (memcmp(read_buffer(of_plain, plain, b), read_buffer(of_staged, staged, b),
                   plain->buffers[b].bytes) != 0)
            fail_msg("%s %s: %s has other bytes\n%s", c->program, c->text, plain->buffers[b].name,
                     staged->source);
    of_plain->type->close(of_plain);
    of_staged->type->close(of_staged);
}

/* ---- counts --------------------------------------------------------------------------------- */

static suite_counts count(const pm_counter_table *table, const pm_workload *w)
{
    pm_executor *engine = load(table, w);
    suite_counts counts;

    assert_ok(suite_count(engine, table, w, &counts, told()) == PM_OK);
    engine->type->close(engine);
    return counts;
}

static void compare_counts(const pm_counter_table *table, const staged_case *c,
                           const pm_workload *opencl, const pm_workload *cuda)
{
    static const char *const requests[] = {"gld_request",  "gst_request", "shared_load",
                                           "shared_store", "atomic",      "barrier"};
    const suite_counts expected = count(table, opencl), got = count(table, cuda);
    const size_t width = pm_counter_table_size(table);
    double shared = 0;

    assert_int_equal(expected.count, got.count);
    for (size_t at = 0; at < got.count; at++)
        for (size_t r = 0; r < sizeof requests / sizeof *requests; r++) {
            const char *counter = pm_counter_name(table, at % width);

            if (strcmp(counter, requests[r]) != 0)
                continue;
            if (strcmp(counter, "shared_load") == 0)
                shared += got.values[at];
            if (expected.values[at] != got.values[at])
                fail_msg("%s %s, %s: %s is %g in OpenCL C and %g in CUDA\n%s\n%s", c->program,
                         c->text, cuda->launches[at / width].kernel, counter, expected.values[at],
                         got.values[at], opencl->source, cuda->source);
        }
    assert_true(shared > 0);
}

/* ---- tests ---------------------------------------------------------------------------------- */

TEST(the_same_bytes)
{
    if (!engine_is_there())
        skip();
    for (size_t i = 0; i < CASES; i++) {
        const staged_case *c = &cases[i];
        const pm_program *program = pm_suite_find(c->program);
        const bool in_layout_first = strchr(c->text, ';') != NULL;
        const pm_workload *plain =
            in_layout_first ? in_layout(in_cuda(program), "soa") : owned_workload(in_cuda(program));

        compare_results(*state, c, plain, in_layout(in_cuda(program), c->text));
    }
}

TEST(counted_as_their_twins)
{
    if (!engine_is_there())
        skip();
    for (size_t i = 0; i < CASES; i++) {
        const pm_program *program = pm_suite_find(cases[i].program);

        compare_counts(*state, &cases[i], in_layout(in_opencl(program), cases[i].text),
                       in_layout(in_cuda(program), cases[i].text));
    }
}

TEST(compiled_by_nvidia)
{
    static const pm_compiler_limits limits = {.seconds = 60};
    pm_cuda_compiler *compiler = pm_cuda_compiler_open(90, 13, &limits, told());

    if (!compiler) {
        print_message("SKIPPED: %s\n", last_error.text);
        skip();
    }
    print_message("%s\n", pm_cuda_compiler_name(compiler));
    for (size_t i = 0; i < CASES; i++) {
        const pm_workload *w = in_layout(in_cuda(pm_suite_find(cases[i].program)), cases[i].text);
        pm_cuda_code code = {0};

        if (pm_cuda_compile(compiler, w, &code, told()) != PM_OK)
            fail_msg("%s %s: %s\n%s", cases[i].program, cases[i].text, last_error.text, w->source);
        assert_non_null(strstr(code.ptx, ".shared"));
        pm_cuda_code_free(&code);
    }
    pm_cuda_compiler_close(compiler);
}

TEST_MAIN(open_table, close_table)
