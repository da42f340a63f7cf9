/* Tests sessions: results that one has counted, read or fitted are reused, two sessions do not
 * affect each other, and a session can be stopped. Also tests advice for versions that were
 * measured.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "session_fixture.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "answer/advise/parts.h"
#include "base/session/session.h"
#include "compiler/compile.h"
#include "model/transfer/parts.h"
#include "program/suite/suite.h"
#include "worker_fixture.h"

enum { VERSIONS = 2 };

/* Traces few work-groups, because the tested results do not depend on their number. */
static pm_session *quick_session(const char *folder)
{
    return make_session((pm_session_options){.sample = 0.02, .datasets = folder});
}

static void need_compiler(void)
{
    if (pm_compiler_find(pm_worker_compiler(test_worker()), told()) != PM_OK)
        skip();
}

static const pm_trace *trace(pm_session *session, const char *program, const char *variant,
                             const char *target)
{
    const pm_trace_options options = {.target = target};
    const pm_trace *found = pm_trace_run(session, program, variant, NULL, &options, told());

    assert_ok(found);
    return found;
}

/* ---- cached data ---------------------------------------------------------------------------- */

typedef struct {
    int made, released;
    int order[8];
} ledger;

typedef struct {
    ledger *in;
    int number;
} entry;

static void release(void *object)
{
    entry *e = object;

    e->in->order[e->in->released++] = e->number;
    free(e);
}

static void keep(pm_session *session, const char *kind, const char *key, ledger *in)
{
    entry *e = need(malloc(sizeof *e));

    *e = (entry){in, in->made++};
    assert_int_equal(pm_session_keep(session, kind, key, e, release, told()), PM_OK);
}

TEST(what_is_kept_is_found_and_released_last_first)
{
    pm_session *session = quick_session(NULL);
    ledger all = {0};

    assert_null(pm_session_find(session, "kind", "key"));
    keep(session, "kind", "key", &all);
    keep(session, "other", "key", &all);
    keep(session, "kind", "key 2", &all);
    assert_int_equal(((entry *)pm_session_find(session, "kind", "key"))->number, 0);
    assert_int_equal(((entry *)pm_session_find(session, "other", "key"))->number, 1);
    assert_int_equal(((entry *)pm_session_find(session, "kind", "key 2"))->number, 2);
    assert_null(pm_session_find(session, "other", "key 2"));
    assert_null(pm_session_find(NULL, "kind", "key"));
    end_of_test(NULL, NULL);
    assert_int_equal(all.released, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(all.order[i], 2 - i);
}

TEST(options_are_checked)
{
    static const struct {
        pm_session_options options;
        const char *threads, *words;
    } bad[] = {{{.sample = 1.5}, "", "--sample 1.5"},
               {{.sample = (double)NAN}, "", "--sample nan"},
               {{.step_limit = -1}, "", "--step-limit -1"},
               {{.seed = 1}, "two", "PERFMODEL_THREADS=two"},
               {{.seed = 1}, "-1", "PERFMODEL_THREADS=-1"},
               {{.seed = 1}, "257", "at most 256"},
               {{.cuda_compiler = "gcc"}, "", "--cuda-compiler gcc: it is auto, clang or nvcc"}};
    pm_session *session;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        setenv("PERFMODEL_THREADS", bad[i].threads, 1);
        assert_null(pm_session_create(&bad[i].options, told()));
        assert_error(PM_BAD_INPUT, bad[i].words);
    }
    setenv("PERFMODEL_THREADS", "3", 1);
    session = quick_session(NULL);
    assert_int_equal(pm_session_chosen(session)->threads, 3);
    session = make_session((pm_session_options){.threads = 2});
    assert_int_equal(pm_session_chosen(session)->threads, 2);
    unsetenv("PERFMODEL_THREADS");
}

/* Equal pointers show that nothing was read or counted again. */
TEST(nothing_is_made_twice)
{
    pm_session *session = quick_session(NULL);
    const pm_known_gpu *known, *again;
    const pm_learned *learned, *learned_again, *others;

    need_compiler();
    assert_ptr_equal(trace(session, "idw", "soa", "h100"), trace(session, "idw", "soa", "h100"));
    assert_ptr_not_equal(trace(session, "idw", "soa", "h100"),
                         trace(session, "idw", "soa", "gtx980"));
    assert_ptr_not_equal(trace(session, "idw", "soa", "h100"),
                         trace(session, "idw", "aos", "h100"));
    assert_non_null(pm_dataset_open(session, "h100", told()));
    assert_ptr_equal(pm_dataset_open(session, "h100", told()),
                     pm_dataset_open(session, "h100", told()));
    assert_int_equal(pm_known_find(session, "h100", &known, told()), PM_OK);
    assert_int_equal(pm_known_find(session, "h100", &again, told()), PM_OK);
    assert_ptr_equal(known, again);
    assert_int_equal(pm_learned_find(session, "h100", PM_LEARN_OWN, &learned, told()), PM_OK);
    assert_int_equal(pm_learned_find(session, "h100", PM_LEARN_OWN, &learned_again, told()), PM_OK);
    assert_int_equal(pm_learned_find(session, "h100", PM_LEARN_OTHERS, &others, told()), PM_OK);
    assert_ptr_equal(learned, learned_again);
    assert_ptr_not_equal(learned, others);
    assert_string_equal(learned->basis, "dataset");
    assert_string_equal(others->basis, "profile");
}

