/* Writes and reads the JSON of a tuning campaign's shard files: what is searched, its workloads,
 * and the event counts of their kernels. See campaign.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "answer/tune/campaign.h"
#include "base/session/session.h"

json_t *pm_campaign_run(const pm_session *session, const pm_tune_options *options,
                        const char *const *targets, const char *registers_source,
                        const pm_count_columns *columns)
{
    const pm_session_options *chosen = pm_session_chosen(session);
    json_t *names = json_array(), *counters = json_array();

    for (; *targets; targets++)
        json_array_append_new(names, json_string(*targets));
    for (size_t i = 0; i < columns->count; i++)
        json_array_append_new(counters, json_string(columns->names[i]));
    return json_pack("{s:I,s:f,s:f,s:s,s:i,s:I,s:o,s:o,s:[]}", "seed", (json_int_t)chosen->seed,
                     "sample", chosen->sample, "step_limit", chosen->step_limit, "registers_source",
                     registers_source, "leave_out", (int)options->leave_out, "budget",
                     (json_int_t)options->budget, "targets", names, "counters", counters,
                     "workloads");
}

static json_t *parameters_of(const pm_tune_space *space)
{
    json_t *list = json_array();

    for (size_t p = 0; p < space->count; p++) {
        json_t *values = json_array();

        for (size_t k = 0; k < space->parameters[p].count; k++)
            json_array_append_new(values, json_integer(space->parameters[p].values[k]));
        json_array_append_new(
            list, json_pack("{s:s,s:o}", "name", space->parameters[p].name, "values", values));
    }
    return list;
}

void pm_campaign_add(json_t *run, const pm_tuner *t, const char *definition)
{
    json_array_append_new(json_object_get(run, "workloads"),
                          json_pack("{s:s,s:s*,s:s,s:s,s:I,s:o}", "program", t->program->info.name,
                                    "class", t->program->class, "size", t->size, "definition",
                                    definition, "space", (json_int_t)t->count, "parameters",
                                    parameters_of(t->space)));
}

json_t *pm_campaign_kernels(const pm_count_columns *columns, const pm_sample *kernels, size_t count)
{
    json_t *list = json_array();

    for (size_t k = 0; k < count; k++) {
        json_t *counters = json_array();

        for (size_t i = 0; i < columns->count; i++)
            json_array_append_new(counters, isfinite(kernels[k].counters[i])
                                                ? json_real(kernels[k].counters[i])
                                                : json_null());
        json_array_append_new(list, json_pack("{s:s,s:f,s:f,s:o}", "kernel", kernels[k].kernel,
                                              "work_items", kernels[k].work_items, "work_group",
                                              kernels[k].work_group, "counters", counters));
    }
    return list;
}
