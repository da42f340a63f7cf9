/* Shared by tests of the trace engine's counts: runs a small kernel completely for an H100, and
 * compares its counters with expected values.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_TRACE_COUNTS_FIXTURE_H
#define PM_TESTS_TRACE_COUNTS_FIXTURE_H

#include <math.h>

#include "collector/opencl/opencl.h"
#include "collector/worker/executor_trace.h"
#include "compiler/compile.h"
#include "unit.h"
#include "worker_fixture.h"

enum { BUFFER_INTS = 1 << 18, WARP = 32 };

/* Every kernel's head. i: index in a one-dimensional range; lane: index in the warp. */
#define KERNEL(body)                                                                               \
    "__kernel void k(__global const int *a, __global const int *b, __global int *out)\n"           \
    "{\n"                                                                                          \
    "    const int i = get_global_id(0), lid = get_local_id(0), lane = lid & 31;\n" body "}\n"
/* Keeps loops, because an unrolled loop may have other loads. */
#define LOOP "_Pragma(\"unroll 1\") "

typedef struct {
    unsigned dimensions; /* 0: 1 */
    size_t global[3], local[3];
    const char *source;
    const char *options;       /* options of the compiler; may be NULL */
    int (*a)(size_t i);        /* value of a[i]; NULL: zeros */
    const char *path, *kernel; /* NULL: "test.cl" and "k" */
} launch_case;

typedef struct {
    const char *counter;
    double value;
} expected;

typedef struct {
    pm_counter_table *table;
    pm_executor *executor; /* NULL: this machine cannot compile for the engine */
    pm_executor *opencl;   /* not NULL: counts by a GPU with an executor that each case opens */
    pm_workload *workload;
    double *values;
    pm_trace_tables tables;
} trace_fixture;

static inline int gpu_setup(trace_fixture *f, const char *name)
{
    pm_device device;

    f->table = pm_counter_table_read(NULL, told());
    if (f->table && pm_device_select(name, &device, told()) == PM_OK &&
        pm_executor_opencl_open(&device, NULL, &f->opencl, told()) == PM_OK)
        return 0;
    print_error("%s\n", last_error.text);
    return -1;
}

/* Opens the engine with a target's rules; its devices.csv may be in a folder of the test (NULL: the
 * shipped one). The test is skipped if the machine lacks clang or libclc. Every other failure makes
 * the test fail. */
static inline int trace_setup_by(void **state, const pm_trace_engine_options *chosen)
{
    pm_trace_engine_options options = *chosen;
    trace_fixture *f = need(calloc(1, sizeof *f));
    char *bitcode = NULL;
    size_t bytes;

    options.worker = test_worker();
    *state = f;
    if (pm_compile(pm_worker_compiler(test_worker()), KERNEL("out[i] = a[i] + lane;"), "probe.cl",
                   "-cl-std=CL1.2", &bitcode, &bytes, NULL, told()) == PM_FAILED &&
        strstr(last_error.text, "install")) {
        print_message("SKIPPED: %s\n", last_error.text);
        return 0;
    }
    free(bitcode);
    f->table = pm_counter_table_read(NULL, told());
    if (!f->table ||
        pm_executor_trace_open(&options, f->table, NULL, &f->executor, told()) != PM_OK) {
        print_error("%s\n", last_error.text);
        return -1;
    }
    return 0;
}

static inline int trace_setup_for(void **state, const char *target, const char *folder)
{
    return trace_setup_by(
        state, &(pm_trace_engine_options){.target = target, .datasets = folder, .sample = 1});
}

static inline int trace_setup(void **state)
{
    const char *device = getenv("PERFMODEL_TEST_DEVICE");

    if (!device)
        return trace_setup_for(state, "h100", NULL);
    *state = need(calloc(1, sizeof(trace_fixture)));
    return gpu_setup(*state, device);
}

