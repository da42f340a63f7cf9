/* Runs versions (combinations of tuning parameters) on a device if the user gave --measure, and
 * corrects the predicted times of the versions that were not run. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The versions run in rounds. After each round a surrogate is fitted to log(measured / predicted
 * time) of all versions that were run, as a function of the features. Its estimate then corrects
 * every prediction before the next round is chosen.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer/tune/parts.h"
#include "answer/tune/surrogate.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/session/session.h"
#include "model/samples/dataset.h"

enum { ROUNDS = 3, LEAST_ROUND = 4 };

/* Measured times of the versions that were run together in one round, with one row for each
 * kernel of a version. */
typedef struct {
    /* paths of temporary files; folder is "" if it was not created */
    char folder[PATH_MAX - 32], path[PATH_MAX], provenance[PATH_MAX];
    pm_dataset *rows;
} measurement;

/* ---- running --------------------------------------------------------------------------------- */

static void clear(measurement *m)
{
    if (*m->folder) {
        unlink(m->path);
        unlink(m->provenance);
        rmdir(m->folder);
    }
    pm_dataset_free(m->rows);
}

static pm_status run(pm_tuner *t, measurement *m, const char *const *variants, pm_error *err)
{
    const char *const workloads[] = {t->program->path, NULL}, *const sizes[] = {t->size, NULL};
    const pm_collect_options options = {.device = t->options->device,
                                        .workloads = workloads,
                                        .variants = variants,
                                        .sizes = sizes,
                                        .counters = "none",
                                        .output = m->path,
                                        .command = "perfmodel tune --measure"};
    pm_collect_result result;
    const char *where = getenv("TMPDIR");
    const int length = snprintf(m->folder, sizeof m->folder, "%s/perfmodel-tune-XXXXXX",
                                where && *where ? where : "/tmp");

    if (length < 0 || (size_t)length >= sizeof m->folder || !mkdtemp(m->folder)) {
        *m->folder = '\0';
        return pm_fail(err, PM_FAILED,
                       "no folder for times can be made; set TMPDIR to where it can");
    }
    snprintf(m->path, sizeof m->path, "%s/times.csv", m->folder);
    snprintf(m->provenance, sizeof m->provenance, "%s/times.json", m->folder);
    if (pm_collect(t->session, &options, &result, err) != PM_OK)
        return err->status;
    if (result.measured == 0)
        return PM_OK; /* there is no dataset; pm_collect has already reported why */
    m->rows = pm_dataset_read(m->path, pm_session_log(t->session), err);
    return m->rows ? PM_OK : err->status;
}

/* Returns the measured time in seconds of a version (combination of tuning parameters), which is
 * the sum over its kernels. 0: not measured. */
static double time_of(const measurement *m, const char *variant)
{
    double sum = 0;

    for (size_t i = 0; m->rows && i < pm_dataset_rows(m->rows); i++)
        if (strcmp(pm_dataset_sample(m->rows, i)->variant, variant) == 0)
            sum += pm_dataset_sample(m->rows, i)->time_s;
    return sum;
}

/* Runs the versions (combinations of tuning parameters) whose indices are in `list`, and stores
 * their times. A version without a time is marked as failed. */
static void run_all(pm_tuner *t, const size_t *list, size_t count)
{
    static const pm_error unrun = {.status = PM_FAILED, .text = "it could not be measured"};
    const char **variants = pm_take(&t->memory, count + 1, sizeof *variants);
    measurement m = {.folder = ""};
    pm_status status;

    for (size_t i = 0; i < count; i++)
        variants[i] = pm_version_text(&t->memory, t->space, t->versions[list[i]].values);
    status = run(t, &m, variants, t->memory.err);
    for (size_t i = 0; status == PM_OK && i < count; i++) {
        pm_tune_version *v = &t->versions[list[i]];

        v->was_run = true;
        v->measured_s = time_of(&m, variants[i]);
        if (!(v->measured_s > 0))
            pm_tune_fail(t, list[i], &unrun);
    }
    clear(&m);
    pm_require(&t->memory, status);
}

/* ---- learning -------------------------------------------------------------------------------- */

static bool is_run(const pm_tune_version *v)
{
    return v->was_run && v->measured_s > 0;
}

/* Fits a regression of log(measured time / predicted time) to the features of the versions
 * (combinations of tuning parameters) that have run. NULL: fewer than LEAST_ROUND versions have
 * run, or the fit failed. */
static pm_surrogate *learn(const pm_tuner *t, pm_memory *memory)
{
    const size_t p = t->feature_count;
    double *x = pm_take(memory, t->count * p, sizeof *x);
    double *y = pm_take(memory, t->count, sizeof *y);
    size_t n = 0;

    for (size_t i = 0; i < t->count; i++) {
        const pm_tune_version *v = &t->versions[i];

        if (!is_run(v))
            continue;
        memcpy(x + n * p, t->features + i * p, p * sizeof *x);
        y[n++] = log(v->measured_s / v->first_s);
    }
    return n >= LEAST_ROUND ? pm_surrogate_fit(memory, x, y, n, p) : NULL;
}

/* Multiplies every prediction by the fitted ratio of measured to predicted time. The interval of
 * this ratio replaces the model's interval. */
static void correct(pm_tuner *t)
{
    pm_memory memory = pm_memory_beside(&t->memory);
    const pm_surrogate *factor = learn(t, &memory);

    for (size_t i = 0; factor && i < t->count; i++) {
        pm_tune_version *v = &t->versions[i];
        double mean, sd;

        if (!(v->first_s > 0))
            continue;
        pm_surrogate_tell(factor, t->features + i * t->feature_count, &mean, &sd);
        v->predicted_s = v->first_s * exp(mean);
        v->lo_s = v->predicted_s * exp(-PM_NORMAL_95 * sd);
        v->hi_s = v->predicted_s * exp(PM_NORMAL_95 * sd);
    }
    pm_memory_free(&memory);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

void pm_tune_measure(pm_tuner *t)
{
    const size_t wanted = t->options->measure;
    size_t *chosen = pm_take(&t->memory, wanted, sizeof *chosen);
    size_t round = (wanted + ROUNDS - 1) / ROUNDS, done = 0, count;

    round = round > LEAST_ROUND ? round : LEAST_ROUND;
    for (size_t i = 0; i < t->count; i++) {
        t->versions[i].first_s = t->versions[i].predicted_s;
        /* forget the times in a Kernel Tuner file, because they may have been measured on another
         * device */
        t->versions[i].measured_s = 0;
    }
    while (done < wanted) {
        count = pm_tune_first(t, round < wanted - done ? round : wanted - done, chosen);
        if (count == 0)
            break;
        run_all(t, chosen, count);
        correct(t);
        done += count;
    }
}
