/* Writes the report as one JSON document. Times are in seconds. Gains are the base's time divided
 * by the version's time. Chances are from 0 to 1. null means unknown or never.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "answer/cost/cost.h"
#include "answer/cost/effort.h"
#include "base/error.h"
#include "compiler/language.h"
#include "report/json/json.h"
#include "report/report.h"

/* ---- a program ------------------------------------------------------------------------------ */

static json_t *trace_json(const pm_trace *trace)
{
    return trace ? json_pack("{s:o,s:s,s:s,s:o}", "variant", pm_json_text(trace->variant), "groups",
                             trace->terms->groups, "items", trace->terms->items, "kernels",
                             pm_json_kernels(trace))
                 : json_null();
}

static json_t *chance_json(const pm_chance *chance)
{
    return json_pack("[o,o,o]", pm_json_number(chance->log_center), pm_json_number(chance->below),
                     pm_json_number(chance->above));
}

/* Returns the numbers from which the page computes costs and savings of the candidate, the version
 * (variant of the program) that the report compares with the base, for any prices. The hours of
 * work are the estimate, even if the user gave hours. */
static json_t *money_json(const pm_report *report, const pm_report_case *c)
{
    const pm_advice *a = c->advice;
    const pm_choice *base = &a->choices[c->base], *v = &a->choices[c->candidate];
    pm_cost_options options = report->cost;
    pm_interval hours;
    pm_chance work, seconds = pm_cost_seconds(base, base), gain = pm_cost_gain(a, v);

    options.hours = (double)NAN;
    work = pm_cost_hours(v, &options, &hours);
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o}", "seconds", pm_json_number(base->predicted_s),
                     "gain", pm_json_number(pm_cost_gain_of(v).mid), "hours", pm_json_range(&hours),
                     "seconds_chance", chance_json(&seconds), "gain_chance", chance_json(&gain),
                     "hours_chance", chance_json(&work));
}

static json_t *case_json(const pm_report *report, const pm_report_case *c)
{
    const bool energy = pm_json_has_energy(&report->cost);
    json_t *object = pm_json_advice(c->advice, report->money || energy ? c->costs : NULL);

    if (!report->money && energy)
        pm_json_keep_energy(json_object_get(object, "choices"));
    json_object_set_new(object, "candidate",
                        pm_json_text(c->advice->choices[c->candidate].variant));
    json_object_set_new(object, "money", report->money ? money_json(report, c) : json_null());
    json_object_set_new(object, "traces",
                        json_pack("[o,o]", trace_json(c->base_trace), trace_json(c->trace)));
    if (c->tuning)
        json_object_set_new(object, "tuning", pm_json_tuning(c->tuning));
    return object;
}

/* ---- a target ------------------------------------------------------------------------------- */

static json_t *dataset_json(const void *of)
{
    const pm_report_dataset *d = of;

    return json_pack("{s:o,s:o,s:I,s:O?}", "name", pm_json_text(d->name), "path",
                     pm_json_text(d->path), "rows", (json_int_t)d->rows, "provenance",
                     d->provenance);
}

/* Returns a JSON object with the properties and the datasets of a GPU. */
static json_t *gpu_json(const void *of)
{
    const pm_report_target *gpu = of;
    json_t *profile = json_object();

    for (size_t i = 0; i < gpu->property_count; i++)
        json_object_set_new(
            profile, gpu->properties[i].name,
            pm_json_text(*gpu->properties[i].value ? gpu->properties[i].value : NULL));
    return json_pack(
        "{s:o,s:o,s:o,s:o}", "target", pm_json_text(gpu->id), "gpu",
        pm_json_text(pm_report_gpu(gpu)), "profile", profile, "datasets",
        pm_json_things(gpu->datasets, gpu->dataset_count, sizeof *gpu->datasets, dataset_json));
}

