/* Writes as JSON: predicted times, counters of traced kernels, and the list of arrays that can be
 * or were copied to local memory. See json.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "report/json/json.h"

/* ---- predictions ---------------------------------------------------------------------------- */

json_t *pm_json_prediction(const pm_prediction *p, bool always_measured)
{
    static const pm_json_member key[] = {
        PM_JSON(TEXT, pm_sample, program), PM_JSON(TEXT, pm_sample, variant),
        PM_JSON(TEXT, pm_sample, size), PM_JSON(TEXT, pm_sample, kernel)};
    static const pm_json_member times[] = {PM_JSON(NUMBER, pm_prediction, predicted_s),
                                           PM_JSON(NUMBER, pm_prediction, lo_s),
                                           PM_JSON(NUMBER, pm_prediction, hi_s)};
    json_t *object = PM_JSON_OBJECT(p->sample, key);

    json_object_update_new(object, PM_JSON_OBJECT(p, times));
    if (always_measured || isfinite(p->measured_s))
        json_object_set_new(object, "measured_s", pm_json_number(p->measured_s));
    if (p->why.n > 0)
        pm_json_why(object, &p->why);
    return object;
}

static json_t *total_json(const void *thing)
{
    static const pm_json_member members[] = {PM_JSON(TEXT, pm_predicted_total, program),
                                             PM_JSON(TEXT, pm_predicted_total, variant),
                                             PM_JSON(TEXT, pm_predicted_total, size),
                                             PM_JSON(COUNT, pm_predicted_total, kernels),
                                             PM_JSON(NUMBER, pm_predicted_total, predicted_s),
                                             PM_JSON(NUMBER, pm_predicted_total, lo_s),
                                             PM_JSON(NUMBER, pm_predicted_total, hi_s)};
    const pm_predicted_total *total = thing;
    json_t *object = PM_JSON_OBJECT(total, members);

    if (isfinite(total->measured_s))
        json_object_set_new(object, "measured_s", pm_json_number(total->measured_s));
    if (total->why.n > 0)
        pm_json_why(object, &total->why);
    return object;
}

json_t *pm_json_totals(const pm_predictions *predictions)
{
    return pm_json_things(predictions->totals, predictions->total_count,
                          sizeof *predictions->totals, total_json);
}

static json_t *sample_json(const void *prediction)
{
    const pm_sample *sample = ((const pm_prediction *)prediction)->sample;
    json_t *object = pm_json_prediction(prediction, true);

    json_object_set_new(object, "device", pm_json_text(sample->device));
    if (sample->origin && *sample->origin)
        json_object_set_new(object, "origin", pm_json_text(sample->origin));
    return object;
}

json_t *pm_json_validation(const pm_validation *v)
{
    static const pm_json_member members[] = {
        PM_JSON(TEXT, pm_validation, dataset),      PM_JSON(TEXT, pm_validation, from),
        PM_JSON(TEXT, pm_validation, method),       PM_JSON(TEXT, pm_validation, leave_out),
        PM_JSON(COUNT, pm_validation, n),           PM_JSON(NUMBER, pm_validation, mape),
        PM_JSON(NUMBER, pm_validation, median_ape), PM_JSON(NUMBER, pm_validation, coverage90)};
    json_t *object = PM_JSON_OBJECT(v, members);

    json_object_set_new(object, "counters",
                        pm_json_texts((char *const *)v->counters, v->counter_count));
    json_object_set_new(object, "samples",
                        pm_json_things(v->samples, v->n, sizeof *v->samples, sample_json));
    return object;
}

/* ---- traces --------------------------------------------------------------------------------- */

static json_t *access_json(const void *access)
{
    static const pm_json_member members[] = {PM_JSON(TEXT, pm_access, kind),
                                             PM_JSON(TEXT, pm_access, space),
                                             PM_JSON(UNSIGNED, pm_access, bytes),
                                             PM_JSON(UNSIGNED, pm_access, line),
                                             PM_JSON(UNSIGNED, pm_access, column),
                                             PM_JSON(TEXT, pm_access, buffer),
                                             PM_JSON(TEXT, pm_access, structure),
                                             PM_JSON(TEXT, pm_access, field),
                                             PM_JSON(UNSIGNED, pm_access, loop),
                                             PM_JSON(NUMBER, pm_access, executions),
                                             PM_JSON(NUMBER, pm_access, work_items),
                                             PM_JSON(NUMBER, pm_access, transactions),
                                             PM_JSON(NUMBER, pm_access, coalesced_threads),
                                             PM_JSON_AS("class", TEXT, pm_access, access_class)};

    return PM_JSON_OBJECT(access, members);
}

static json_t *kernel_json(const void *traced)
{
    static const pm_json_member members[] = {
        PM_JSON(TEXT, pm_trace_kernel, kernel), PM_JSON(COUNT, pm_trace_kernel, launches),
        PM_JSON(NUMBER, pm_trace_kernel, sampled), PM_JSON(TEXT, pm_trace_kernel, registers_source),
        PM_JSON(TEXT, pm_trace_kernel, profiler)};
    const pm_trace_kernel *kernel = traced;
    json_t *object = PM_JSON_OBJECT(kernel, members), *counters = json_object();

    for (size_t i = 0; i < kernel->count; i++)
        json_object_set_new(
            counters, kernel->names[i],
            json_pack("{s:o,s:o,s:o,s:s?}", "value", pm_json_number(kernel->values[i]), "unit",
                      pm_json_text(kernel->units[i]), "error", pm_json_number(kernel->errors[i]),
                      "profiler_name", kernel->profiler_names[i]));
    json_object_set_new(object, "counters", counters);
    json_object_set_new(
        object, "accesses",
        pm_json_things(kernel->accesses, kernel->access_count, sizeof(pm_access), access_json));
    return object;
}

json_t *pm_json_kernels(const pm_trace *trace)
{
    return pm_json_things(trace->kernels, trace->kernel_count, sizeof(pm_trace_kernel),
                          kernel_json);
}

/* ---- stagings ------------------------------------------------------------------------------- */

static json_t *array_json(const void *staged)
{
    static const pm_json_member members[] = {
        PM_JSON(TEXT, pm_stage_array, kernel),
        PM_JSON(TEXT, pm_stage_array, array),
        PM_JSON_AS("first_line", UNSIGNED, pm_stage_array, line),
        PM_JSON(UNSIGNED, pm_stage_array, last_line),
        PM_JSON(FLAG, pm_stage_array, read),
        PM_JSON(FLAG, pm_stage_array, written),
        PM_JSON(TEXT, pm_stage_array, range),
        PM_JSON(KNOWN, pm_stage_array, elements),
        PM_JSON(POSITIVE, pm_stage_array, accesses)};
    static const pm_json_member tile[] = {
        PM_JSON(COUNT, pm_stage_array, element_bytes), PM_JSON(COUNT, pm_stage_array, tile_bytes),
        PM_JSON(COUNT, pm_stage_array, tile), PM_JSON(FLAG, pm_stage_array, staged),
        PM_JSON(TEXT, pm_stage_array, reason)};
    const pm_stage_array *a = staged;
    json_t *object = PM_JSON_OBJECT(a, members);
    bool known = a->elements > 0 && a->accesses > 0;

    json_object_set_new(object, "accesses_per_element",
                        pm_json_number(known ? a->accesses / (double)a->elements : (double)NAN));
    json_object_update_new(object, PM_JSON_OBJECT(a, tile));
    return object;
}

json_t *pm_json_arrays(const pm_transformed *t)
{
    return pm_json_things(t->arrays, t->array_count, sizeof *t->arrays, array_json);
}
