/* Tests the effect on the caller if a worker process is killed, hangs, crashes, uses too much
 * memory, or answers with garbage: the caller gets an error of one line, and its next request
 * works.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/worker/process.h"
#include "collector/worker/source.h"
#include "owned.h"
#include "process_fixture.h"
#include "tests/layout/rewrite_fixture.h"
#include "trace_fixture.h"

static const char SOURCE[] = "typedef struct { float x, y; int id; } P;\n"
                             "#define AT(i) p[i].x\n"
                             "kernel void k(global P *p, global float *out)\n"
                             "{ size_t i = get_global_id(0); out[i] = p[i].y + AT(i); }\n";

/* ---- processes that fail -------------------------------------------------------------------- */

/* Event that hits the process during a request. The process is stopped first, so that it has not
 * answered when the caller is asked whether to continue. */
typedef struct {
    pm_worker *worker;
    pid_t pid;
    int signal;  /* signal that the process gets; 0: none */
    bool cancel; /* whether the caller cancels at that moment */
} trouble;

static bool make_trouble(void *user)
{
    trouble *t = user;

    if (t->pid > 0 && t->signal) {
        kill(t->pid, t->signal);
        kill(t->pid, SIGCONT);
    }
    return t->pid > 0 && t->cancel;
}

static void stop(trouble *t)
{
    int how;

    t->pid = pm_worker_process(t->worker)->pid;
    assert_true(t->pid > 0);
    assert_int_equal(kill(t->pid, SIGSTOP), 0);
    assert_int_equal(waitpid(t->pid, &how, WUNTRACED), t->pid);
    assert_true(WIFSTOPPED(how));
}

OWNED(worker, pm_worker, pm_worker_free)
OWNED(source, pm_source, pm_source_close)

static pm_worker *new_worker(const pm_worker_limits *limits)
{
    return owned_worker(pm_worker_create(limits, told()));
}

static pm_source *open_source(pm_worker *worker)
{
    return owned_source(pm_source_open(SOURCE, "test.cl", "", worker, NULL, told()));
}

/* To free. */
static char *rewrite(pm_source *source, pm_error *err)
{
    const pm_structs *structs = &pm_source_describe(source)->structs;
    pm_layout layout = {.kind = PM_LAYOUT_SOA};
    pm_plan *plan = try_plan(&structs->items[0], &layout, err);
    const pm_plan *plans[] = {plan};
    pm_rewritten out = {.text = NULL};
    pm_status status;
    char *text;

    assert_int_equal(structs->count, 1);
    assert_non_null(plan);
    status = pm_source_rewrite(source, plans, &out, err);
    assert_true((status == PM_OK) == (out.text != NULL));
    text = out.text ? strdup(out.text) : NULL;
    pm_memory_free(&out.memory);
    return text;
}

static char *rewritten(pm_source *source)
{
    return owned_memory(rewrite(source, told()));
}

/* A rewrite fails. The next one succeeds in a new process. */
static void check_trouble(pm_worker_limits limits, trouble how, const char *says)
{
    trouble *t = room(1, sizeof *t); /* the worker sends the request until it ends */
    pm_source *source;
    char *before;
    pid_t pid;

    *t = how;
    limits.cancel = (pm_cancel){make_trouble, t};
    t->worker = new_worker(&limits);
    source = open_source(t->worker);
    before = rewritten(source);
    stop(t);
    assert_null(rewrite(source, told()));
    assert_error(PM_FAILED, says);
    assert_error(PM_FAILED, "test.cl: ");
    pid = t->pid;
    t->pid = 0;
    assert_string_equal(rewritten(source), before);
    assert_int_not_equal(pm_worker_process(t->worker)->pid, pid);
}

TEST(a_process_that_is_killed_or_crashes_is_told)
{
    check_trouble((pm_worker_limits){0}, (trouble){.signal = SIGKILL},
                  "was killed while rewriting");
    check_trouble((pm_worker_limits){0}, (trouble){.signal = SIGABRT}, "signal 6");
    check_trouble((pm_worker_limits){0}, (trouble){.signal = SIGTERM}, "signal 15");
}

TEST(a_process_that_hangs_is_ended)
{
    check_trouble((pm_worker_limits){.source_seconds = 3}, (trouble){.signal = 0},
                  "rewriting it took more than 3 s");
}

TEST(a_request_can_be_cancelled)
{
    check_trouble((pm_worker_limits){0}, (trouble){.cancel = true}, "cancelled while rewriting");
}

/* The process may also end between requests. */
TEST(a_process_that_ended_is_started_again)
{
    pm_worker *worker = new_worker(NULL);
    pm_source *source = open_source(worker);
    siginfo_t how;

    for (int i = 0; i < 3; i++) {
        pid_t pid = pm_worker_process(worker)->pid;

        assert_int_equal(kill(pid, SIGKILL), 0);
        assert_int_equal(waitid(P_PID, (id_t)pid, &how, WEXITED | WNOWAIT), 0);
        rewritten(source);
    }
}

