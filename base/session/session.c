/* Implements sessions. See session.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/session/session.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/version.h"

enum { MOST_THREADS = 256 };

typedef struct {
    const char *kind; /* name of the kind, static */
    char *key;
    void *object;
    void (*release)(void *object);
} kept;

struct pm_session {
    pm_session_options options;
    /* datasets, ptxas, with: copies of the caller's strings, to which the members of `options`
     * point */
    char *datasets, *ptxas, **with;
    /* An outer step of the work, which pm_session_show_within sets, and whose inner steps
     * (substeps) are running. The progress display shows the numbers `done` and `total` of the
     * outer step and not those of the substeps. */
    struct {
        size_t done, total;
        /* text before the name of each substep; "": pm_session_show_within is not in effect */
        char prefix[160];
    } outer;
    size_t left_out;
    /* Time of the last call of options.stop, milliseconds of the monotonic clock. */
    atomic_int_fast64_t asked_ms;
    /* result of the last call of options.stop: true if the user cancelled the work */
    atomic_bool stopped;
    /* count: number of cached objects. room: number of objects for which the array `kept` has
     * memory; the array grows when it is full. */
    size_t count, room;
    /* cached objects, in the order in which they were added */
    kept *kept;
};

static const pm_session_options defaults = {.seed = 1};

/* ---- the options ---------------------------------------------------------------------------- */

static pm_status check(const pm_session_options *options, pm_error *err)
{
    if (!(options->sample >= 0 && options->sample <= 1))
        return pm_fail(err, PM_BAD_INPUT,
                       "--sample %g: a share of the work-groups above 0, at most 1, or all",
                       options->sample);
    if (!(options->step_limit >= 0))
        return pm_fail(err, PM_BAD_INPUT, "--step-limit %g: a number above 0", options->step_limit);
    return PM_OK;
}

/* Sets options->cuda_compiler, the compiler of CUDA sources. If the caller gives none, takes it
 * from $PERFMODEL_CUDA_COMPILER, else "auto". PM_BAD_INPUT if the name is not known. */
static pm_status choose_cuda_compiler(pm_session_options *options, pm_error *err)
{
    static const char *const known[] = {"auto", "clang", "nvcc"};
    const bool given = options->cuda_compiler != NULL;
    const char *text = given ? options->cuda_compiler : getenv("PERFMODEL_CUDA_COMPILER");

    if (!text || !*text)
        text = known[0];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i], text) == 0) {
            options->cuda_compiler = known[i];
            return PM_OK;
        }
    return pm_fail(err, PM_BAD_INPUT, "%s%.60s: it is auto, clang or nvcc",
                   given ? "--cuda-compiler " : "PERFMODEL_CUDA_COMPILER=", text);
}

static pm_status choose_threads(pm_session_options *options, pm_error *err)
{
    const char *text = getenv("PERFMODEL_THREADS");
    char *end;
    unsigned long threads;

    if (options->threads > 0 || !text || !*text)
        return PM_OK;
    threads = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || threads > MOST_THREADS)
        return pm_fail(err, PM_BAD_INPUT,
                       "PERFMODEL_THREADS=%.32s: a number of threads is wanted, at most %d; 0 is "
                       "as many as there are cores",
                       text, MOST_THREADS);
    options->threads = (unsigned)threads;
    return PM_OK;
}

static pm_status keep_with(pm_session *session, pm_error *err)
{
    const char *const *with = session->options.with;
    size_t count = 0;

    while (with && with[count])
        count++;
    session->options.with = NULL;
    if (count == 0)
        return PM_OK;
    session->with = calloc(count + 1, sizeof *session->with);
    for (size_t i = 0; session->with && i < count; i++) {
        session->with[i] = strdup(with[i]);
        if (!session->with[i])
            return pm_fail(err, PM_FAILED, "out of memory for a session");
    }
    session->options.with = (const char *const *)session->with;
    return session->with ? PM_OK : pm_fail(err, PM_FAILED, "out of memory for a session");
}

/* Copies the strings to which the options point, because the caller may free them. */
static pm_status keep_texts(pm_session *session, pm_error *err)
{
    pm_session_options *options = &session->options;
    const bool datasets = options->datasets, ptxas = options->ptxas;

    if (datasets)
        options->datasets = session->datasets = strdup(options->datasets);
    if (ptxas)
        options->ptxas = session->ptxas = strdup(options->ptxas);
    if ((datasets && !session->datasets) || (ptxas && !session->ptxas))
        return pm_fail(err, PM_FAILED, "out of memory for a session");
    return keep_with(session, err);
}

pm_session *pm_session_create(const pm_session_options *options, pm_error *err)
{
    pm_session *session = calloc(1, sizeof *session);
    pm_status status = session ? PM_OK : pm_fail(err, PM_FAILED, "out of memory for a session");

    if (session)
        session->options = options ? *options : defaults;
    if (status == PM_OK)
        status = PM_UNUSED(&session->options, err);
    if (status == PM_OK)
        status = check(&session->options, err);
    if (status == PM_OK)
        status = choose_threads(&session->options, err);
    if (status == PM_OK)
        status = choose_cuda_compiler(&session->options, err);
    if (status == PM_OK)
        status = keep_texts(session, err);
    if (status == PM_OK)
        return session;
    pm_session_free(session);
    return NULL;
}

