/* The autotuner: searches the versions (combinations of tuning parameters) of a workload's kernels
 * for the fastest one on a target GPU. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "answer/tune/parts.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/session/session.h"
#include "base/version.h"

void pm_tune_choose(pm_tuner *t)
{
    const pm_tune_options *o = t->options;
    const char *const *sizes;

    t->program =
        pm_program_choose(t->session, NULL, o->workload, NULL, o->size, false, t->memory.err);
    if (!t->program)
        pm_give_up(&t->memory, t->memory.err->status);
    if (!t->program->space && pm_bare_is(t->program->path))
        pm_leave(&t->memory, PM_BAD_INPUT,
                 "%s: nothing says which parameters it has: write its workload file with perfmodel "
                 "init %s, and add a [tune] section to it, such as block = 64, 128, 256",
                 t->program->path, t->program->path);
    if (!t->program->space)
        pm_leave(&t->memory, PM_BAD_INPUT,
                 "%s: it has no [tune] section, which gives parameters and their values: add one, "
                 "such as block = 64, 128, 256",
                 t->program->path);
    t->space = t->program->space;
    sizes = t->program->info.sizes;
    while (sizes[1])
        sizes++;
    t->size = o->size ? o->size : *sizes;
    t->without = (pm_withheld){o->leave_out, t->program->class};
    if (o->space)
        pm_tune_read_space(t, o->space);
    else
        pm_tune_enumerate(t);
}

static void tune(void *user)
{
    pm_tuner *t = user;
    const pm_tune_options *o = t->options;

    t->kept = pm_memory_beside(&t->memory);
    t->tuning = pm_take(&t->kept, 1, sizeof *t->tuning);
    pm_tune_choose(t);
    pm_require(&t->memory,
               pm_learned_find(t->session, o->target, PM_LEARN_OWN, &t->learned, t->memory.err));
    t->budget = o->budget ? o->budget : o->budget_s > 0 ? t->count : PM_TUNE_WHOLE;
    t->budget = t->budget < t->count ? t->budget : t->count;
    t->deadline = o->budget_s > 0 ? pm_now_s() + o->budget_s : (double)INFINITY;
    pm_tune_read_known(t);
    pm_tune_features(t);
    pm_tracer_open(t);
    pm_tune_search(t);
    pm_tracer_close(t);
    pm_tune_tell_size(t);
    if (o->measure > 0)
        pm_tune_measure(t);
    pm_tune_rank(t);
}

pm_tuning *pm_tune(pm_session *session, const pm_tune_options *options, pm_error *err)
{
    pm_error ignored = {0};
    pm_tuner t = {.session = session, .options = options};
    pm_status status;

    err = err ? err : &ignored;
    if (PM_UNUSED(options, err) != PM_OK)
        return NULL;
    status = pm_attempt(&t.memory, tune, &t, err);
    pm_tracer_close(&t);
    json_decref(t.files);
    pm_hash_index_clear(&t.by_values);
    pm_memory_free(&t.memory);
    if (status != PM_OK) {
        pm_memory_free(&t.kept);
        return NULL;
    }
    t.tuning->memory = t.kept.blocks;
    return t.tuning;
}

void pm_tuning_free(pm_tuning *tuning)
{
    pm_memory memory = {.blocks = tuning ? tuning->memory : NULL};

    pm_memory_free(&memory);
}
