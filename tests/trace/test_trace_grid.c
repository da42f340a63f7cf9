/* Tests barriers of the whole grid: work-groups see what all others have written before, a sample
 * of work-groups gives the counts of all, and a grid that does not fit on the GPU is refused.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_suite.h"

#define SOURCE PM_SOURCE_DIR "/tests/trace/sources/cuda/grid.cu"

enum { ITEMS = 1 << 14, GROUP = 64, GROUPS = 264, SWEEPS = 5 };

static pm_executor *open_engine(const pm_counter_table *table, double sample)
{
    const pm_trace_engine_options options = {
        .target = "h100", .worker = test_worker(), .sample = sample};
    pm_executor *executor = NULL;

    assert_ok(pm_executor_trace_open(&options, table, NULL, &executor, told()) == PM_OK);
    return executor;
}

static float start_at(int i)
{
    return (float)(i * 37 % 101);
}

static pm_workload *smoothing(size_t groups, int items)
{
    pm_workload *w = owned_workload(pm_workload_create("test", "base", "1"));
    float *a = need(malloc((size_t)items * sizeof *a));

    for (int i = 0; i < items; i++)
        a[i] = start_at(i);
    pm_workload_source_file(w, SOURCE);
    pm_workload_options(w, "%s", "");
    pm_workload_buffer(w, "a", (size_t)items * sizeof *a, a, PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE);
    pm_workload_buffer(w, "b", (size_t)items * sizeof *a, NULL, PM_BUFFER_OUTPUT);
    pm_workload_launch(w, "smooth", 1, (size_t[]){groups * GROUP}, (size_t[]){GROUP});
    PM_ARGS(w, PM_BUFFER(0), PM_BUFFER(1), PM_INT(items), PM_INT(SWEEPS));
    assert_ok(w->error.status == PM_OK);
    return w;
}

static size_t counter_at(const pm_counter_table *table, const char *name)
{
    size_t at = 0;

    while (at < pm_counter_table_size(table) && strcmp(pm_counter_name(table, at), name) != 0)
        at++;
    assert_true(at < pm_counter_table_size(table));
    return at;
}

/* Results of a run and of a complete count are those of the sweeps one after the other. */
TEST(groups_see_what_others_have_written)
{
    static float a[ITEMS], b[ITEMS], found[ITEMS];
    pm_executor *engine;
    suite_counts counts;
    pm_workload *w;

    if (!engine_is_there())
        skip();
    w = smoothing(GROUPS, ITEMS);
    for (int i = 0; i < ITEMS; i++)
        a[i] = start_at(i);
    for (int s = 0; s < SWEEPS; s++) {
        for (int i = 0; i < ITEMS; i++)
            b[i] = 0.5f * (a[i > 0 ? i - 1 : i] + a[i < ITEMS - 1 ? i + 1 : i]);
        memcpy(a, b, sizeof a);
    }
    engine = open_engine(*state, 1);
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    for (unsigned pass = 0; pass < 2; pass++) {
        if (pass == 0)
            assert_ok(engine->type->run(engine, NULL, told()) == PM_OK);
        else
            assert_ok(suite_count(engine, *state, w, &counts, told()) == PM_OK);
        assert_ok(engine->type->read(engine, 1, found, told()) == PM_OK);
        assert_memory_equal(found, b, sizeof b);
    }
    engine->type->close(engine);
}

/* Each sweep reads all of the data from L2 again, because other compute units have written them. */
TEST(each_phase_reads_from_l2)
{
    pm_executor *engine;
    suite_counts counts;
    pm_workload *w;

    if (!engine_is_there())
        skip();
    w = smoothing(GROUPS, ITEMS);
    engine = open_engine(*state, 1);
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_ok(suite_count(engine, *state, w, &counts, told()) == PM_OK);
    engine->type->close(engine);
    /* 8 floats of 4 bytes in a sector; a warp also reads one sector before its own, and one
     * behind */
    assert_true(counts.values[counter_at(*state, "l1_global_load_miss")] >=
                SWEEPS * ITEMS * 4 / 32);
    assert_true(counts.values[counter_at(*state, "l1_global_load_miss")] <=
                1.5 * SWEEPS * ITEMS * 4 / 32);
    assert_true(counts.values[counter_at(*state, "barrier")] == SWEEPS * GROUPS * GROUP / 32);
}

/* A sample of the work-groups goes from phase to phase without the others. */
TEST(a_sample_is_like_the_whole)
{
    static const char *const names[] = {"gld_request",    "gst_sector", "l1_global_load_miss",
                                        "l2_read_sector", "barrier",    "inst_executed"};
    suite_counts counts[2];
    pm_workload *w;

    if (!engine_is_there())
        skip();
    w = smoothing(GROUPS, 16 * ITEMS);
    for (unsigned i = 0; i < 2; i++) {
        pm_executor *engine = open_engine(*state, i ? 0.2 : 1);

        assert_ok(engine->type->load(engine, w, told()) == PM_OK);
        assert_ok(suite_count(engine, *state, w, &counts[i], told()) == PM_OK);
        assert_true(engine->type->complete(engine) == (i == 0));
        engine->type->close(engine);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t at = counter_at(*state, names[i]);

        assert_true(fabs(counts[1].values[at] / counts[0].values[at] - 1) < 0.05);
    }
}

/* All work-groups run, even of a sample, if a branch depends on what others have written. */
TEST(data_of_other_groups_decides)
{
    static float x[ITEMS];
    pm_executor *engine;
    suite_counts counts;
    pm_workload *w;
    int steps = 0;
    double sum = 0;

    if (!engine_is_there())
        skip();
    for (int i = 0; i < ITEMS; i++)
        x[i] = 1;
    w = owned_workload(pm_workload_create("test", "base", "1"));
    pm_workload_source_file(w, SOURCE);
    pm_workload_options(w, "%s", "");
    pm_workload_buffer(w, "x", sizeof x, memcpy(need(malloc(sizeof x)), x, sizeof x),
                       PM_BUFFER_RESTORE);
    pm_workload_buffer(w, "sums", 100 * sizeof(float), NULL, PM_BUFFER_RESTORE);
    pm_workload_buffer(w, "steps", sizeof steps, NULL, PM_BUFFER_OUTPUT);
    pm_workload_launch(w, "halve", 1, (size_t[]){GROUPS * GROUP}, (size_t[]){GROUP});
    PM_ARGS(w, PM_BUFFER(0), PM_BUFFER(1), PM_BUFFER(2), PM_INT(ITEMS));
    assert_ok(w->error.status == PM_OK);
    engine = open_engine(*state, 0.1);
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_ok(suite_count(engine, *state, w, &counts, told()) == PM_OK);
    assert_ok(engine->type->read(engine, 2, &steps, told()) == PM_OK);
    engine->type->close(engine);
    for (sum = ITEMS; sum >= 16; sum /= 2)
        steps--;
    assert_int_equal(steps, 0);
}

TEST(a_grid_has_to_fit)
{
    pm_executor *engine;
    suite_counts counts;
    pm_workload *w;
    pm_error err = {0};

    if (!engine_is_there())
        skip();
    w = smoothing(132 * 32 + 1, ITEMS);
    engine = open_engine(*state, 0);
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_int_equal(suite_count(engine, *state, w, &counts, &err), PM_BAD_INPUT);
    assert_non_null(strstr(err.text, "4225 work-groups of kernel smooth wait for each other, and "
                                     "h100 holds 4224 at a time"));
    engine->type->close(engine);
}

TEST_MAIN(open_table, close_table)
