/* Runs a program with the libraries that record its launches. See run.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program stays in the caller's process group, so that a terminal's keys reach it and it can
 * read from the terminal. The keys also reach the caller, which ignores them and waits for the
 * program.
 */
#include "capture/run.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/paths.h"
#include "base/session/session.h"
#include "base/text.h"
#include "capture/questions.h"
#include "capture/record.h"

enum { SIGNAL_CODE = 128, WAIT_STEP_MS = 2 };

/* ---- the environment ------------------------------------------------------------------------- */

typedef struct {
    char **all; /* ends with NULL */
    size_t count;
} environment;

/* Sets an environment variable, or replaces it. variable: text NAME=VALUE, which must exist as long
 * as the environment. length: length of NAME. */
static void set(environment *env, const char *variable, size_t length)
{
    size_t i = 0;

    while (i < env->count &&
           (strncmp(env->all[i], variable, length) != 0 || env->all[i][length] != '='))
        i++;
    env->all[i] = (char *)(uintptr_t)variable;
    env->count += i == env->count;
}

static void choice_text(const pm_capture_options *o, pm_text *text)
{
    pm_text_add(text,
                PM_RECORD_CHOICE "=longest=%" PRIu64 " first=%" PRIu64 " from=%" PRIu64
                                 " to=%" PRIu64 " bytes=%" PRIu64 " ms=%.0f kernels=",
                o->longest, o->first, o->from, o->to, o->most_bytes, o->most_seconds * 1000);
    for (size_t k = 0; o->kernels && o->kernels[k]; k++)
        pm_text_add(text, " %s", o->kernels[k]);
}

/* Paths of the libraries for capturing. OpenCL's loader loads `layer` into the program, and CUDA's
 * driver loads `injection`. */
typedef struct {
    char layer[PATH_MAX], injection[PATH_MAX];
} modules;

#define INJECTION "CUDA_INJECTION64_PATH"

/* The environment of the captured program: texts NAME=VALUE, and the array that points to them.
 * They must exist until the program has started. */
typedef struct {
    pm_text layers, injection, folder, choice;
    char **all;
} texts;

/* Turns off PyOpenCL's cache of compiled kernels. If the cache is on, a program passes binaries and
 * no source to the driver. */
static char python_cache[] = "PYOPENCL_NO_CACHE=1";

static bool make_environment(const pm_capture_options *o, const modules *m, const char *records,
                             texts *t)
{
    const char *others = getenv("OPENCL_LAYERS");
    environment env = {0};
    size_t count = 0;

    while (environ[count])
        count++;
    t->all = calloc(count + 6, sizeof *t->all);
    pm_text_add(&t->layers, "OPENCL_LAYERS=%s%s%s", others ? others : "",
                others && *others ? ":" : "", m->layer);
    pm_text_add(&t->injection, INJECTION "=%s", m->injection);
    pm_text_add(&t->folder, PM_RECORD_FOLDER "=%s", records);
    choice_text(o, &t->choice);
    if (!t->all || t->layers.failed || t->injection.failed || t->folder.failed || t->choice.failed)
        return false;
    memcpy(t->all, environ, count * sizeof *t->all);
    env = (environment){t->all, count};
    set(&env, pm_text_get(&t->layers), strlen("OPENCL_LAYERS"));
    set(&env, pm_text_get(&t->injection), strlen(INJECTION));
    set(&env, pm_text_get(&t->folder), strlen(PM_RECORD_FOLDER));
    set(&env, pm_text_get(&t->choice), strlen(PM_RECORD_CHOICE));
    if (!getenv("PYOPENCL_NO_CACHE"))
        set(&env, python_cache, strlen("PYOPENCL_NO_CACHE"));
    return true;
}

static void free_texts(texts *t)
{
    pm_text_free(&t->layers);
    pm_text_free(&t->injection);
    pm_text_free(&t->folder);
    pm_text_free(&t->choice);
    free(t->all);
}

/* ---- running --------------------------------------------------------------------------------- */