void pm_session_free(pm_session *session)
{
    if (!session)
        return;
    while (session->count > 0) {
        kept *last = &session->kept[--session->count];

        last->release(last->object);
        free(last->key);
    }
    free(session->kept);
    free(session->datasets);
    free(session->ptxas);
    for (char **with = session->with; with && *with; with++)
        free(*with);
    free(session->with);
    free(session);
}

const pm_session_options *pm_session_chosen(const pm_session *session)
{
    return session ? &session->options : &defaults;
}

const pm_log *pm_session_log(const pm_session *session)
{
    return &pm_session_chosen(session)->log;
}

/* ---- work that was left out ----------------------------------------------------------------- */

void pm_session_leave_out(pm_session *session, const char *format, ...)
{
    char text[1024];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    pm_notice(pm_session_log(session), "%s", text);
    if (session)
        session->left_out++;
}

size_t pm_session_left_out(const pm_session *session)
{
    return session ? session->left_out : 0;
}

/* ---- steps ---------------------------------------------------------------------------------- */

bool pm_session_is_cancelled(const pm_session *session)
{
    const pm_session_options *options = pm_session_chosen(session);

    return (options->cancel && *options->cancel) ||
           (options->stop && options->stop(options->stop_user));
}

/* Shortest time between two calls of the callback pm_session_options.stop, milliseconds. */
enum { ASK_EVERY_MS = 20 };

/* Returns whether the user has cancelled the work. Loops call this function every few microseconds,
 * so it does not call `stop` again within ASK_EVERY_MS after a result of false. Several threads may
 * call this function at the same time. */
static bool is_cancelled(void *user)
{
    pm_session *session = user;
    const pm_session_options *options = pm_session_chosen(session);
    int_fast64_t now, before;

    if (options->cancel && *options->cancel)
        return true;
    if (!session || !options->stop)
        return false;
    now = (int_fast64_t)(pm_now_s() * 1000);
    before = atomic_load(&session->asked_ms);
    if (now - before < ASK_EVERY_MS && !atomic_load(&session->stopped))
        return false;
    atomic_store(&session->asked_ms, now);
    atomic_store(&session->stopped, options->stop(options->stop_user));
    return atomic_load(&session->stopped);
}

pm_cancel pm_session_cancel(pm_session *session)
{
    return (pm_cancel){is_cancelled, session};
}

pm_status pm_session_go_on(const pm_session *session, pm_error *err)
{
    return pm_session_is_cancelled(session) ? pm_fail(err, PM_FAILED, "interrupted") : PM_OK;
}

pm_status pm_session_end_step(const pm_session *session, pm_status status, pm_error *err)
{
    return status == PM_OK || pm_session_go_on(session, err) == PM_OK ? status : PM_FAILED;
}

void pm_session_show(const pm_session *session, size_t done, size_t total, const char *step)
{
    const pm_session_options *options = pm_session_chosen(session);
    char text[1024];

    if (!options->progress)
        return;
    if (!session->outer.prefix[0]) {
        options->progress(options->progress_user, done, total, step);
        return;
    }
    snprintf(text, sizeof text, "%s%s", session->outer.prefix, step);
    options->progress(options->progress_user, session->outer.done, session->outer.total, text);
}

void pm_session_show_within(pm_session *session, size_t done, size_t total, const char *prefix)
{
    session->outer.done = done;
    session->outer.total = total;
    snprintf(session->outer.prefix, sizeof session->outer.prefix, "%s", prefix ? prefix : "");
}

/* ---- cached objects ------------------------------------------------------------------------- */

void *pm_session_find(const pm_session *session, const char *kind, const char *key)
{
    for (size_t i = 0; session && i < session->count; i++)
        if (strcmp(session->kept[i].kind, kind) == 0 && strcmp(session->kept[i].key, key) == 0)
            return session->kept[i].object;
    return NULL;
}

static bool grow(pm_session *session)
{
    size_t room = session->room ? 2 * session->room : 32;
    kept *grown = realloc(session->kept, room * sizeof *grown);

    if (!grown)
        return false;
    session->kept = grown;
    session->room = room;
    return true;
}

pm_status pm_session_keep(pm_session *session, const char *kind, const char *key, void *object,
                          void (*release)(void *object), pm_error *err)
{
    const kept item = {kind, strdup(key), object, release};

    if (!item.key || (session->count == session->room && !grow(session))) {
        free(item.key);
        release(object);
        return pm_fail(err, PM_FAILED, "out of memory for what a session keeps");
    }
    session->kept[session->count++] = item;
    return PM_OK;
}

const void *pm_session_have(pm_session *session, const pm_session_kind *kind, const char *key,
                            const void *user, pm_error *err)
{
    void *object = pm_session_find(session, kind->name, key);

    if (object)
        return object;
    object = calloc(1, kind->bytes);
    if (!object) {
        pm_fail(err, PM_FAILED, "out of memory for %s", kind->name);
        return NULL;
    }
    if (kind->fill(session, object, user, err) != PM_OK) {
        kind->release(object);
        return NULL;
    }
    return pm_session_keep(session, kind->name, key, object, kind->release, err) == PM_OK ? object
                                                                                          : NULL;
}