static inline void forget(trace_fixture *f)
{
    pm_memory_free(&f->tables.memory);
    free(f->values);
    if (f->workload && f->executor)
        f->executor->type->unload(f->executor);
    if (f->opencl && f->executor) {
        f->executor->type->close(f->executor);
        f->executor = NULL;
    }
    if (f->opencl)
        f->opencl->type->unload(f->opencl);
    pm_workload_free(f->workload);
    f->tables = (pm_trace_tables){.count = 0};
    f->values = NULL;
    f->workload = NULL;
}

static inline int trace_teardown(void **state)
{
    trace_fixture *f = *state;

    forget(f);
    if (f->executor)
        f->executor->type->close(f->executor);
    if (f->opencl)
        f->opencl->type->close(f->opencl);
    pm_counter_table_free(f->table);
    free(f);
    return 0;
}

static inline pm_workload *trace_workload(const launch_case *c)
{
    pm_workload *w = need(pm_workload_create("test", "base", "1"));
    int *a = need(malloc(BUFFER_INTS * sizeof *a));

    for (size_t i = 0; i < BUFFER_INTS; i++)
        a[i] = c->a ? c->a(i) : 0;
    w->source = strdup(c->source);
    w->source_path = strdup(c->path ? c->path : "test.cl");
    if (c->options)
        pm_workload_options(w, "%s%s", strstr(w->source_path, ".cu") ? "" : "-cl-std=CL1.2 ",
                            c->options);
    pm_workload_buffer(w, "a", BUFFER_INTS * sizeof *a, a, PM_BUFFER_IN);
    pm_workload_buffer(w, "b", BUFFER_INTS * sizeof *a, NULL, PM_BUFFER_IN);
    pm_workload_buffer(w, "out", BUFFER_INTS * sizeof *a, NULL,
                       PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE);
    pm_workload_launch(w, c->kernel ? c->kernel : "k", c->dimensions ? c->dimensions : 1, c->global,
                       c->local);
    for (size_t i = 0; i < 3; i++)
        pm_workload_arg_buffer(w, i);
    w = pm_workload_finish(w, told());
    assert_ok(w);
    return w;
}

/* Counts a kernel completely. expect() and items() then refer to its counts. */
static inline void count_case(trace_fixture *f, const launch_case *c)
{
    size_t counters;
    double *errors;

    if (!f->executor && !f->opencl)
        skip();
    forget(f);
    counters = pm_counter_table_size(f->table);
    f->values = need(calloc(counters, sizeof *f->values));
    errors = need(calloc(counters, sizeof *errors));
    f->workload = trace_workload(c);
    if (f->opencl) {
        assert_ok(f->opencl->type->load(f->opencl, f->workload, told()) == PM_OK);
        assert_ok(pm_executor_cuda_open(f->opencl, f->table, NULL, &f->executor, told()) == PM_OK);
    }
    assert_ok(f->executor->type->load(f->executor, f->workload, told()) == PM_OK);
    assert_ok(f->executor->type->count(f->executor, f->values, errors, told()) == PM_OK);
    for (size_t i = 0; i < counters; i++)
        if (!isnan(f->values[i]) && errors[i] != 0)
            fail_msg("%s: all was counted, and its error is %g", pm_counter_name(f->table, i),
                     errors[i]);
    free(errors);
    if (f->opencl)
        return;
    assert_ok(pm_executor_trace_accesses(f->executor, &f->tables, told()) == PM_OK);
    assert_int_equal(f->tables.count, 1);
    assert_true(f->tables.kernels[0].sampled == 1);
}

/* Counts a one-dimensional launch. The source and other members follow the sizes. */
#define COUNT(f, items, group, ...)                                                                \
    count_case(f, &(launch_case){.global = {items}, .local = {group}, __VA_ARGS__})

static inline double counted(const trace_fixture *f, const char *name)
{
    for (size_t i = 0; i < pm_counter_table_size(f->table); i++)
        if (strcmp(pm_counter_name(f->table, i), name) == 0)
            return f->values[i];
    fail_msg("no counter %s", name);
    return NAN;
}

