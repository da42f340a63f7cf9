/* The report as one JSON document. Times are in seconds, gains are the base's time over the
 * version's, chances are from 0 to 1; null is unknown, or never.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "report.h"

/* ---- a version ------------------------------------------------------------------------------ */

static json_t *why_json(const pm_explanation *why)
{
    json_t *terms = json_array();

    for (size_t i = 0; i < why->n; i++)
        json_array_append_new(terms,
                              json_pack("{s:o,s:o,s:o}", "unit", pm_json_text(why->terms[i].unit),
                                        "alone_s", pm_json_number(why->terms[i].alone_s), "added_s",
                                        pm_json_number(why->terms[i].added_s)));
    return json_pack("{s:o,s:o}", "bound", pm_json_text(why->n ? why->bound : NULL), "units",
                     terms);
}

static json_t *rewrite_json(const pm_rewrite_size *r)
{
    return json_pack("{s:I,s:I,s:I,s:I,s:b}", "kernels", (json_int_t)r->kernels, "structs",
                     (json_int_t)r->structs, "source_lines", (json_int_t)r->source_lines,
                     "host_lines", (json_int_t)r->host_lines, "by_hand", r->by_hand);
}

static json_t *cost_json(const pm_payback *c)
{
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "hours", pm_json_range(&c->hours), "cost",
                     pm_json_range(&c->cost), "saving_a_month", pm_json_range(&c->saving),
                     "break_even_runs", pm_json_range(&c->break_even_runs), "break_even_days",
                     pm_json_range(&c->break_even_days), "net_a_year", pm_json_range(&c->net),
                     "chance_a_year", pm_json_number(c->chance_a_year));
}

static json_t *choices_json(const pm_report_case *c)
{
    json_t *choices = json_array();

    for (size_t i = 0; i < c->advice->n; i++) {
        const pm_choice *v = &c->advice->choices[i];

        json_array_append_new(
            choices,
            json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "variant",
                      pm_json_text(v->variant), "predicted_s", pm_json_number(v->predicted_s),
                      "lo_s", pm_json_number(v->lo_s), "hi_s", pm_json_number(v->hi_s), "gain",
                      pm_json_number(v->gain), "lo", pm_json_number(v->lo), "hi",
                      pm_json_number(v->hi), "chance", pm_json_number(v->chance), "measured_s",
                      pm_json_number(v->measured_s), "why", why_json(&v->why), "rewrite",
                      rewrite_json(&v->rewrite), "cost", cost_json(&c->costs[i])));
    }
    return choices;
}

/* ---- a trace -------------------------------------------------------------------------------- */

static json_t *counters_json(const pm_trace_kernel *kernel)
{
    json_t *counters = json_array();

    for (size_t i = 0; i < kernel->count; i++)
        json_array_append_new(counters,
                              json_pack("{s:o,s:o,s:o,s:o}", "name", pm_json_text(kernel->names[i]),
                                        "unit", pm_json_text(kernel->units[i]), "value",
                                        pm_json_number(kernel->values[i]), "error",
                                        pm_json_number(kernel->errors[i])));
    return counters;
}

static json_t *accesses_json(const pm_trace_kernel *kernel)
{
    json_t *accesses = json_array();

    for (size_t i = 0; i < kernel->access_count; i++) {
        const pm_access *a = &kernel->accesses[i];

        json_array_append_new(
            accesses, json_pack("{s:o,s:o,s:I,s:I,s:I,s:o,s:o,s:o,s:I,s:o,s:o,s:o,s:o,s:o}", "kind",
                                pm_json_text(a->kind), "space", pm_json_text(a->space), "bytes",
                                (json_int_t)a->bytes, "line", (json_int_t)a->line, "column",
                                (json_int_t)a->column, "buffer", pm_json_text(a->buffer), "struct",
                                pm_json_text(a->structure), "field", pm_json_text(a->field), "loop",
                                (json_int_t)a->loop, "executions", pm_json_number(a->executions),
                                "work_items", pm_json_number(a->work_items), "transactions",
                                pm_json_number(a->transactions), "coalesced_threads",
                                pm_json_number(a->coalesced_threads), "class",
                                pm_json_text(a->access_class)));
    }
    return accesses;
}

static json_t *trace_json(const pm_trace *trace)
{
    json_t *kernels = json_array();

    if (!trace) {
        json_decref(kernels);
        return json_null();
    }
    for (size_t k = 0; k < trace->kernel_count; k++) {
        const pm_trace_kernel *kernel = &trace->kernels[k];

        json_array_append_new(
            kernels,
            json_pack("{s:o,s:I,s:o,s:o,s:o}", "kernel", pm_json_text(kernel->kernel), "launches",
                      (json_int_t)kernel->launches, "sampled", pm_json_number(kernel->sampled),
                      "counters", counters_json(kernel), "accesses", accesses_json(kernel)));
    }
    return json_pack("{s:o,s:o}", "variant", pm_json_text(trace->variant), "kernels", kernels);
}

