/* Writes the result of `perfmodel tune` as JSON: the values of a kernel's tuning parameters, sorted
 * by predicted time. See json.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "report/json/json.h"

static json_t *json_parameters(const pm_tuning *tuning, const int64_t *values)
{
    json_t *object = json_object();

    for (size_t p = 0; p < tuning->parameter_count; p++)
        json_object_set_new(object, tuning->parameters[p].name, json_integer(values[p]));
    return object;
}

static json_t *json_choice(const pm_tuning *tuning, const pm_tune_choice *choice)
{
    json_t *object = json_pack("{s:o,s:s,s:o,s:o,s:o,s:b}", "parameters",
                               json_parameters(tuning, choice->values), "variant", choice->variant,
                               "predicted_s", pm_json_number(choice->predicted_s), "lo_s",
                               pm_json_number(choice->lo_s), "hi_s", pm_json_number(choice->hi_s),
                               "examined", choice->examined);

    if (object && !isnan(choice->measured_s))
        json_object_set_new(object, "measured_s", json_real(choice->measured_s));
    return object;
}

static json_t *json_effect(const pm_tune_parameter *parameter)
{
    json_t *values = json_array();

    for (size_t k = 0; k < parameter->count; k++)
        json_array_append_new(values,
                              json_pack("{s:I,s:o,s:o}", "value", (json_int_t)parameter->values[k],
                                        "mean_s", pm_json_number(parameter->mean_s[k]), "best_s",
                                        pm_json_number(parameter->best_s[k])));
    return json_pack("{s:s,s:o,s:o}", "name", parameter->name, "share",
                     pm_json_number(parameter->share), "values", values);
}

json_t *pm_json_tuning(const pm_tuning *tuning)
{
    json_t *choices = json_array(), *effects = json_array(), *reached = json_array(),
           *first = json_array();

    for (size_t i = 0; i < tuning->reached_count; i++)
        json_array_append_new(reached,
                              json_pack("{s:I,s:f}", "runs", (json_int_t)tuning->reached[i].runs,
                                        "fraction", tuning->reached[i].fraction));
    for (size_t i = 0; i < tuning->n; i++)
        json_array_append_new(choices, json_choice(tuning, &tuning->choices[i]));
    for (size_t i = 0; i < tuning->first_count; i++)
        json_array_append_new(first, json_string(tuning->choices[tuning->first[i]].variant));
    for (size_t p = 0; p < tuning->parameter_count; p++)
        json_array_append_new(effects, json_effect(&tuning->parameters[p]));
    return json_pack("{s:s,s:s,s:s,s:s,s:o,s:I,s:I,s:I,s:I,s:o,s:I,s:I,s:o,s:o,s:o,s:o}", "target",
                     tuning->target, "program", tuning->program, "size", tuning->size, "basis",
                     tuning->basis, "assumed", pm_json_assumed(tuning->assumed), "space",
                     (json_int_t)tuning->space, "examined", (json_int_t)tuning->examined, "traced",
                     (json_int_t)tuning->traced, "failed", (json_int_t)tuning->failed, "failure",
                     pm_json_text(tuning->failure), "measured", (json_int_t)tuning->measured,
                     "known", (json_int_t)tuning->known, "reached", reached, "first", first,
                     "effects", effects, "choices", choices);
}
