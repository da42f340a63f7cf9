/* Gets the counters of the programs that the user names: traces the programs now, or reads a
 * dataset. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "answer/counts/counts.h"
#include "answer/predict/parts.h"
#include "base/error.h"
#include "base/session/session.h"
#include "model/samples/dataset.h"

pm_status pm_own_find(pm_session *session, const pm_predict_options *options,
                      const pm_programs **programs, pm_error *err)
{
    *programs = pm_workloads_find(session, options->workloads, err);
    return *programs ? pm_names_check(*programs, options->programs, options->variants,
                                      options->sizes, err)
                     : err->status;
}

/* Records where the register counts come from: ptxas only if all counts come from ptxas, otherwise
 * "estimate". */
void pm_note_registers(pm_predictions *result, const char *source)
{
    if (!result->registers_source || strcmp(source, "estimate") == 0)
        result->registers_source = source;
}

/* ---- traced --------------------------------------------------------------------------------- */

typedef struct {
    pm_session *session;
    const pm_wanted *wanted;
    const char *target;
    pm_dataset *rows;
    /* result in which the origin of register counts is recorded; NULL: it is not recorded */
    pm_predictions *result;
    size_t done, total; /* number of workloads */
    size_t failed;
    pm_error first; /* error of the first workload that failed */
} counting;

static pm_status count_one(counting *c, const pm_program *program, const char *variant,
                           const char *size, pm_error *err)
{
    const pm_counted what = {.program = program,
                             .variant = variant,
                             .size = size,
                             .target = c->target,
                             .any_results = true};
    const char *name = program->info.name;
    char step[192];
    const pm_counts *counts;
    pm_error why = {0};

    snprintf(step, sizeof step, "%s %s %s", name, variant, size);
    pm_session_show(c->session, c->done++, c->total, step);
    if (pm_counts_find(c->session, &what, NULL, &counts, &why) == PM_OK) {
        if (c->result)
            pm_note_registers(c->result, counts->registers_source);
        return pm_dataset_append_all(c->rows, counts->rows, err);
    }
    if (pm_session_is_cancelled(c->session))
        return pm_fail(err, why.status, "%s", why.text);
    if (c->failed++ == 0)
        c->first = why;
    /* if there is only one workload, its error is raised at the end, so no notice is needed */
    if (c->total > 1)
        pm_session_leave_out(c->session, "%s: left out: %s", step, why.text);
    return PM_OK;
}

/* Goes through the selected sizes of a variant. plan true: only adds their number to c->total;
 * false: traces each one. */
static pm_status walk_sizes(counting *c, const pm_program *program, const char *variant, bool plan,
                            pm_error *err)
{
    for (const char *const *size = program->info.sizes; *size; size++) {
        if (!pm_listed(c->wanted->sizes, *size))
            continue;
        if (plan)
            c->total++;
        else if (count_one(c, program, variant, *size, err) != PM_OK)
            return err->status;
    }
    return PM_OK;
}

/* Goes through the selected variants of a program: the variants in its list, and variants that the
 * user gave as the text of a transform. plan: as for walk_sizes. */
static pm_status walk_variants(counting *c, const pm_program *program, bool plan, pm_error *err)
{
    const pm_program_info *info = &program->info;
    const char *const *asked = c->wanted->variants;

    for (const char *const *v = info->variants; *v; v++)
        if (pm_listed(asked, *v) && walk_sizes(c, program, *v, plan, err) != PM_OK)
            return err->status;
    for (; asked && *asked; asked++)
        if (!pm_listed(info->variants, *asked) && pm_program_has_variant(info, *asked) &&
            walk_sizes(c, program, *asked, plan, err) != PM_OK)
            return err->status;
    return PM_OK;
}

pm_status pm_own_count(pm_session *session, const pm_programs *programs, const pm_wanted *wanted,
                       const char *target, pm_dataset *rows, pm_predictions *result, pm_error *err)
{
    counting c = {
        .session = session, .wanted = wanted, .target = target, .rows = rows, .result = result};

    for (int plan = 1; plan >= 0; plan--)
        for (size_t i = 0; i < programs->count; i++)
            if (pm_listed(wanted->programs, programs->items[i]->info.name) &&
                walk_variants(&c, programs->items[i], plan, err) != PM_OK)
                return err->status;
    return c.failed < c.total ? PM_OK : pm_fail(err, c.first.status, "%s", c.first.text);
}

/* ---- rows of a dataset ---------------------------------------------------------------------- */

/* Returns true if a sample's counters are those of the target GPU: the trace engine simulated it,
 * or they were measured on it. traced_for: GPU for which the sample's dataset was traced; "":
 * unknown. */
static bool is_by_rules_of(const pm_sample *s, const char *traced_for, const char *target)
{
    const bool traced = strcmp(s->counter_source, "trace") == 0;

    return strcmp(traced && *traced_for ? traced_for : s->device, target) == 0;
}

pm_status pm_own_take(pm_session *session, const pm_dataset *from, const pm_wanted *wanted,
                      const char *target, pm_dataset *rows, pm_error *err)
{
    pm_dataset *taken = pm_dataset_memory_like(from, err);
    char traced_for[64];
    size_t others = 0;
    pm_status status = PM_OK;

    if (!taken)
        return err->status;
    pm_provenance_target(pm_dataset_path(from), traced_for);
    for (size_t i = 0; status == PM_OK && i < pm_dataset_rows(from); i++) {
        const pm_sample *s = pm_dataset_sample(from, i);

        if (!pm_is_wanted(wanted, s) || pm_dataset_find(rows, s) || pm_suite_find(s->program))
            continue;
        others += !is_by_rules_of(s, traced_for, target);
        status = pm_dataset_append(taken, s, err);
    }
    if (status == PM_OK)
        status = pm_dataset_append_all(rows, taken, err);
    if (status == PM_OK && others > 0)
        pm_notice(pm_session_log(session),
                  "%s: counters of %zu samples are another GPU's, not by the rules of %s, and "
                  "intervals hold less often; name their workload files, too, to have them counted",
                  pm_dataset_path(from), others, target);
    pm_dataset_free(taken);
    return status;
}