static json_t *case_json(const pm_report_case *c)
{
    const pm_advice *a = c->advice;

    return json_pack(
        "{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:I,s:o,s:o}", "program", pm_json_text(a->program), "size",
        pm_json_text(a->size), "basis", pm_json_text(a->basis), "base", pm_json_text(a->base),
        "best", pm_json_text(a->best), "candidate", pm_json_text(a->choices[c->candidate].variant),
        "nakai", pm_json_text(a->nakai), "examined", (json_int_t)a->examined, "choices",
        choices_json(c), "traces",
        json_pack("[o,o]", trace_json(c->base_trace), trace_json(c->trace)));
}

/* ---- a target ------------------------------------------------------------------------------- */

static json_t *datasets_json(const pm_report_target *target)
{
    json_t *datasets = json_array();

    for (size_t i = 0; i < target->dataset_count; i++) {
        const pm_report_dataset *d = &target->datasets[i];

        json_array_append_new(datasets,
                              json_pack("{s:o,s:o,s:I,s:O?}", "name", pm_json_text(d->name), "path",
                                        pm_json_text(d->path), "rows", (json_int_t)d->rows,
                                        "provenance", d->provenance));
    }
    return datasets;
}

static json_t *validation_json(const pm_report_target *target)
{
    const pm_validation *v = target->validation;
    json_t *samples = json_array();

    if (!v) {
        json_decref(samples);
        return json_pack("{s:o}", "missing", pm_json_text(target->no_validation));
    }
    for (size_t i = 0; i < v->n; i++) {
        const pm_prediction *p = &v->samples[i];

        json_array_append_new(
            samples,
            json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "program",
                      pm_json_text(p->sample->program), "variant", pm_json_text(p->sample->variant),
                      "size", pm_json_text(p->sample->size), "kernel",
                      pm_json_text(p->sample->kernel), "measured_s", pm_json_number(p->measured_s),
                      "predicted_s", pm_json_number(p->predicted_s), "lo_s",
                      pm_json_number(p->lo_s), "hi_s", pm_json_number(p->hi_s)));
    }
    return json_pack("{s:o,s:o,s:o,s:o,s:I,s:o,s:o,s:o,s:o}", "dataset", pm_json_text(v->dataset),
                     "from", pm_json_text(v->from), "method", pm_json_text(v->method), "leave_out",
                     pm_json_text(v->leave_out), "n", (json_int_t)v->n, "mape",
                     pm_json_number(v->mape), "median_ape", pm_json_number(v->median_ape),
                     "coverage90", pm_json_number(v->coverage90), "samples", samples);
}

static json_t *profile_json(const pm_report_target *target)
{
    json_t *profile = json_object();

    for (size_t i = 0; i < target->property_count; i++)
        json_object_set_new(profile, target->properties[i].name,
                            *target->properties[i].value ? pm_json_text(target->properties[i].value)
                                                         : json_null());
    return profile;
}

static json_t *target_json(const pm_report_target *target)
{
    json_t *cases = json_array();

    for (size_t c = 0; c < target->case_count; c++)
        json_array_append_new(cases, case_json(&target->cases[c]));
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o}", "target", pm_json_text(target->id), "gpu",
                     pm_json_text(pm_report_gpu(target)), "profile", profile_json(target),
                     "datasets", datasets_json(target), "validation", validation_json(target),
                     "programs", cases);
}

/* ---- all of it ------------------------------------------------------------------------------ */

json_t *pm_report_options_json(const pm_cost_options *o)
{
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "hours", pm_json_number(o->hours),
                     "hourly_rate", pm_json_number(o->hourly_rate), "gpu_hour",
                     pm_json_number(o->gpu_hour), "runs_per_month",
                     pm_json_number(o->runs_per_month), "passes", pm_json_number(o->passes), "gpus",
                     pm_json_number(o->gpus), "currency", pm_json_text(o->currency));
}

static json_t *document_of(const pm_report *report)
{
    json_t *targets = json_array(), *omitted = json_array(), *known = json_array();

    for (size_t t = 0; t < report->target_count; t++)
        json_array_append_new(targets, target_json(&report->targets[t]));
    for (size_t t = 0; t < report->known_count; t++)
        json_array_append_new(known, json_pack("{s:o,s:o,s:o}", "target",
                                               pm_json_text(report->known[t].id), "profile",
                                               profile_json(&report->known[t]), "datasets",
                                               datasets_json(&report->known[t])));
    for (size_t i = 0; i < report->omission_count; i++)
        json_array_append_new(
            omitted, json_pack("{s:o,s:o,s:o}", "target", pm_json_text(report->omissions[i].target),
                               "program", pm_json_text(report->omissions[i].program), "reason",
                               pm_json_text(report->omissions[i].reason)));
    return json_pack("{s:i,s:s,s:o,s:o,s:b,s:o,s:o,s:o,s:o}", "format", 1, "tool",
                     "perfmodel " PM_VERSION, "date", pm_json_text(report->date), "command",
                     pm_json_text(report->command), "leave_out", report->leave_out, "money",
                     pm_report_options_json(&report->cost), "targets", targets, "measured_gpus",
                     known, "left_out", omitted);
}

char *pm_report_json(const pm_report *report, pm_error *err)
{
    json_t *document = document_of(report);
    char *text = document ? json_dumps(document, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
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