/* ---- traces --------------------------------------------------------------------------------- */

static pm_workload *make_workload(const char *source, size_t bytes)
{
    const size_t global = bytes / 4 < 1024 ? 64 : bytes / 4 / 1024 * 64, local = 64;
    pm_workload *w = pm_workload_create("test", "plain", "1");
    size_t out;

    give_source(w, "test.cl", source);
    out = pm_workload_buffer(w, "out", bytes, pm_workload_contents(w, bytes), PM_BUFFER_OUTPUT);
    pm_workload_launch(w, "k", 1, &global, &local);
    pm_workload_arg_buffer(w, out);
    return owned_workload(pm_workload_finish(w, told()));
}

static void close_executor(pm_executor *executor)
{
    executor->type->close(executor);
}

OWNED(executor, pm_executor, close_executor)

typedef struct {
    pm_counter_table *table;
    pm_worker *worker;
    pm_executor *executor;
} tracer;

static tracer open_tracer(const pm_worker_limits *limits)
{
    tracer t = {.table = owned_table(pm_counter_table_read(NULL, told())),
                .worker = new_worker(limits)};
    const pm_trace_engine_options options = {
        .target = "h100", .sample = 1, .seed = 1, .worker = t.worker};

    (void)pm_executor_trace_open(&options, t.table, NULL, &t.executor, told());
    owned_executor(t.executor);
    return t;
}

#define ADD "kernel void k(global int *out) { out[get_global_id(0)] += 3; }\n"

TEST(a_trace_outlives_its_process)
{
    tracer t = open_tracer(NULL);
    pm_workload *w = make_workload(ADD, 4096);
    size_t counters = pm_counter_table_size(t.table);
    double *first = room(counters, sizeof *first), *second = room(counters, sizeof *second);
    int out[1024];

    assert_int_equal(t.executor->type->load(t.executor, w, told()), PM_OK);
    assert_int_equal(t.executor->type->count(t.executor, first, NULL, told()), PM_OK);
    kill(pm_worker_process(t.worker)->pid, SIGKILL);
    assert_int_equal(t.executor->type->read(t.executor, 0, out, told()), PM_FAILED);
    assert_error(PM_FAILED, "test.cl: ");
    assert_int_equal(t.executor->type->count(t.executor, second, NULL, told()), PM_OK);
    assert_memory_equal(first, second, counters * sizeof *first);
    assert_int_equal(t.executor->type->read(t.executor, 0, out, told()), PM_OK);
    assert_int_equal(out[63], 3);
    t.executor->type->unload(t.executor);
}

/* A loop in each work-item writes a whole buffer, so its pages belong to the process. */
TEST(a_process_that_grows_is_ended)
{
    static const size_t large = (size_t)512 << 20;
    const pm_worker_limits limits = {.memory_bytes = (size_t)256 << 20};
    tracer t = open_tracer(&limits);
    pm_workload *w =
        make_workload("kernel void k(global int *out) { for (int i = 0; i < 1024; i++)\n"
                      "    out[i * get_global_size(0) + get_global_id(0)] = i; }\n",
                      large / 64 * 64);
    pm_workload *small = make_workload(ADD, 4096);

    w->launches[0].global[0] = large / 4 / 1024;
    assert_int_equal(t.executor->type->load(t.executor, w, told()), PM_OK);
    assert_int_equal(t.executor->type->run(t.executor, NULL, told()), PM_FAILED);
    assert_error(PM_FAILED, "took more than 256 MiB");
    t.executor->type->unload(t.executor);
    if (t.executor->type->load(t.executor, small, told()) != PM_OK ||
        t.executor->type->run(t.executor, NULL, told()) != PM_OK)
        fail_msg("%s", last_error.text);
    t.executor->type->unload(t.executor);
}

TEST(too_much_private_memory_is_refused)
{
    static const struct {
        const char *elements, *says;
    } cases[] = {{"25000000000L", "test.cl:1: more private memory than the 512 KiB"},
                 {"100000", "test.cl: kernel k: a work-item has 400000 bytes of private memory"}};
    const pm_worker_limits limits = {.memory_bytes = (size_t)256 << 20};
    tracer t = open_tracer(&limits);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        pm_workload *w;

        snprintf(text, sizeof text,
                 "kernel void k(global int *out) {\n    private volatile int a[%s];\n"
                 "    a[out[0]] = 1; out[get_global_id(0)] = a[out[1]]; }\n",
                 cases[i].elements);
        w = make_workload(text, 4096);
        assert_int_equal(t.executor->type->load(t.executor, w, told()), PM_BAD_INPUT);
        assert_error(PM_BAD_INPUT, cases[i].says);
    }
}

