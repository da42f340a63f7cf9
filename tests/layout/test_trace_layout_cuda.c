/* Tests CUDA programs with other memory layouts. The results have the same bytes as in the original
 * layout, and the trace engine counts the same events as for the OpenCL versions in the same
 * layout.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/measure.h"
#include "layout_cuda.h"

static pm_executor *open_engine(const pm_counter_table *table)
{
    const pm_trace_engine_options options = {.target = "h200", .worker = test_worker()};
    pm_executor *executor = NULL;

    assert_ok(pm_executor_trace_open(&options, table, NULL, &executor, told()) == PM_OK);
    return executor;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Outputs and counts of a workload in the plain layout. The workload's own check has accepted the
 * outputs. */
typedef struct {
    void **outputs; /* a buffer of the plain workload */
    pm_check_fn check;
    void *context;
    void (*free_context)(void *context);
    suite_counts counts;
} witness;

/* Stores the outputs, then runs the workload's own check. */
static pm_status keep_outputs(const pm_workload *workload, const void *const *outputs,
                              pm_error *err)
{
    const witness *seen = workload->check_context;
    pm_workload as_it_was = *workload;

    for (size_t b = 0; b < workload->buffer_count; b++)
        if (outputs[b])
            seen->outputs[b] =
                memcpy(room(workload->buffers[b].bytes, 1), outputs[b], workload->buffers[b].bytes);
    as_it_was.check_context = seen->context;
    return seen->check(&as_it_was, outputs, err);
}

static void free_own_context(void *context)
{
    const witness *seen = context;

    if (seen->free_context)
        seen->free_context(seen->context);
}

static witness *watch(pm_workload *w)
{
    witness *seen = room(1, sizeof *seen);

    *seen = (witness){.outputs = room(w->buffer_count, sizeof(void *)),
                      .check = w->check,
                      .context = w->check_context,
                      .free_context = w->free_context};
    assert_non_null(w->check);
    w->check = keep_outputs;
    w->check_context = seen;
    w->free_context = free_own_context;
    return seen;
}

/* In CUDA. */
static witness *run(const pm_counter_table *table, const pm_program *program, const char *layout)
{
    pm_workload *w = in_cuda(program);
    witness *seen = watch(w);
    pm_executor *engine = open_engine(table);

    w = in_layout(w, layout);
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_ok(suite_count(engine, table, w, &seen->counts, told()) == PM_OK);
    assert_ok(engine->type->run(engine, NULL, told()) == PM_OK);
    if (pm_measure_check(engine, w, told()) != PM_OK)
        fail_msg("%s in %s: %s", program->info.name, layout, last_error.text);
    engine->type->close(engine);
    return seen;
}

/* ---- counts --------------------------------------------------------------------------------- */

static suite_counts count(const pm_counter_table *table, const pm_workload *w)
{
    pm_executor *engine = open_engine(table);
    suite_counts counts;

    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_ok(suite_count(engine, table, w, &counts, told()) == PM_OK);
    engine->type->close(engine);
    return counts;
}

/* In C++ a store to an unnamed struct does not alias other unnamed structs; in C it may. If each
 * field is in a struct of its own, one field is therefore not loaded again after a store to
 * another. */
static bool may_be_fewer(const char *kernel, const char *counter)
{
    return strcmp(kernel, "normalize_weights") == 0 && strcmp(counter, "gld_request") == 0;
}

static void compare_counts(const pm_counter_table *table, const pm_program *program,
                           const char *layout, const suite_counts *cuda)
{
    static const char *const requests[] = {"gld_request",  "gst_request", "shared_load",
                                           "shared_store", "atomic",      "barrier"};
    const pm_workload *w = in_layout(in_opencl(program), layout);
    const suite_counts opencl = count(table, w);
    const size_t width = pm_counter_table_size(table);

    assert_int_equal(opencl.count, cuda->count);
    for (size_t at = 0; at < cuda->count; at++) {
        const char *counter = pm_counter_name(table, at % width);
        const char *kernel = w->launches[at / width].kernel;
        const double x = opencl.values[at], y = cuda->values[at];

        for (size_t r = 0; r < sizeof requests / sizeof *requests; r++)
            if (strcmp(counter, requests[r]) == 0 && x != y &&
                !(y < x && may_be_fewer(kernel, counter)))
                fail_msg("%s in %s, %s: %s is %g in OpenCL C and %g in CUDA", program->info.name,
                         layout, kernel, counter, x, y);
    }
}

/* ---- tests ---------------------------------------------------------------------------------- */

static void check_program(const pm_counter_table *table, const char *name)
{
    const pm_program *program = pm_suite_find(name);
    const witness *plain = run(table, program, "aos");
    pm_workload *w = owned_workload(in_cuda(program));
    const char *layouts[MOST_LAYOUTS];
    const size_t count = layouts_of(program, layouts);

    for (size_t i = 0; i < count; i++) {
        const witness *seen = run(table, program, layouts[i]);

        for (size_t b = 0; b < w->buffer_count; b++)
            if (plain->outputs[b] &&
                memcmp(plain->outputs[b], seen->outputs[b], w->buffers[b].bytes) != 0)
                fail_msg("%s in %s: %s has other bytes", name, layouts[i], w->buffers[b].name);
        compare_counts(table, program, layouts[i], &seen->counts);
    }
}

TEST(sph_in_its_layouts)
{
    if (!engine_is_there())
        skip();
    check_program(*state, "sph");
}

TEST(idw_in_its_layouts)
{
    if (!engine_is_there())
        skip();
    check_program(*state, "idw");
}

TEST(cfd_in_its_layouts)
{
    if (!engine_is_there())
        skip();
    check_program(*state, "cfd");
}

TEST(particlefilter_in_its_layouts)
{
    if (!engine_is_there())
        skip();
    check_program(*state, "particlefilter");
}

/* Kernels in different layouts, with copies between the layouts. */
TEST(conversions_between_kernels)
{
    static const struct {
        const char *program, *layouts;
    } cases[] = {
        {"sph", "aos;soa@density;cluster-align:pos_x+pos_y+pos_z/vel_x+vel_y+vel_z/"
                "accel_x+accel_y+accel_z/density+pressure@position"},
        {"cfd", "aos-align;soa@time_step"},
        {"particlefilter", "aos;asta:32@find_index"},
    };

    if (!engine_is_there())
        skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const pm_program *program = pm_suite_find(cases[i].program);
        const pm_workload *w = owned_workload(in_cuda(program));
        const witness *plain = run(*state, program, "aos");
        const witness *seen = run(*state, program, cases[i].layouts);

        assert_true(seen->counts.count > plain->counts.count);
        for (size_t b = 0; b < w->buffer_count; b++)
            if (plain->outputs[b])
                assert_memory_equal(plain->outputs[b], seen->outputs[b], w->buffers[b].bytes);
    }
}

TEST_MAIN(open_table, close_table)
