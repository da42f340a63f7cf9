/* Makes the JSON documents that commands of perfmodel print with --json. See json.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/json/json.h"

#include <math.h>

json_t *pm_json_trace(const pm_trace *trace)
{
    static const pm_json_member members[] = {
        PM_JSON(TEXT, pm_trace, target), PM_JSON(TEXT, pm_trace, program),
        PM_JSON(TEXT, pm_trace, variant), PM_JSON(TEXT, pm_trace, size)};
    json_t *document = PM_JSON_OBJECT(trace, members);

    json_object_set_new(document, "assumed", pm_json_assumed(trace->assumed));
    json_object_set_new(document, "kernels", pm_json_kernels(trace));
    return document;
}

json_t *pm_json_collected(const pm_collect_result *result)
{
    static const pm_json_member members[] = {
        PM_JSON(COUNT, pm_collect_result, measured), PM_JSON(COUNT, pm_collect_result, kept),
        PM_JSON(COUNT, pm_collect_result, failed), PM_JSON(COUNT, pm_collect_result, skipped)};
    json_t *document = json_pack("{s:o,s:o}", "device", pm_json_text(result->device), "dataset",
                                 pm_json_text(result->path));

    json_object_update_new(document, PM_JSON_OBJECT(result, members));
    return document;
}

static json_t *names_json(const char *const *names)
{
    json_t *list = json_array();

    for (; names && *names; names++)
        json_array_append_new(list, pm_json_text(*names));
    return list;
}

json_t *pm_json_predictions(const pm_predictions *predictions, const char *target)
{
    json_t *list = json_array();

    for (size_t i = 0; i < predictions->n; i++)
        json_array_append_new(list, pm_json_prediction(&predictions->predictions[i], false));
    return json_pack("{s:o,s:s,s:o,s:o,s:o,s:o,s:o,s:o}", "target", pm_json_text(target), "basis",
                     predictions->basis, "from", pm_json_text(predictions->from), "with",
                     names_json(predictions->with), "registers_source",
                     pm_json_text(predictions->registers_source), "assumed",
                     pm_json_assumed(predictions->assumed), "predictions", list, "totals",
                     pm_json_totals(predictions));
}

/* ---- capture -------------------------------------------------------------------------------- */

static json_t *left_json(const void *thing)
{
    const pm_capture_left *left = thing;

    return json_pack("{s:o, s:I, s:f}", "why", pm_json_text(left->why), "launches",
                     (json_int_t)left->launches, "time_s", (double)left->ns / 1e9);
}

json_t *pm_json_capture(const pm_capture_summary *s, const char *folder, int code)
{
    json_t *document =
        json_pack("{s:o, s:i, s:f, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:I, s:I}", "folder",
                  pm_json_text(folder), "exit_code", code, "program_s", s->program_s, "kernels",
                  (json_int_t)s->kernels, "kernels_captured", (json_int_t)s->kernels_captured,
                  "launches", (json_int_t)s->launches, "captured", (json_int_t)s->captured,
                  "time_s", (double)s->ns / 1e9, "captured_s", (double)s->captured_ns / 1e9,
                  "of_captured_kernels_s", (double)s->of_kernels_ns / 1e9, "bytes",
                  (json_int_t)s->bytes, "untimed", (json_int_t)s->untimed);

    json_object_set_new(document, "workloads", pm_json_texts(s->files, s->file_count));
    json_object_set_new(document, "left_out",
                        pm_json_things(s->left, s->left_count, sizeof *s->left, left_json));
    return document;
}

/* ---- advice --------------------------------------------------------------------------------- */

static json_t *priced_json(const pm_cost_options *cost, unsigned given)
{
    json_t *options = pm_json_cost_options(cost), *names = json_array();

    for (unsigned i = 0; i < PM_ASSUMPTIONS; i++)
        if (!(given & 1u << i))
            json_array_append_new(names, json_string(pm_table_assumption_name(i)));
    json_object_set_new(options, "assumed", names);
    return options;
}

bool pm_json_has_energy(const pm_cost_options *options)
{
    return isfinite(options->energy.price) || isfinite(options->energy.co2_g);
}

void pm_json_keep_energy(const json_t *choices)
{
    for (size_t i = 0; i < json_array_size(choices); i++) {
        json_t *choice = json_array_get(choices, i);
        const json_t *energy = json_object_get(json_object_get(choice, "cost"), "energy");

        if (energy)
            json_object_set_new(choice, "cost", json_pack("{s:O}", "energy", energy));
    }
}

json_t *pm_json_advised(const pm_advice *advice, const pm_payback *costs,
                        const pm_cost_options *cost, unsigned given)
{
    const bool money = cost && given & PM_GIVEN_RATE;
    const bool energy = cost && pm_json_has_energy(cost);
    json_t *document = pm_json_advice(advice, money || energy ? costs : NULL);

    if (!money && energy)
        pm_json_keep_energy(json_object_get(document, "choices"));
    json_object_set_new(document, "cost_options", money ? priced_json(cost, given) : json_null());
    return document;
}
