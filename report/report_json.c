/* The report as one JSON document. Times are in seconds. Gains are the base's time divided by the
 * version's time. Chances are from 0 to 1. null means unknown or never.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/json/json.h"
#include "report/report.h"

/* ---- a program ------------------------------------------------------------------------------ */

static json_t *trace_json(const pm_trace *trace)
{
    return trace ? json_pack("{s:o,s:o}", "variant", pm_json_text(trace->variant), "kernels",
                             pm_json_kernels(trace))
                 : json_null();
}

static json_t *case_json(const void *of)
{
    const pm_report_case *c = of;
    json_t *object = pm_json_advice(c->advice, c->money ? c->costs : NULL);

    json_object_set_new(object, "candidate",
                        pm_json_text(c->advice->choices[c->candidate].variant));
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

/* Properties and datasets of a GPU. */
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

static json_t *target_json(const void *of)
{
    const pm_report_target *target = of;
    json_t *object = gpu_json(target);

    json_object_set_new(object, "validation",
                        target->validation
                            ? pm_json_validation(target->validation)
                            : json_pack("{s:o}", "missing", pm_json_text(target->no_validation)));
    json_object_set_new(
        object, "programs",
        pm_json_things(target->cases, target->case_count, sizeof *target->cases, case_json));
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

/* The unit that is left out. NULL if nothing is left out. */
static const char *unit_of(pm_leave_out leave_out)
{
    return leave_out == PM_LEAVE_NOTHING ? NULL : leave_out == PM_LEAVE_CLASS ? "class" : "program";
}

static json_t *document_of(const pm_report *r)
{
    return json_pack(
        "{s:i,s:s,s:o,s:o,s:b,s:s?,s:o,s:o,s:o,s:o,s:o}", "format", 2, "tool",
        "perfmodel " PM_VERSION, "date", pm_json_text(r->date), "command", pm_json_text(r->command),
        "leave_out", r->leave_out != PM_LEAVE_NOTHING, "leave_out_unit", unit_of(r->leave_out),
        "cost_options", r->money ? pm_json_cost_options(&r->cost) : json_null(), "assumed",
        pm_json_assumed(r->assumed), "targets",
        pm_json_things(r->targets, r->target_count, sizeof *r->targets, target_json),
        "measured_gpus", pm_json_things(r->known, r->known_count, sizeof *r->known, gpu_json),
        "left_out",
        pm_json_things(r->omissions, r->omission_count, sizeof *r->omissions, omission_json));
}

char *pm_report_json(const pm_report *report, pm_error *err)
{
    json_t *document = document_of(report);
    char *text = document ? json_dumps(document, JSON_INDENT(2) | PM_JSON_DIGITS) : NULL;
    size_t length = text ? strlen(text) : 0;
    char *whole = text ? realloc(text, length + 2) : NULL;

    json_decref(document);
    if (!whole) {
        free(text);
        pm_fail(err, PM_FAILED, "out of memory for the report");
        return NULL;
    }
    memcpy(whole + length, "\n", 2);
    return whole;
}
