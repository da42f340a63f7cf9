/* Validates the units model with times that other authors published: predicts each GPU by models
 * that have not seen it. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/predict/parts.h"
#include "base/error.h"
#include "base/session/session.h"
#include "base/version.h"
#include "model/samples/dataset.h"
#include "model/samples/table.h"

typedef struct {
    pm_session *session;
    const pm_model_options *options;
    const pm_classes *classes;
    pm_known_gpu *all; /* GPUs with times, measured or published */
    size_t count;
    pm_known_gpu *whole; /* the GPUs that perfmodel measured */
    size_t whole_count;
    bool pooled;
    /* pooled model that is shared by all target GPUs, if the validation leaves no GPU out;
     * otherwise NULL */
    pm_pooled *shared;
    pm_leave_out leave_out;
    pm_validation *v;
    pm_memory memory;
} validating;

/* ---- one GPU -------------------------------------------------------------------------------- */

typedef struct {
    validating *v;
    pm_known_gpu target;
    pm_known_gpu *others; /* GPUs whose times the model is fitted to: all that are not left out */
    size_t count;
    pm_trained *trained;
    pm_transfer *carry;
    pm_memory memory;
} one_gpu;

static bool is_left_out(const validating *v, const pm_known_gpu *target, const pm_known_gpu *gpu)
{
    const char *architecture = target->profile.architecture;

    return strcmp(gpu->name, target->name) == 0 ||
           (v->leave_out == PM_LEAVE_ARCHITECTURE && *architecture &&
            strcmp(gpu->profile.architecture, architecture) == 0);
}

/* Returns the GPUs of a list that the model may learn from while g->target is predicted. GPUs that
 * are left out with the target are omitted. *kept becomes the number of GPUs. */
static pm_known_gpu *choose(one_gpu *g, const pm_known_gpu *list, size_t count, size_t *kept)
{
    pm_known_gpu *chosen = pm_take(&g->memory, count, sizeof *chosen);

    *kept = 0;
    for (size_t i = 0; i < count; i++)
        if (!is_left_out(g->v, &g->target, &list[i]))
            chosen[(*kept)++] = list[i];
    return chosen;
}

static bool forgets(const validating *v)
{
    return v->leave_out == PM_LEAVE_GPU || v->leave_out == PM_LEAVE_ARCHITECTURE;
}

static void pool(one_gpu *g)
{
    validating *v = g->v;
    pm_pooled *pooled = v->shared;

    if (!pooled) {
        g->others = choose(g, v->all, v->count, &g->count);
        pm_require(&g->memory, pm_pooled_create(v->session, g->others, g->count, v->classes,
                                                &pooled, g->memory.err));
    }
    pm_transfer_pool(g->carry, pooled, pooled != v->shared);
}

static void learn(one_gpu *g)
{
    const validating *v = g->v;
    size_t whole;
    pm_known_gpu *measured = choose(g, v->whole, v->whole_count, &whole);

    if (forgets(v) || !v->pooled)
        g->target.measured = NULL, g->target.published = NULL;
    pm_require(&g->memory, pm_trained_create(v->session, measured, whole, v->classes, &g->trained,
                                             g->memory.err));
    pm_require(&g->memory, pm_transfer_create_on(g->trained, &g->target, &g->carry, g->memory.err));
    if (v->pooled)
        pool(g);
}

static void predict(void *user)
{
    one_gpu *g = user;
    const validating *v = g->v;
    const bool program = v->leave_out == PM_LEAVE_PROGRAM || v->leave_out == PM_LEAVE_CLASS;
    const pm_dataset *traced = g->target.published_traced, *timed = g->target.published;
    const size_t n = pm_dataset_rows(traced);
    pm_transferred *out = pm_take(&g->memory, n, sizeof *out);

    learn(g);
    pm_require(&g->memory,
               pm_transfer_predict(g->carry, traced,
                                   (pm_withheld){.unit = program ? v->leave_out : PM_LEAVE_NOTHING},
                                   NULL, out, g->memory.err));
    for (size_t i = 0; i < n; i++) {
        const pm_sample *s = pm_dataset_sample(traced, i), *t = pm_dataset_find(timed, s);

        if (out[i].known && t && t->time_s > 0 && isfinite(t->time_s) &&
            pm_dataset_find(traced, s) == s)
            v->v->samples[v->v->n++] = (pm_prediction){.sample = t,
                                                       .measured_s = t->time_s,
                                                       .predicted_s = out[i].predicted_s,
                                                       .lo_s = out[i].lo_s,
                                                       .hi_s = out[i].hi_s,
                                                       .why = out[i].why};
    }
}