static json_t *target_json(const pm_report *report, const pm_report_target *target)
{
    json_t *object = gpu_json(target), *programs = json_array();

    for (size_t c = 0; c < target->case_count; c++)
        json_array_append_new(programs, case_json(report, &target->cases[c]));
    json_object_set_new(object, "validation",
                        target->validation
                            ? pm_json_validation(target->validation)
                            : json_pack("{s:o}", "missing", pm_json_text(target->no_validation)));
    json_object_set_new(object, "programs", programs);
    return object;
}

/* ---- the whole report ----------------------------------------------------------------------- */

static json_t *omission_json(const void *omission)
{
    static const pm_json_member members[] = {PM_JSON(TEXT, pm_report_omission, target),
                                             PM_JSON(TEXT, pm_report_omission, program),
                                             PM_JSON(TEXT, pm_report_omission, reason)};

    return PM_JSON_OBJECT(omission, members);
}

/* Returns what is excluded from the fit of a model: "class" (all programs of the predicted
 * program's class) or "program" (the predicted program). NULL: nothing is excluded. */
static const char *unit_of(pm_leave_out leave_out)
{
    return leave_out == PM_LEAVE_NOTHING ? NULL : leave_out == PM_LEAVE_CLASS ? "class" : "program";
}

/* Returns a JSON object with the prices of energy, or null if the user gave none. */
static json_t *energy_json(const pm_cost_options *cost)
{
    return pm_json_has_energy(cost)
               ? json_pack("{s:o,s:o,s:o,s:o}", "price", pm_json_number(cost->energy.price),
                           "co2_g_a_kwh", pm_json_number(cost->energy.co2_g), "runs_per_month",
                           pm_json_number(cost->runs_per_month), "currency",
                           pm_json_text(cost->currency))
               : json_null();
}

/* Returns a JSON object with the rates from which the hours of work are estimated. */
static json_t *effort_json(const pm_cost_options *cost)
{
    pm_effort_rates rates = cost->effort;
    json_t *list = json_array();

    for (size_t i = 0; i < PM_EFFORT_RATES; i++) {
        const pm_effort_rate *rate = pm_effort_rate_at(i);
        double value = *pm_effort_rate_of(&rates, rate);

        json_array_append_new(list,
                              json_pack("{s:s,s:o,s:s,s:s}", "name", rate->name, "value",
                                        pm_json_number(value), "what", rate->what, "source",
                                        value == rate->value ? rate->source : "given by --effort"));
    }
    return list;
}

json_t *pm_report_document(const pm_report *r)
{
    json_t *targets = json_array();

    for (size_t t = 0; t < r->target_count; t++)
        json_array_append_new(targets, target_json(r, &r->targets[t]));
    return json_pack(
        "{s:i,s:s,s:o,s:o,s:b,s:s?,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "format", 2, "tool",
        "perfmodel " PM_VERSION, "date", pm_json_text(r->date), "command", pm_json_text(r->command),
        "leave_out", r->leave_out != PM_LEAVE_NOTHING, "leave_out_unit", unit_of(r->leave_out),
        "cost_options", r->money ? pm_json_cost_options(&r->cost) : json_null(), "energy_options",
        energy_json(&r->cost), "effort_rates", effort_json(&r->cost), "assumed",
        pm_json_assumed(r->assumed), "targets", targets, "measured_gpus",
        pm_json_things(r->known, r->known_count, sizeof *r->known, gpu_json), "left_out",
        pm_json_things(r->omissions, r->omission_count, sizeof *r->omissions, omission_json));
}

char *pm_report_json(const pm_report *report, pm_error *err)
{
    json_t *document = pm_report_document(report);
    char *text = document ? json_dumps(document, JSON_INDENT(2) | PM_JSON_DIGITS) : NULL,
         *whole = NULL;

    json_decref(document);
    if (!text || asprintf(&whole, "%s\n", text) < 0)
        whole = NULL;
    free(text);
    if (!whole)
        pm_fail(err, PM_FAILED, "out of memory for the report");
    return whole;
}
