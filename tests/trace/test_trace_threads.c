/* Two threads, each with an executor and a workload of its own, compile, run and count at once what
 * one of them does alone.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <pthread.h>

#include "suite_sizes.h"
#include "trace_suite.h"

enum { ROUNDS = 4, THREADS = 2 };

/* Work of each thread by round. Both threads use every part of the engine at the same time. */
static const suite_case cases[THREADS][ROUNDS] = {
    {{"matmul_tiled", "local", "128"},
     {"fdtd3d", "nolocal", "64x32x4"},
     {"haar1d", "local", "524288"},
     {"copy", "float8", "1"}},
    {{"sobel3x3", "local", "128x128"},
     {"nbody", "nolocal", "1024"},
     {"binomial", "local", "8"},
     {"dct8x8", "nolocal", "256"}},
};
static const char *const targets[THREADS] = {"h100", "gtx280"};

typedef struct {
    suite_counts counts;
    size_t buffer_count;
    size_t *bytes;
    void **outputs; /* contents of output buffers; NULL for others */
} outcome;

typedef struct {
    unsigned number;
    const pm_counter_table *table;
    pthread_barrier_t *start; /* NULL: alone */
    outcome outcomes[ROUNDS];
    pm_error err; /* the first one */
} worker;

static pm_status read_outputs(pm_executor *executor, const pm_workload *w, outcome *o,
                              pm_error *err)
{
    pm_status status = executor->type->run(executor, NULL, err);

    o->buffer_count = w->buffer_count;
    o->bytes = room(w->buffer_count, sizeof *o->bytes);
    o->outputs = room(w->buffer_count, sizeof *o->outputs);
    for (size_t i = 0; status == PM_OK && i < w->buffer_count; i++) {
        if (!(w->buffers[i].flags & PM_BUFFER_OUTPUT))
            continue;
        o->bytes[i] = w->buffers[i].bytes;
        o->outputs[i] = room(o->bytes[i], 1);
        status = executor->type->read(executor, i, o->outputs[i], err);
    }
    return status == PM_OK && w->check ? w->check(w, (const void *const *)o->outputs, err) : status;
}

static pm_status one_round(worker *self, pm_executor *executor, unsigned round, pm_error *err)
{
    const suite_case *c = &cases[self->number][round];
    pm_workload *w = workload_in_size(c->program, c->variant, c->size, err);
    pm_status status;

    if (!w)
        return PM_FAILED;
    status = executor->type->load(executor, w, err);
    if (status == PM_OK)
        status = suite_count(executor, self->table, w, &self->outcomes[round].counts, err);
    if (status == PM_OK)
        status = read_outputs(executor, w, &self->outcomes[round], err);
    executor->type->unload(executor);
    pm_workload_free(w);
    return status;
}

static void *work(void *user)
{
    worker *self = user;
    const pm_trace_engine_options options = {
        .target = targets[self->number], .sample = 1, .threads = 2};
    pm_executor *executor = NULL;
    pm_status status;

    if (self->start)
        pthread_barrier_wait(self->start);
    status = pm_executor_trace_open(&options, self->table, NULL, &executor, &self->err);
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (self->start)
            pthread_barrier_wait(self->start);
        if (status == PM_OK)
            status = one_round(self, executor, round, &self->err);
    }
    if (executor)
        executor->type->close(executor);
    if (status != PM_OK && !self->err.text[0])
        snprintf(self->err.text, sizeof self->err.text, "out of memory");
    return NULL;
}

static void expect_same(const outcome *alone, const outcome *together, const char *program)
{
    if (alone->counts.count != together->counts.count ||
        !same_numbers(alone->counts.values, together->counts.values, alone->counts.count))
        fail_msg("%s: other counts than alone", program);
    assert_int_equal(alone->buffer_count, together->buffer_count);
    for (size_t i = 0; i < alone->buffer_count; i++)
        if (alone->outputs[i] &&
            memcmp(alone->outputs[i], together->outputs[i], alone->bytes[i]) != 0)
            fail_msg("%s: another result than alone in buffer %zu", program, i);
}

TEST(two_threads_do_what_one_does)
{
    pthread_barrier_t start;
    pthread_t threads[THREADS];
    worker alone[THREADS] = {0}, together[THREADS] = {0};

    /* The session and its programs are made before threads that share them. */
    for (unsigned t = 0; t < THREADS; t++)
        for (unsigned round = 0; round < ROUNDS; round++)
            suite_in_size(cases[t][round].program, cases[t][round].size);
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (unsigned t = 0; t < THREADS; t++) {
        together[t] = (worker){.number = t, .table = *state, .start = &start};
        assert_int_equal(pthread_create(&threads[t], NULL, work, &together[t]), 0);
    }
    for (unsigned t = 0; t < THREADS; t++)
        assert_int_equal(pthread_join(threads[t], NULL), 0);
    pthread_barrier_destroy(&start);
    for (unsigned t = 0; t < THREADS; t++) {
        alone[t] = (worker){.number = t, .table = *state};
        work(&alone[t]);
        assert_string_equal(alone[t].err.text, "");
        assert_string_equal(together[t].err.text, "");
        for (unsigned round = 0; round < ROUNDS; round++)
            expect_same(&alone[t].outcomes[round], &together[t].outcomes[round],
                        cases[t][round].program);
    }
}

int main(void)
{
    return engine_is_there() ? run_all_tests(open_table, close_table) : 77;
}
