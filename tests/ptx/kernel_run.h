/* Runs a block of a PTX kernel in the trace engine, and counts it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_PTX_KERNEL_RUN_H
#define PM_TESTS_PTX_KERNEL_RUN_H

#include "base/text.h"
#include "tests/trace/trace_suite.h"

enum { MOST_BUFFERS = 4 };

typedef struct {
    const void *data; /* NULL: zeros */
    size_t bytes;
} input;

static inline double counter(const pm_counter_table *table, const suite_counts *counts,
                             const char *name)
{
    for (size_t k = 0; k < pm_counter_table_size(table); k++)
        if (strcmp(pm_counter_name(table, k), name) == 0)
            return counts->values[k];
    fail_msg("no counter %s", name);
    return 0;
}

/* Runs one block of a kernel whose last buffer is its output. Returns the output. text: the PTX;
 * NULL: that of the file `path`. counts may be NULL. */
static inline void *run_source(const pm_counter_table *table, const char *path, char *text,
                               const char *kernel, size_t threads, const input *in, size_t buffers,
                               suite_counts *counts)
{
    const pm_trace_engine_options options = {.target = "h100", .worker = test_worker()};
    static const char *const names[MOST_BUFFERS] = {"a", "b", "c", "d"};
    pm_workload *w = owned_workload(pm_workload_create("test", "base", "1"));
    void *out = room(in[buffers - 1].bytes, 1);
    pm_executor *engine = NULL;

    assert_ok(pm_executor_trace_open(&options, table, NULL, &engine, told()) == PM_OK);
    if (text) {
        w->source_path = strdup("text.ptx");
        w->source = text;
    } else {
        pm_workload_source_file(w, path);
    }
    for (size_t k = 0; k < buffers; k++) {
        void *initial = need(calloc(1, in[k].bytes));

        if (in[k].data)
            memcpy(initial, in[k].data, in[k].bytes);
        pm_workload_buffer(w, names[k], in[k].bytes, initial,
                           k + 1 < buffers ? PM_BUFFER_IN : PM_BUFFER_IN | PM_BUFFER_OUTPUT);
    }
    pm_workload_launch(w, kernel, 1, &threads, &threads);
    for (size_t k = 0; k < buffers; k++)
        PM_ARGS(w, PM_BUFFER(k));
    assert_ok(w->error.status == PM_OK);
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_ok(engine->type->run(engine, NULL, told()) == PM_OK);
    assert_ok(engine->type->read(engine, buffers - 1, out, told()) == PM_OK);
    if (counts)
        assert_ok(suite_count(engine, table, w, counts, told()) == PM_OK);
    engine->type->close(engine);
    return out;
}

static inline void *run_kernel(const pm_counter_table *table, const char *path, const char *kernel,
                               size_t threads, const input *in, size_t buffers,
                               suite_counts *counts)
{
    return run_source(table, path, NULL, kernel, threads, in, buffers, counts);
}

/* Runs the kernel of a text that kernel_of has made, and frees the text. */
static inline void *run_text(const pm_counter_table *table, char *text, size_t threads,
                             const input *in, size_t buffers, suite_counts *counts)
{
    return run_source(table, NULL, text, "k", threads, in, buffers, counts);
}

/* Returns PTX in which each thread runs `code`. Its part of the buffer `in` is at %p, of `out` at
 * %q, and of 16 bytes a thread of the shared array `tile` at %at. %l is the number of the thread.
 */
static inline char *kernel_of(const char *code, size_t in_bytes, size_t out_bytes)
{
    pm_text ptx = {0};

    pm_text_add(&ptx,
                ".version 8.4\n.target sm_90\n.address_size 64\n"
                ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
                ".reg .b64 %%p, %%q, %%s; .reg .b32 %%l, %%at, %%tile; .reg .b32 %%r<64>;\n"
                ".reg .b64 %%b<8>; .reg .f64 %%e<64>; .reg .pred %%c<8>;\n"
                ".shared .align 128 .b8 tile[4096]; .shared .align 8 .b64 barrier;\n"
                "ld.param.u64 %%p, [in]; ld.param.u64 %%q, [out]; mov.u32 %%l, %%tid.x;\n"
                "cvta.to.global.u64 %%p, %%p; cvta.to.global.u64 %%q, %%q;\n"
                "mad.wide.u32 %%p, %%l, %zu, %%p; mad.wide.u32 %%q, %%l, %zu, %%q;\n"
                "mov.u64 %%s, tile; cvt.u32.u64 %%tile, %%s; mad.lo.u32 %%at, %%l, 16, %%tile;\n"
                "%s\nret;\n}\n",
                in_bytes, out_bytes, code);
    return pm_text_take(&ptx);
}

/* Runs code of kernel_of with 4 bytes of each buffer for each of 128 threads, which must fail.
 * Returns the message. */
static inline const char *failure_of(const pm_counter_table *table, const char *code)
{
    const pm_trace_engine_options options = {.target = "h100", .worker = test_worker()};
    pm_workload *w = owned_workload(pm_workload_create("test", "base", "1"));
    pm_executor *engine = NULL;
    const size_t threads = 128;
    static char message[sizeof last_error.text];

    assert_ok(pm_executor_trace_open(&options, table, NULL, &engine, told()) == PM_OK);
    w->source_path = strdup("text.ptx");
    w->source = kernel_of(code, 4, 4);
    for (size_t k = 0; k < 2; k++)
        pm_workload_buffer(w, k ? "out" : "in", 4 * threads, calloc(threads, 4), PM_BUFFER_OUTPUT);
    pm_workload_launch(w, "k", 1, &threads, &threads);
    PM_ARGS(w, PM_BUFFER(0), PM_BUFFER(1));
    assert_ok(engine->type->load(engine, w, told()) == PM_OK);
    assert_true(engine->type->run(engine, NULL, told()) == PM_BAD_INPUT);
    snprintf(message, sizeof message, "%s", last_error.text);
    engine->type->close(engine);
    return message;
}

#endif
