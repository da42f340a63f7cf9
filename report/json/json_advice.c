/* Writes the result of `perfmodel advise` as JSON: the versions of a program with predicted gains,
 * costs and savings. See json.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "answer/cost/effort.h"
#include "report/json/json.h"

static json_t *term_json(const void *term)
{
    static const pm_json_member members[] = {PM_JSON(TEXT, pm_time_term, unit),
                                             PM_JSON(NUMBER, pm_time_term, alone_s),
                                             PM_JSON(NUMBER, pm_time_term, added_s)};

    return PM_JSON_OBJECT(term, members);
}

void pm_json_why(json_t *object, const pm_explanation *why)
{
    json_object_set_new(object, "bound", pm_json_text(why->bound));
    json_object_set_new(object, "terms",
                        pm_json_things(why->terms, why->n, sizeof *why->terms, term_json));
}

/* ---- the options ---------------------------------------------------------------------------- */

json_t *pm_json_cost_options(const pm_cost_options *options)
{
    static const pm_json_member members[] = {
        PM_JSON(NUMBER, pm_cost_options, hours),
        PM_JSON(NUMBER, pm_cost_options, hourly_rate),
        PM_JSON(NUMBER, pm_cost_options, gpu_hour),
        PM_JSON(NUMBER, pm_cost_options, runs_per_month),
        PM_JSON(NUMBER, pm_cost_options, passes),
        PM_JSON(NUMBER, pm_cost_options, gpus),
        PM_JSON(TEXT, pm_cost_options, currency),
        PM_JSON_AS("energy_price", NUMBER, pm_cost_options, energy.price),
        PM_JSON_AS("co2_g_a_kwh", NUMBER, pm_cost_options, energy.co2_g)};
    json_t *object = PM_JSON_OBJECT(options, members), *effort = json_object();
    pm_effort_rates rates = options->effort;

    for (size_t i = 0; i < PM_EFFORT_RATES; i++) {
        const pm_effort_rate *rate = pm_effort_rate_at(i);

        json_object_set_new(effort, rate->name, pm_json_number(*pm_effort_rate_of(&rates, rate)));
    }
    json_object_set_new(object, "effort", effort);
    return object;
}

/* ---- the choices ---------------------------------------------------------------------------- */

static json_t *energy_json(const pm_energy_saving *energy)
{
    static const pm_json_member members[] = {PM_JSON(NUMBER, pm_energy_saving, watts),
                                             PM_JSON(NUMBER, pm_energy_saving, joules),
                                             PM_JSON(NUMBER, pm_energy_saving, kwh_a_month),
                                             PM_JSON(NUMBER, pm_energy_saving, money_a_month),
                                             PM_JSON(NUMBER, pm_energy_saving, co2_kg_a_month)};
    json_t *object = PM_JSON_OBJECT(energy, members);

    json_object_set_new(object, "basis", pm_json_text(pm_energy_basis_name(energy->basis)));
    return object;
}

static json_t *cost_json(const pm_payback *cost)
{
    static const pm_json_member members[] = {
        PM_JSON(RANGE, pm_payback, hours),
        PM_JSON(RANGE, pm_payback, cost),
        PM_JSON_AS("saving_a_month", RANGE, pm_payback, saving),
        PM_JSON(RANGE, pm_payback, break_even_runs),
        PM_JSON(RANGE, pm_payback, break_even_days),
        PM_JSON_AS("net_a_year", RANGE, pm_payback, net),
        PM_JSON(NUMBER, pm_payback, chance_a_year)};

    json_t *object = cost ? PM_JSON_OBJECT(cost, members) : json_null();

    if (cost)
        json_object_set_new(object, "energy", energy_json(&cost->energy));
    return object;
}

static json_t *levels_json(const pm_roofline *point)
{
    json_t *levels = json_object();

    for (int level = 0; level < PM_ROOF_LEVELS; level++)
        json_object_set_new(levels, pm_roof_level_name((pm_roof_level)level),
                            json_pack("{s:o,s:o}", "bytes", pm_json_number(point->bytes[level]),
                                      "intensity", pm_json_number(point->intensity[level])));
    return levels;
}

static json_t *roofline_json(const pm_roofline *point)
{
    static const pm_json_member members[] = {PM_JSON(TEXT, pm_roofline, operations),
                                             PM_JSON(NUMBER, pm_roofline, count),
                                             PM_JSON_AS("flops_per_s", NUMBER, pm_roofline, per_s),
                                             PM_JSON(NUMBER, pm_roofline, roof_per_s),
                                             PM_JSON(NUMBER, pm_roofline, least_s),
                                             PM_JSON(NUMBER, pm_roofline, share),
                                             PM_JSON(TEXT, pm_roofline, bound),
                                             PM_JSON(NUMBER, pm_roofline, time_s),
                                             PM_JSON(FLAG, pm_roofline, measured)};
    json_t *object = PM_JSON_OBJECT(point, members);

    json_object_set_new(object, "intensity", pm_json_number(point->intensity[PM_ROOF_DRAM]));
    json_object_set_new(object, "levels", levels_json(point));
    return object;
}

static json_t *roofs_json(const pm_roofs *roofs)
{
    static const pm_json_member members[] = {PM_JSON(NUMBER, pm_roofs, fp32_per_s),
                                             PM_JSON(NUMBER, pm_roofs, fp64_per_s),
                                             PM_JSON(NUMBER, pm_roofs, int_per_s)};
    json_t *object = PM_JSON_OBJECT(roofs, members), *bytes = json_object();

    for (int level = 0; level < PM_ROOF_LEVELS; level++)
        json_object_set_new(bytes, pm_roof_level_name((pm_roof_level)level),
                            pm_json_number(roofs->bytes_per_s[level]));
    json_object_set_new(object, "bytes_per_s", bytes);
    json_object_set_new(object, "dram_in_practice", pm_json_number(roofs->dram_in_practice));
    return object;
}

