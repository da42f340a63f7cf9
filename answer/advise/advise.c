/* Advice: finds the fastest version of an OpenCL or CUDA program on a target GPU. A version has
 * another data layout (for example a struct of arrays instead of an array of structs), or copies
 * arrays to local memory. Versions are compared by predicted times, from events that the trace
 * engine counts. The program as it is written is called the base variant.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The base variant is traced first. The accesses to its fields determine which layouts to trace
 * (transform/layout/search.h). Arrays are staged in local memory, in the base and in the best
 * layouts (staged.c). Each version is generated, traced as the target would run it, and predicted
 * by the units model (model.c). Versions are not run on a device.
 */
#include <string.h>

#include "answer/advise/parts.h"
#include "base/error.h"
#include "base/session/session.h"
#include "base/version.h"
#include "program/suite/suite.h"

void pm_advice_free(pm_advice *advice)
{
    pm_memory memory = {.blocks = advice ? advice->memory : NULL};

    pm_memory_free(&memory);
}

/* ---- options --------------------------------------------------------------------------------- */

static const char *largest(const pm_program_info *info)
{
    const char *const *size = info->sizes;

    while (size[1])
        size++;
    return *size;
}

static void choose(pm_advising *a)
{
    const pm_advise_options *o = a->options;
    pm_error *err = a->memory.err;

    a->program = pm_program_choose(a->session, o->program, o->workload, NULL, o->size, true, err);
    if (!a->program)
        pm_give_up(&a->memory, err->status);
    a->without = (pm_withheld){o->leave_out, a->program->class};
    a->size = o->size ? o->size : largest(&a->program->info);
    for (const char *const *v = o->variants; v && *v; v++)
        pm_require(&a->memory, pm_program_check(a->program, *v, NULL, err));
}

/* ---- layouts that differ between kernels ----------------------------------------------------- */

/* Returns the name of a variant of the program in which all kernels use the best data layout found
 * so far, except one kernel. That kernel gets the layout that shortens its own predicted time, and
 * it is the kernel that gains most by this. NULL: no kernel would save at least 1 % of the
 * predicted time of the best variant. The saving does not include the time for converting data from
 * one layout to the other. That time becomes part of the prediction when the returned variant is
 * traced. */
static const char *find_mixed(pm_advising *a)
{
    const pm_advice *advice = a->advice;
    const char *best = advice->choices[0].variant, *other = NULL, *kernel = NULL;
    double most = 0.01 * advice->choices[0].predicted_s;

    for (size_t i = 0; i < pm_dataset_rows(a->rows); i++) {
        const pm_sample *s = pm_dataset_sample(a->rows, i);
        double here, there;

        if (strcmp(s->variant, best) != 0 || strcmp(s->size, a->size) != 0)
            continue;
        here = pm_advise_time(a, best, s->kernel);
        for (size_t c = 1; c < advice->n; c++) {
            there = pm_advise_time(a, advice->choices[c].variant, s->kernel);
            if (here - there > most) {
                most = here - there;
                other = advice->choices[c].variant;
                kernel = s->kernel;
            }
        }
    }
    return other ? pm_format(&a->memory, "%s;%s@%s", pm_program_layouts(a->program, best),
                             pm_program_layouts(a->program, other), kernel)
                 : NULL;
}

/* ---- advice ---------------------------------------------------------------------------------- */

static void name_advice(pm_advising *a)
{
    const pm_program_info *info = &a->program->info;

    *a->advice = (pm_advice){.assumed = a->program->assumed,
                             .target = pm_copy(&a->kept, a->options->target),
                             .program = pm_copy(&a->kept, info->name),
                             .size = pm_copy(&a->kept, a->size),
                             .base = pm_copy(&a->kept, info->base)};
    if (info->layouts && !a->options->variants)
        a->advice->nakai = pm_copy(&a->kept, "");
}

/* Predicts the times of the versions with other layouts, and then tries a version in which one
 * kernel has another layout than the rest. The predicted times are needed later, because arrays are
 * staged in local memory only in the fastest layouts. */
static void weigh_layouts(pm_advising *a)
{
    const char *mixed;

    pm_advise_predict(a);
    mixed = find_mixed(a);
    if (mixed && pm_advise_trace(a, mixed))
        pm_advise_predict(a);
}

static void advise(void *user)
{
    pm_advising *a = user;
    const char *target = a->options->target;
    pm_error *err = a->memory.err;

    a->kept = pm_memory_beside(&a->memory);
    a->advice = pm_take(&a->kept, 1, sizeof *a->advice);
    choose(a);
    name_advice(a);
    pm_require(&a->memory, pm_learned_find(a->session, target, PM_LEARN_OWN, &a->learned, err));
    a->advice->basis = a->learned->basis;
    pm_require(&a->memory,
               pm_roof_units_find(target, pm_session_chosen(a->session)->datasets, &a->units, err));
    a->advice->roofs = a->units.roofs;
    a->advice->power_limit_w = a->units.power_limit_w;
    a->rows = pm_counts_columns(a->session, err);
    /* open the trace engine here, so that a missing compiler is reported before other errors */
    if (!a->rows || !pm_counts_engine(a->session, target, err))
        pm_give_up(&a->memory, err->status);
    pm_advise_candidates(a);
    if (a->advice->nakai)
        weigh_layouts(a);
    if (!a->options->variants)
        pm_advise_staged(a);
    pm_advise_predict(a);
    pm_advise_spread(a);
    pm_advise_best(a);
}

pm_advice *pm_advise(pm_session *session, const pm_advise_options *options, pm_error *err)
{
    pm_error ignored = {0};
    pm_advising a = {.session = session, .options = options};
    pm_status status;

    err = err ? err : &ignored;
    if (PM_UNUSED(options, err) != PM_OK)
        return NULL;
    status = pm_attempt(&a.memory, advise, &a, err);
    pm_advise_release(&a);
    pm_plain_run_close(&a.small);
    pm_dataset_free(a.rows);
    pm_memory_free(&a.memory);
    if (status != PM_OK) {
        pm_memory_free(&a.kept);
        return NULL;
    }
    a.advice->memory = a.kept.blocks;
    return a.advice;
}