/* Only CPUs are used to learn for a CPU, and only GPUs for a GPU. */
TEST(cpus_and_gpus_are_kept_apart)
{
    pm_session *session = quick_session(NULL);
    pm_known_gpu *list;
    size_t count;

    assert_int_equal(
        pm_known_list(session, &(pm_known_choice){.like = "i7-6700k"}, &list, &count, told()),
        PM_OK);
    assert_int_equal(count, 1);
    assert_string_equal(list[0].name, "pocl");
    free(list);
    assert_int_equal(
        pm_known_list(session, &(pm_known_choice){.like = "gtx980"}, &list, &count, told()), PM_OK);
    assert_true(count > 1);
    for (size_t i = 0; i < count; i++)
        assert_string_not_equal(list[i].name, "pocl");
    free(list);
}

/* ---- two sessions --------------------------------------------------------------------------- */

typedef struct {
    const char *target;
    double values[VERSIONS]; /* value of the first counter for each version */
    double years[VERSIONS];
} worker;

static const char *const versions[VERSIONS] = {"aos", "soa"};

/* Assertions must run in the main thread. */
static void *work(void *user)
{
    worker *w = user;
    pm_session *session = pm_session_create(
        &(const pm_session_options){.seed = 1, .sample = 0.1, .threads = 2}, NULL);
    const pm_trace_options options = {.target = w->target};

    for (size_t v = 0; session && v < VERSIONS; v++) {
        const pm_trace *t = pm_trace_run(session, "idw", versions[v], "4096", &options, NULL);
        const pm_learned *learned;

        w->values[v] = t ? t->kernels[0].values[0] : -1;
        w->years[v] = pm_learned_find(session, w->target, PM_LEARN_OWN, &learned, NULL) == PM_OK
                          ? learned->carry->years
                          : -1;
    }
    pm_session_free(session);
    return NULL;
}

TEST(two_threads_have_a_session_each)
{
    worker alone[2] = {{.target = "h100"}, {.target = "gtx980"}}, together[2];
    pthread_t threads[2];

    need_compiler();
    memcpy(together, alone, sizeof together);
    for (size_t i = 0; i < 2; i++)
        work(&alone[i]);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &together[i]), 0);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (size_t i = 0; i < 2; i++)
        for (size_t v = 0; v < VERSIONS; v++) {
            assert_true(alone[i].values[v] > 0);
            assert_true(alone[i].values[v] == together[i].values[v]);
            assert_true(alone[i].years[v] == together[i].years[v]);
        }
}

/* ---- stopping ------------------------------------------------------------------------------- */

static void assert_interrupted(void)
{
    assert_int_equal(last_error.status, PM_FAILED);
    assert_string_equal(last_error.text, "interrupted");
}

TEST(a_session_that_is_cancelled_does_nothing)
{
    static volatile int cancel = 1;
    pm_session *session = make_session((pm_session_options){.sample = 0.02, .cancel = &cancel});
    const pm_trace_options options = {.target = "h100"};
    const pm_advise_options advise = {.target = "h100", .program = "idw"};

    need_compiler();
    assert_null(pm_trace_run(session, "idw", NULL, NULL, &options, told()));
    assert_interrupted();
    assert_null(pm_advise(session, &advise, told()));
    assert_interrupted();
    cancel = 0;
    trace(session, "idw", NULL, "h100");
}

/* After two seconds the workload has been compiled. A cancel must end the trace at any time. */
static void *cancel_later(void *user)
{
    volatile int *cancel = user;

    sleep(2);
    *cancel = 1;
    return NULL;
}

/* A complete trace would take hours. */
TEST(a_trace_is_cancelled_in_the_middle)
{
    static volatile int cancel = 0;
    pm_session *session =
        make_session((pm_session_options){.sample = 1, .threads = 2, .cancel = &cancel});
    const pm_trace_options options = {.target = "h100"};
    pthread_t thread;

    need_compiler();
    assert_int_equal(pthread_create(&thread, NULL, cancel_later, (void *)&cancel), 0);
    assert_null(pm_trace_run(session, "matmul", "nolocal", "4096", &options, told()));
    assert_interrupted();
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(cancel, 1);
    cancel = 0;
    trace(session, "idw", "soa", "h100"); /* by the same engine */
}