static json_t *kernel_json(const void *thing)
{
    static const pm_json_member members[] = {
        PM_JSON(TEXT, pm_choice_kernel, kernel), PM_JSON(NUMBER, pm_choice_kernel, predicted_s),
        PM_JSON(NUMBER, pm_choice_kernel, lo_s), PM_JSON(NUMBER, pm_choice_kernel, hi_s),
        PM_JSON(NUMBER, pm_choice_kernel, measured_s)};
    const pm_choice_kernel *kernel = thing;
    json_t *object = PM_JSON_OBJECT(kernel, members);

    pm_json_why(object, &kernel->why);
    json_object_set_new(object, "roofline", roofline_json(&kernel->roofline));
    return object;
}

static json_t *choice_json(const pm_choice *c, const pm_payback *cost)
{
    static const pm_json_member members[] = {PM_JSON(TEXT, pm_choice, variant),
                                             PM_JSON(NUMBER, pm_choice, predicted_s),
                                             PM_JSON(POSITIVE, pm_choice, lo_s),
                                             PM_JSON(POSITIVE, pm_choice, hi_s),
                                             PM_JSON(NUMBER, pm_choice, gain),
                                             PM_JSON(NUMBER, pm_choice, lo),
                                             PM_JSON(NUMBER, pm_choice, hi),
                                             PM_JSON(NUMBER, pm_choice, chance),
                                             PM_JSON(NUMBER, pm_choice, energy_j),
                                             PM_JSON(NUMBER, pm_choice, measured_s),
                                             PM_JSON(NUMBER, pm_choice, measured_gain),
                                             PM_JSON(NUMBER, pm_choice, measured_lo),
                                             PM_JSON(NUMBER, pm_choice, measured_hi),
                                             PM_JSON(FLAG, pm_choice, missed),
                                             PM_JSON(TEXT, pm_choice, registers_source)};
    static const pm_json_member rewrite[] = {
        PM_JSON(COUNT, pm_rewrite_size, kernels), PM_JSON(COUNT, pm_rewrite_size, structs),
        PM_JSON(COUNT, pm_rewrite_size, source_lines), PM_JSON(COUNT, pm_rewrite_size, host_lines),
        PM_JSON(FLAG, pm_rewrite_size, by_hand)};
    json_t *object = PM_JSON_OBJECT(c, members);

    pm_json_why(object, &c->why);
    json_object_set_new(object, "roofline", roofline_json(&c->roofline));
    json_object_set_new(
        object, "kernels",
        pm_json_things(c->kernels, c->kernel_count, sizeof *c->kernels, kernel_json));
    json_object_set_new(object, "rewrite", PM_JSON_OBJECT(&c->rewrite, rewrite));
    json_object_set_new(object, "cost", cost_json(cost));
    return object;
}

json_t *pm_json_advice(const pm_advice *advice, const pm_payback *costs)
{
    static const pm_json_member members[] = {
        PM_JSON(TEXT, pm_advice, target),    PM_JSON(TEXT, pm_advice, basis),
        PM_JSON(TEXT, pm_advice, program),   PM_JSON(TEXT, pm_advice, size),
        PM_JSON(TEXT, pm_advice, base),      PM_JSON(TEXT, pm_advice, best),
        PM_JSON(TEXT, pm_advice, nakai),     PM_JSON(COUNT, pm_advice, examined),
        PM_JSON(TEXT, pm_advice, checked),   PM_JSON(TEXT, pm_advice, checked_size),
        PM_JSON(TEXT, pm_advice, unchecked), PM_JSON(NUMBER, pm_advice, power_limit_w)};
    json_t *object = PM_JSON_OBJECT(advice, members), *choices = json_array();

    for (size_t i = 0; i < advice->n; i++) {
        const pm_choice *choice = &advice->choices[i];
        bool base = strcmp(choice->variant, advice->base) == 0;

        json_array_append_new(choices, choice_json(choice, costs && !base ? &costs[i] : NULL));
    }
    json_object_set_new(object, "assumed", pm_json_assumed(advice->assumed));
    json_object_set_new(object, "choices", choices);
    json_object_set_new(object, "roofs", roofs_json(&advice->roofs));
    return object;
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

static json_t *place_cost_json(const pm_place_cost *cost)
{
    static const pm_json_member members[] = {PM_JSON_AS("base_month", RANGE, pm_place_cost, base),
                                             PM_JSON_AS("best_month", RANGE, pm_place_cost, best),
                                             PM_JSON(NUMBER, pm_place_cost, base_year),
                                             PM_JSON(NUMBER, pm_place_cost, best_year)};

    return PM_JSON_OBJECT(cost, members);
}

static json_t *place_json(const void *of)
{
    const pm_table_place *place = of;
    const pm_elsewhere *e = &place->elsewhere;

    return json_pack(
        "{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "target", pm_json_text(place->advice->target),
        "basis", pm_json_text(place->advice->basis), "gpu_hour", pm_json_number(place->gpu_hour),
        "best", pm_json_text(place->advice->best), "here", place_cost_json(&e->here), "there",
        place_cost_json(&e->there), "cheapest", pm_json_text(cheapest_name(e->cheapest)),
        "overtakes_days", pm_json_range(&e->overtakes), "chance_a_year",
        pm_json_number(e->chance_a_year));
}

json_t *pm_json_elsewhere(const pm_table_place *places, size_t count)
{
    return pm_json_things(places, count, sizeof *places, place_json);
}
