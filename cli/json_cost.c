/* Advice as JSON, with what versions cost and return. See cost.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "cost.h"
#include "model/effort.h"

static json_t *range_json(const pm_interval *range)
{
    return json_pack("{s:o,s:o,s:o}", "lo", cli_json_number(range->lo), "mid",
                     cli_json_number(range->mid), "hi", cli_json_number(range->hi));
}

/* ---- the options ---------------------------------------------------------------------------- */

static json_t *effort_json(const pm_effort_rates *rates)
{
    json_t *object = json_object();
    pm_effort_rates copy = *rates;

    for (size_t i = 0; i < PM_EFFORT_RATES; i++) {
        const pm_effort_rate *rate = pm_effort_rate_at(i);

        json_object_set_new(object, rate->name, cli_json_number(*pm_effort_rate_of(&copy, rate)));
    }
    return object;
}

static json_t *assumed_json(unsigned given)
{
    json_t *names = json_array();

    for (unsigned i = 0; i < PM_ASSUMPTIONS; i++)
        if (!(given & 1u << i))
            json_array_append_new(names, json_string(pm_table_assumption_name(i)));
    return names;
}

json_t *cli_json_cost_options(const cli_cost *cost)
{
    const pm_cost_options *o = &cost->options;

    if (!cost->wanted)
        return json_null();
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "hours", cli_json_number(o->hours),
                     "rate", cli_json_number(o->hourly_rate), "gpu_hour",
                     cli_json_number(o->gpu_hour), "runs_per_month",
                     cli_json_number(o->runs_per_month), "passes", cli_json_number(o->passes),
                     "gpus", cli_json_number(o->gpus), "currency", cli_json_text(o->currency),
                     "effort", effort_json(&o->effort), "assumed", assumed_json(cost->given));
}

/* ---- the choices ---------------------------------------------------------------------------- */

json_t *cli_json_cost(const pm_payback *cost)
{
    if (!cost)
        return json_null();
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "hours", range_json(&cost->hours), "cost",
                     range_json(&cost->cost), "saving_month", range_json(&cost->saving),
                     "break_even_runs", range_json(&cost->break_even_runs), "break_even_days",
                     range_json(&cost->break_even_days), "net_year", range_json(&cost->net),
                     "chance_year", cli_json_number(cost->chance_a_year));
}

static json_t *rewrite_json(const pm_rewrite_size *size)
{
    return json_pack("{s:I,s:I,s:I,s:I,s:b}", "kernels", (json_int_t)size->kernels, "structs",
                     (json_int_t)size->structs, "source_lines", (json_int_t)size->source_lines,
                     "host_lines", (json_int_t)size->host_lines, "by_hand", (int)size->by_hand);
}

/* 0 is no time, but one that nobody predicted. */
static json_t *seconds_json(double seconds)
{
    return cli_json_number(seconds > 0 ? seconds : (double)NAN);
}

static json_t *choice_json(const pm_choice *c, const pm_payback *cost)
{
    json_t *object =
        json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "variant", cli_json_text(c->variant),
                  "predicted_s", cli_json_number(c->predicted_s), "lo_s", seconds_json(c->lo_s),
                  "hi_s", seconds_json(c->hi_s), "gain", cli_json_number(c->gain), "lo",
                  cli_json_number(c->lo), "hi", cli_json_number(c->hi), "chance",
                  cli_json_number(c->chance), "measured_s", cli_json_number(c->measured_s));

    if (object) {
        cli_json_why(object, &c->why);
        json_object_set_new(object, "rewrite", rewrite_json(&c->rewrite));
        json_object_set_new(object, "cost", cli_json_cost(cost));
    }
    return object;
}

json_t *cli_json_advice(const pm_advice *advice, const pm_payback *costs)
{
    json_t *choices = json_array();

    for (size_t i = 0; i < advice->n; i++) {
        const pm_choice *choice = &advice->choices[i];
        bool base = strcmp(choice->variant, advice->base) == 0;

        json_array_append_new(choices, choice_json(choice, costs && !base ? &costs[i] : NULL));
    }
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:I,s:o}", "target",
                     cli_json_text(advice->target), "basis", cli_json_text(advice->basis),
                     "program", cli_json_text(advice->program), "size", cli_json_text(advice->size),
                     "base", cli_json_text(advice->base), "best", cli_json_text(advice->best),
                     "nakai", cli_json_text(advice->nakai), "examined",
                     (json_int_t)advice->examined, "choices", choices);
}

/* ---- other GPUs ----------------------------------------------------------------------------- */

static const char *cheapest_name(pm_cheapest cheapest)
{
    switch (cheapest) {
    case PM_BASE_HERE:
        return "base here";
    case PM_BEST_HERE:
        return "best here";
    case PM_BASE_THERE:
        return "base there";
    case PM_BEST_THERE:
        return "best there";
    }
    return NULL;
}

static json_t *place_json(const pm_place_cost *cost)
{
    return json_pack("{s:o,s:o,s:o,s:o}", "base_month", range_json(&cost->base), "best_month",
                     range_json(&cost->best), "base_year", cli_json_number(cost->base_year),
                     "best_year", cli_json_number(cost->best_year));
}

json_t *cli_json_elsewhere(const pm_table_place *places, size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; i < count; i++) {
        const pm_elsewhere *e = &places[i].elsewhere;

        json_array_append_new(list, json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "target",
                                              cli_json_text(places[i].advice->target), "basis",
                                              cli_json_text(places[i].advice->basis), "gpu_hour",
                                              cli_json_number(places[i].gpu_hour), "best",
                                              cli_json_text(places[i].advice->best), "here",
                                              place_json(&e->here), "there", place_json(&e->there),
                                              "cheapest", cli_json_text(cheapest_name(e->cheapest)),
                                              "overtakes_days", range_json(&e->overtakes),
                                              "chance_year", cli_json_number(e->chance_a_year)));
    }
    return list;
}