/* perfmodel's own handling of SIGINT and SIGQUIT, saved while the captured program runs. perfmodel
 * ignores both signals during that time, so that it outlives the program. */
typedef struct {
    struct sigaction interrupt, quit;
} handling;

static void ignore_keys(handling *before)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN};

    sigemptyset(&ignore.sa_mask);
    sigaction(SIGINT, &ignore, &before->interrupt);
    sigaction(SIGQUIT, &ignore, &before->quit);
}

static void restore(const handling *before)
{
    sigaction(SIGINT, &before->interrupt, NULL);
    sigaction(SIGQUIT, &before->quit, NULL);
}

/* Starts the captured program with default signal handling, except that signals which perfmodel
 * itself had inherited as ignored stay ignored. */
static int spawn(char *const *command, char *const *env, const handling *before, pid_t *pid)
{
    posix_spawnattr_t attributes;
    sigset_t defaults;
    int code = posix_spawnattr_init(&attributes);

    if (code != 0)
        return code;
    sigemptyset(&defaults);
    if (before->interrupt.sa_handler != SIG_IGN)
        sigaddset(&defaults, SIGINT);
    if (before->quit.sa_handler != SIG_IGN)
        sigaddset(&defaults, SIGQUIT);
    sigaddset(&defaults, SIGXFSZ);
    code = posix_spawnattr_setsigdefault(&attributes, &defaults);
    if (code == 0)
        code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    if (code == 0)
        code = posix_spawnp(pid, command[0], NULL, &attributes, command, env);
    posix_spawnattr_destroy(&attributes);
    return code;
}

/* Waits for the program to end, and answers the questions of its libraries. If the session is
 * cancelled, sends a signal that asks the program to stop, and continues to wait. */
static int wait_for(pm_session *session, pm_questions *questions, pid_t pid, int *code)
{
    bool told = false;
    int how = 0;
    pid_t got;

    while ((got = waitpid(pid, &how, WNOHANG)) != pid) {
        if (got < 0 && errno != EINTR)
            return errno;
        if (!told && pm_session_is_cancelled(session))
            told = kill(pid, SIGTERM) == 0;
        pm_questions_wait(questions, WAIT_STEP_MS);
    }
    *code = WIFSIGNALED(how) ? SIGNAL_CODE + WTERMSIG(how) : WEXITSTATUS(how);
    return 0;
}

static pm_status start(pm_session *session, const pm_capture_options *options, const char *folder,
                       char *const *env, int *code, pm_error *err)
{
    const char *name = options->command[0];
    pm_questions *questions = options->all_contents ? NULL : pm_questions_open(session, folder);
    handling before;
    pid_t pid;
    int failed;

    ignore_keys(&before);
    failed = spawn(options->command, env, &before, &pid);
    if (failed == 0)
        failed = wait_for(session, questions, pid, code);
    restore(&before);
    pm_questions_close(questions);
    if (failed == 0)
        return PM_OK;
    return pm_fail(err, PM_BAD_INPUT, "%s: cannot be run: %s; check the command behind --", name,
                   strerror(failed));
}

pm_status pm_captured_run(pm_session *session, const pm_capture_options *options, int *code,
                          double *seconds, pm_error *err)
{
    const double begin = pm_now_s();
    char folder[PATH_MAX], records[PATH_MAX + sizeof "/records"];
    modules m;
    pm_status status = pm_module_path(PM_RECORD_LAYER, m.layer, sizeof m.layer, err);
    texts t = {0};

    if (status == PM_OK)
        status = pm_module_path(PM_RECORD_INJECTION, m.injection, sizeof m.injection, err);
    if (status != PM_OK)
        return status;
    if (!realpath(options->folder, folder))
        return pm_fail(err, PM_BAD_INPUT, "%s: %s", options->folder, strerror(errno));
    snprintf(records, sizeof records, "%s/records", folder);
    if (make_environment(options, &m, records, &t))
        status = start(session, options, folder, t.all, code, err);
    else
        status = pm_fail(err, PM_FAILED, "out of memory");
    free_texts(&t);
    *seconds = pm_now_s() - begin;
    return status;
}
