/* Variables of a CUDA source in global memory: kernels change them, all launches share them, and
 * their accesses are counted like those of buffers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trace_suite.h"

#define SOURCE PM_SOURCE_DIR "/tests/trace/sources/cuda/variables.cu"

enum { ITEMS = 256, GROUP = 64, SHOWN = 135 };

static pm_executor *open_engine(const pm_counter_table *table)
{
    const pm_trace_engine_options options = {.target = "h100", .worker = test_worker()};
    pm_executor *executor = NULL;

    assert_ok(pm_executor_trace_open(&options, table, NULL, &executor, told()) == PM_OK);
    return executor;
}

static size_t counter_at(const pm_counter_table *table, const char *name)
{
    size_t at = 0;

    while (at < pm_counter_table_size(table) && strcmp(pm_counter_name(table, at), name) != 0)
        at++;
    assert_true(at < pm_counter_table_size(table));
    return at;
}

static pm_workload *source_workload(void)
{
    pm_workload *w = owned_workload(pm_workload_create("test", "base", "1"));

    pm_workload_source_file(w, SOURCE);
    pm_workload_options(w, "%s", "");
    return w;
}

/* Two launches of `count` over ITEMS numbers, and one of `show`. */
static pm_workload *counting_workload(void)
{
    pm_workload *w = source_workload();
    unsigned *in = need(malloc(ITEMS * sizeof *in));

    for (unsigned i = 0; i < ITEMS; i++)
        in[i] = i * i;
    pm_workload_buffer(w, "in", ITEMS * sizeof *in, in, PM_BUFFER_IN);
    pm_workload_buffer(w, "out", SHOWN * sizeof(float), NULL, PM_BUFFER_OUTPUT);
    for (unsigned i = 0; i < 2; i++) {
        pm_workload_launch(w, "count", 1, (size_t[]){ITEMS}, (size_t[]){GROUP});
        PM_ARGS(w, PM_BUFFER(0));
    }
    pm_workload_launch(w, "show", 1, (size_t[]){GROUP}, (size_t[]){GROUP});
    PM_ARGS(w, PM_BUFFER(1));
    assert_ok(w->error.status == PM_OK);
    return w;
}

static void run(pm_executor *engine, const pm_workload *w, size_t buffer, void *out)
{
    assert_ok(engine->type->run(engine, NULL, told()) == PM_OK);
    assert_ok(engine->type->read(engine, buffer, out, told()) == PM_OK);
    assert_ok(w->launch_count > 0);
}

/* Launches see what earlier launches have stored, and each pass starts from the initial values. */
TEST(launches_share_variables)
{
    pm_executor *engine;
    pm_workload *w;
    float out[SHOWN];

    if (!engine_is_there())
        skip();
    w = counting_workload();
    engine = open_engine(*state);
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    for (unsigned pass = 0; pass < 2; pass++) {
        run(engine, w, 1, out);
        for (unsigned b = 0; b < GROUP; b++) {
            unsigned count = 0;

            for (unsigned i = 0; i < ITEMS; i++)
                count += 2 * (i * i % GROUP == b);
            assert_true(out[b] == (float)count);
            assert_true(out[GROUP + b] == (b % 2 ? 2.0f : 2.5f));
        }
        assert_true(out[128] == 5 + 2 * ITEMS / GROUP);
        assert_true(out[129] == 1 && out[130] == 1.5f);
        assert_true(out[131] == (float)0x1234567);
        assert_true(out[132] == 2.25f && out[133] == 4 && out[134] == 1);
    }
    engine->type->close(engine);
}

/* The workload's symbols replace initial values, also those of arrays in part. */
TEST(symbols_replace_initial_values)
{
    const int counter = -100;
    const float weights[2] = {9, 8};
    pm_executor *engine;
    pm_workload *w;
    float out[SHOWN];

    if (!engine_is_there())
        skip();
    w = counting_workload();
    pm_workload_symbol(w, "counter", &counter, sizeof counter);
    pm_workload_symbol(w, "weights", weights, sizeof weights);
    engine = open_engine(*state);
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    run(engine, w, 1, out);
    engine->type->close(engine);
    assert_true(out[128] == -100 + 2 * ITEMS / GROUP);
    assert_true(out[65] == 8 && out[133] == 0);
}

/* A variable is counted like a buffer of the same size. */
TEST(variables_are_counted_like_buffers)
{
    static const char *const names[] = {"gld_request",         "gld_sector",     "gst_sector",
                                        "l1_global_load_miss", "l2_read_sector", "inst_executed"};
    pm_executor *engine;
    suite_counts counts;
    pm_workload *w;

    if (!engine_is_there())
        skip();
    w = source_workload();
    pm_workload_buffer(w, "out", GROUP * sizeof(unsigned), NULL, PM_BUFFER_OUTPUT);
    pm_workload_buffer(w, "in", GROUP * sizeof(unsigned), NULL, PM_BUFFER_IN);
    pm_workload_launch(w, "from_variable", 1, (size_t[]){GROUP}, (size_t[]){GROUP});
    PM_ARGS(w, PM_BUFFER(0));
    pm_workload_launch(w, "from_buffer", 1, (size_t[]){GROUP}, (size_t[]){GROUP});
    PM_ARGS(w, PM_BUFFER(0), PM_BUFFER(1));
    engine = open_engine(*state);
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_ok(suite_count(engine, *state, w, &counts, told()) == PM_OK);
    engine->type->close(engine);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t at = counter_at(*state, names[i]);

        assert_true(counts.values[at] == counts.values[pm_counter_table_size(*state) + at]);
    }
    assert_true(counts.values[counter_at(*state, "gld_request")] == 2);
    assert_true(counts.values[counter_at(*state, "gld_sector")] == 8);
}

/* The buffers of variables are not among the workload's own. */
TEST(variables_are_no_buffers_of_the_client)
{
    pm_executor *engine;
    pm_workload *w;
    pm_error err = {0};
    char out[8];

    if (!engine_is_there())
        skip();
    w = counting_workload();
    w->launches[2].arg_count = 0;
    engine = open_engine(*state);
    assert_int_equal(engine->type->load(engine, w, &err), PM_BAD_INPUT);
    assert_non_null(strstr(err.text, "kernel show takes 1 arguments, given are 0"));
    w->launches[2].arg_count = 1;
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    w->buffer_count++;
    w->buffers = need(realloc(w->buffers, w->buffer_count * sizeof *w->buffers));
    w->buffers[2] = (pm_buffer){.bytes = sizeof out};
    assert_int_not_equal(engine->type->read(engine, 2, out, &err), PM_OK);
    engine->type->close(engine);
}

TEST_MAIN(open_table, close_table)