/* ---- measured times ------------------------------------------------------------------------- */

OWNED(advice, pm_advice, pm_advice_free)

static pm_advice *advise(pm_session *session, const pm_advise_options *options)
{
    return owned_advice(pm_advise(session, options, told()));
}

static const pm_choice *choice_of(const pm_advice *advice, const char *variant)
{
    for (size_t i = 0; i < advice->n; i++)
        if (strcmp(advice->choices[i].variant, variant) == 0)
            return &advice->choices[i];
    fail_msg("%s: not weighed", variant);
    return NULL;
}

/* The expected values follow from the shipped datasets: 171.616 us +- 0.384 and 166.464 +- 0.512,
 * medians of 7 runs. */
TEST(measured_gains_win)
{
    pm_session *session = quick_session(PM_SOURCE_DIR "/datasets");
    pm_advise_options options = {.target = "h100", .program = "matmul", .size = "777"};

    need_compiler();
    for (int leave_out = 0; leave_out <= 1; leave_out++) {
        const double spread = 1.6449 * 1.2533 * 1.4826 / sqrt(7) *
                              sqrt(pow(0.384 / 171.616, 2) + pow(0.512 / 166.464, 2));
        pm_cost_options cost = pm_cost_options_default();
        const pm_choice *local, *base, *shared;
        pm_payback paid;
        pm_advice *advice;

        options.leave_out = leave_out;
        advice = advise(session, &options);
        local = choice_of(advice, "local");
        base = choice_of(advice, "nolocal");
        shared = choice_of(advice, "shared:a");
        assert_true(local->measured && shared->measured);
        assert_false(base->measured);
        assert_true(fabs(local->measured_gain - 171.616 / 166.464) < 1e-9);
        assert_true(fabs(log(local->measured_hi / local->measured_gain) - spread) < 1e-6);
        assert_true(fabs(log(local->measured_gain / local->measured_lo) - spread) < 1e-6);
        assert_true(isnan(base->measured_gain));
        assert_true(shared->measured_gain < 1); /* 187.0 us */
        assert_true(local->gain != local->measured_gain);
        for (size_t i = 0; i < advice->n; i++) {
            const pm_choice *c = &advice->choices[i];

            assert_int_equal(c->missed, c->measured_s < c->lo_s || c->measured_s > c->hi_s);
            if (c->measured) /* the proposed version has the largest measured gain */
                assert_true(c->measured_gain <= choice_of(advice, advice->best)->measured_gain);
        }
        /* Costs are computed from the measured gain. */
        cost.hours = 1;
        assert_int_equal(pm_cost_of(advice, local, &cost, &paid, told()), PM_OK);
        assert_true(fabs(paid.saving.mid / (1000.0 * 2 / 3600 * base->predicted_s *
                                            (1 - 1 / local->measured_gain)) -
                         1) < 1e-9);
    }
}

/* A dataset of the target in a user's folder. The model does not learn from its times of the
 * program. */
TEST(a_prediction_that_misses_is_said_to)
{
    const char *folder = scratch_folder();
    pm_advise_options options = {
        .target = "gtx980", .program = "matmul", .size = "256", .leave_out = PM_LEAVE_PROGRAM};
    pm_session *session;
    pm_advice *advice;

    need_compiler();
    write_text_in(folder, "gtx980.csv",
                  "device,program,variant,size,kernel,counter_source,time_s,time_mad_s,runs\n"
                  "gtx980,matmul,local,256,matmul,none,1000,0.1,7\n");
    session = quick_session(folder);
    advice = advise(session, &options);
    assert_true(choice_of(advice, "local")->measured_s == 1000);
    assert_true(choice_of(advice, "local")->missed);
    assert_false(choice_of(advice, "local")->measured); /* the base is not */
    assert_true(isnan(choice_of(advice, "local")->measured_gain));
    assert_true(isnan(choice_of(advice, "nolocal")->measured_s));
    assert_false(choice_of(advice, "nolocal")->missed);
}

/* A trace reuses the counts of an advice. */
TEST(advice_and_trace_share_counts)
{
    pm_session *session = quick_session(NULL);
    const pm_advise_options options = {.target = "h100", .program = "matmul", .size = "256"};
    const pm_trace_options traced = {.target = "h100"};
    const pm_counted what = {
        .program = pm_suite_find("matmul"), .variant = "shared", .size = "256", .target = "h100"};
    const pm_counts *counts;

    need_compiler();
    advise(session, &options);
    assert_int_equal(pm_counts_find(session, &what, NULL, &counts, told()), PM_OK);
    assert_ptr_equal(pm_trace_run(session, "matmul", "shared", "256", &traced, told()),
                     &counts->trace);
    assert_int_equal(pm_dataset_rows(counts->rows), 1);
}