/* Large buffers are sent as files and small ones in the message. Both arrive unchanged. */
TEST(buffers_go_there_and_back)
{
    static const size_t sizes[] = {4, 1 << 12, (3 << 20) + 4};
    tracer t = open_tracer(NULL);

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        pm_workload *w = make_workload("kernel void k(global int *out)\n"
                                       "{ if (get_global_id(0) == 0) out[0] += 7; }\n",
                                       sizes[s]);
        unsigned char *initial = w->buffers[0].initial, *out = room(sizes[s], 1);
        int32_t first;

        for (size_t i = 0; i < sizes[s]; i++)
            initial[i] = (unsigned char)(i * 2654435761u >> 7);
        if (t.executor->type->load(t.executor, w, told()) != PM_OK ||
            t.executor->type->run(t.executor, NULL, told()) != PM_OK ||
            t.executor->type->read(t.executor, 0, out, told()) != PM_OK)
            fail_msg("%s", last_error.text);
        memcpy(&first, initial, sizeof first);
        first += 7;
        assert_memory_equal(out, &first, sizeof first);
        assert_memory_equal(out + 4, initial + 4, sizes[s] - 4);
        t.executor->type->unload(t.executor);
    }
}

/* ---- many requests -------------------------------------------------------------------------- */

TEST(one_process_serves_many_and_nothing_is_left)
{
    size_t files = open_files(getpid()), inside = 0;
    tracer t = open_tracer(NULL);
    pm_workload *w = make_workload(ADD, 2 << 20);
    pid_t pid = 0;

    for (int i = 0; i < 20; i++) {
        pm_source *source = need(pm_source_open(SOURCE, "test.cl", "", t.worker, NULL, told()));
        size_t theirs;

        rewritten(source);
        pm_source_close(source);
        assert_int_equal(t.executor->type->load(t.executor, w, told()), PM_OK);
        t.executor->type->unload(t.executor);
        theirs = open_files(pm_worker_process(t.worker)->pid);
        if (i == 0) {
            pid = pm_worker_process(t.worker)->pid;
            inside = theirs;
        }
        assert_int_equal(pm_worker_process(t.worker)->pid, pid);
        assert_int_equal(theirs, inside);
    }
    end_of_test(NULL, NULL);
    assert_int_equal(open_files(getpid()), files);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void *rewrite_often(void *user)
{
    pm_worker *worker = user;
    char *first = NULL;

    for (int i = 0; i < 10; i++) {
        pm_source *source = pm_source_open(SOURCE, "test.cl", "", worker, NULL, told());
        char *text = source ? rewrite(source, told()) : NULL;

        if (!first)
            first = text;
        else if (!text || strcmp(first, text) != 0)
            i = 10;
        if (text != first)
            free(text);
        pm_source_close(source);
    }
    return first;
}

TEST(threads_share_a_worker)
{
    enum { THREADS = 4 };
    pm_worker *worker = new_worker(NULL);
    pthread_t threads[THREADS];
    void *texts[THREADS];

    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, rewrite_often, worker), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &texts[i]);
        assert_string_equal(owned_memory(texts[i]), texts[0]);
    }
}

/* The caller does not tell the worker that it ends, as after SIGKILL. */
TEST(a_worker_ends_with_its_caller)
{
    int ends[2], how;
    pid_t caller, pid = 0;

    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    assert_int_equal(pipe(ends), 0);
    caller = fork();
    if (caller == 0) {
        pm_worker *worker = pm_worker_create(NULL, NULL);
        pm_process *process = worker ? pm_worker_process(worker) : NULL;

        if (process && pm_process_start(process, NULL) == PM_OK &&
            write(ends[1], &process->pid, sizeof process->pid) > 0)
            _exit(0);
        _exit(1);
    }
    assert_int_equal(waitpid(caller, &how, 0), caller);
    assert_int_equal(how, 0);
    assert_int_equal(read(ends[0], &pid, sizeof pid), sizeof pid);
    assert_int_equal(waitpid(pid, &how, 0), pid);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
    close(ends[0]);
    close(ends[1]);
}

/* A forked child does not use its parent's worker process. */
TEST(a_fork_has_its_own)
{
    pm_worker *worker = new_worker(NULL);
    pm_source *source = open_source(worker);
    pid_t pid = pm_worker_process(worker)->pid, child = fork();
    char *text;
    int how;

    if (child == 0) {
        text = rewrite(source, told());
        how = text ? 0 : 1;
        free(text);
        pm_source_close(source);
        pm_worker_free(worker);
        _exit(how);
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
    rewritten(source);
    assert_int_equal(pm_worker_process(worker)->pid, pid);
}