/* Checks the counters in `want`, which ends with a NULL counter. Names every counter that differs
 * before it fails. */
static inline void expect(const trace_fixture *f, const char *what, const expected *want)
{
    bool same = true;

    for (; want->counter; want++) {
        double got = counted(f, want->counter);

        if (got == want->value || (f->opencl && isnan(got)))
            continue;
        print_error("%s: %s is %g, by hand %g\n", what, want->counter, got, want->value);
        same = false;
    }
    assert_true(same);
}

#define EXPECT(f, what, ...) expect(f, what, (const expected[]){__VA_ARGS__, {NULL, 0}})

static inline void expect_unknown(const trace_fixture *f, const char *const *names)
{
    for (; *names; names++)
        if (!isnan(counted(f, *names)))
            fail_msg("%s is %g; this GPU has none", *names, counted(f, *names));
}

#define EXPECT_UNKNOWN(f, ...) expect_unknown(f, (const char *const[]){__VA_ARGS__, NULL})

/* Checks the number of replayed instructions, caused by lines of global memory or conflicts in
 * shared memory. */
static inline void expect_replays(const trace_fixture *f, const char *what, double replays)
{
    double issued = counted(f, "inst_issued"), executed = counted(f, "inst_executed");

    if (!(executed > 0) || !(fabs(issued - executed - replays) < 1e-6))
        fail_msg("%s: %g issued of %g, by hand %g more", what, issued, executed, replays);
}

/* Returns the work-items of all accesses of a kind ("load") in a space ("global"). */
static inline double items(const trace_fixture *f, const char *kind, const char *space)
{
    double sum = 0;

    for (size_t i = 0; f->tables.kernels && i < f->tables.kernels[0].access_count; i++) {
        const pm_access *access = &f->tables.kernels[0].accesses[i];

        if (strcmp(access->kind, kind) == 0 && strcmp(access->space, space) == 0)
            sum += access->work_items;
    }
    return sum;
}

static inline void expect_shared_items(const trace_fixture *f, const char *what, double loads,
                                       double stores, double atomics)
{
    double l = items(f, "load", "shared"), s = items(f, "store", "shared");
    double a = items(f, "atomic", "shared");

    if (!f->opencl && (l != loads || s != stores || a != atomics))
        fail_msg("%s: %g, %g, %g shared loads, stores, atomics of work-items, by hand %g, %g, %g",
                 what, l, s, a, loads, stores, atomics);
}

static inline void expect_items(const trace_fixture *f, const char *what, double loads,
                                double stores)
{
    double got_loads = items(f, "load", "global"), got_stores = items(f, "store", "global");

    if (f->opencl)
        return; /* chips do not count by source location */
    if (got_loads != loads || got_stores != stores)
        fail_msg("%s: %g work-items load and %g store, by hand %g and %g", what, got_loads,
                 got_stores, loads, stores);
}

/* ---- tests by the rules of several GPUs ---- */

typedef struct {
    const char *gpu;
    struct CMUnitTest tests[8]; /* ends with a row without a name */
} gpu_tests;

/* The GPU of the running group of tests; the group's set-up opens it. */
static const char *tested_gpu;

static inline int setup_tested_gpu(void **state)
{
    return trace_setup_for(state, tested_gpu, NULL);
}

/* Runs the tests of each GPU, and returns the number of failed tests. */
static inline int run_by_gpu(const gpu_tests *groups, size_t count, CMFixtureFunction setup)
{
    int failed = 0;

    for (size_t g = 0; g < count; g++) {
        size_t tests = 0;

        while (groups[g].tests[tests].name)
            tests++;
        tested_gpu = groups[g].gpu;
        failed +=
            _cmocka_run_group_tests(tested_gpu, groups[g].tests, tests, setup, trace_teardown);
    }
    return failed;
}

#endif