static void validate_gpu(validating *v, const pm_known_gpu *gpu)
{
    one_gpu g = {.v = v, .target = *gpu};
    pm_status status;

    g.memory = pm_memory_beside(&v->memory);
    status = pm_attempt(&g.memory, predict, &g, v->memory.err);
    pm_transfer_free(g.carry);
    pm_trained_free(g.trained);
    pm_memory_free(&g.memory);
    pm_require(&v->memory, status);
}

/* ---- all GPUs ------------------------------------------------------------------------------- */

static const char *name_of(pm_leave_out unit)
{
    return unit == PM_LEAVE_ARCHITECTURE ? "architecture"
           : unit == PM_LEAVE_PROGRAM    ? "program"
           : unit == PM_LEAVE_CLASS      ? "class"
                                         : "gpu";
}

static void check(validating *v)
{
    const char *method = v->options->method;

    if (method && strcmp(method, "auto") != 0 && strcmp(method, "units") != 0)
        pm_leave(&v->memory, PM_BAD_INPUT,
                 "published times are predicted by methods auto and units, not %s", method);
    if (v->leave_out == PM_LEAVE_SAMPLE)
        pm_leave(&v->memory, PM_BAD_INPUT,
                 "of published times a gpu, an architecture, a program or a class is left out, "
                 "not a sample");
    v->pooled = !method || strcmp(method, "auto") == 0;
}

static void validate(void *user)
{
    validating *v = user;
    pm_error *err = v->memory.err;
    size_t rows = 0, done = 0, total = 0;

    check(v);
    v->classes = pm_classes_find(v->session, err);
    if (!v->classes)
        pm_give_up(&v->memory, err->status);
    pm_require(&v->memory,
               pm_known_list(v->session, &(pm_known_choice){.all = true}, &v->all, &v->count, err));
    pm_require(&v->memory,
               pm_known_list(v->session, &(pm_known_choice){0}, &v->whole, &v->whole_count, err));
    for (size_t i = 0; i < v->count; i++)
        if (pm_known_is_published(&v->all[i])) {
            pm_require(&v->memory, pm_known_read(&v->all[i], err));
            rows += pm_dataset_rows(v->all[i].published_traced);
            total++;
        }
    if (total == 0)
        pm_leave(&v->memory, PM_BAD_INPUT,
                 "no published times: a folder of datasets needs public/NAME.csv and "
                 "public/NAME-trace.csv of a GPU of devices.csv");
    v->v->samples = calloc(rows + 1, sizeof *v->v->samples);
    if (!v->v->samples)
        pm_leave(&v->memory, PM_FAILED, "out of memory for %zu rows", rows);
    if (v->pooled && !forgets(v))
        pm_require(&v->memory,
                   pm_pooled_create(v->session, v->all, v->count, v->classes, &v->shared, err));
    for (size_t i = 0; i < v->count; i++) {
        if (!pm_known_is_published(&v->all[i]))
            continue;
        pm_require(&v->memory, pm_session_go_on(v->session, err));
        pm_session_show(v->session, done++, total, v->all[i].name);
        validate_gpu(v, &v->all[i]);
    }
    if (v->v->n == 0)
        pm_leave(&v->memory, PM_BAD_INPUT, "no published time has traced counters beside it");
    v->v->dataset = "public";
    v->v->method = v->pooled ? "auto" : "units";
    v->v->leave_out = name_of(v->leave_out);
    pm_validation_summarize(&v->memory, v->v);
}

pm_validation *pm_validate_published(pm_session *session, const pm_model_options *options,
                                     pm_error *err)
{
    pm_error ignored = {0};
    validating v = {.session = session,
                    .options = options,
                    .leave_out =
                        options->leave_out == PM_LEAVE_NOTHING ? PM_LEAVE_GPU : options->leave_out,
                    .v = calloc(1, sizeof *v.v)};
    pm_status status;

    err = err ? err : &ignored;
    status =
        v.v ? PM_UNUSED(options, err) : pm_fail(err, PM_FAILED, "out of memory for a validation");
    if (status == PM_OK)
        status = pm_attempt(&v.memory, validate, &v, err);
    pm_pooled_free(v.shared);
    free(v.all);
    free(v.whole);
    pm_memory_free(&v.memory);
    if (status == PM_OK)
        return v.v;
    pm_validation_free(v.v);
    return NULL;
}
