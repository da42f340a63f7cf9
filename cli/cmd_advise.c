/* The subcommand `perfmodel advise`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cli/cli.h"
#include "machine/rules.h"
#include "report/json/json.h"
#include "report/results/choices.h"
#include "report/results/tables.h"

/* ---- the result ----------------------------------------------------------------------------- */

typedef struct {
    pm_advice *advice;
    /* costs[i]: cost of choice i of the advice; NULL: costs were not requested */
    pm_payback *costs;
    pm_table_place *places; /* comparisons with other GPUs, one for each --instead */
    size_t place_count;     /* number of other GPUs (--instead) that could be compared */
} result;

static void free_result(result *r)
{
    for (size_t i = 0; i < r->place_count; i++)
        pm_advice_free(r->places[i].advice);
    free(r->places);
    free(r->costs);
    pm_advice_free(r->advice);
}

/* assumed[i]: name of the option for the price of pm_table_assumption i. The default value of such
 * an option is only an example, which the user should replace. */
static const char *const assumed[PM_ASSUMPTIONS] = {"rate", "gpu-hour", "runs"};

/* Returns a bit mask of the prices that the user gave: bit i is set if the option assumed[i] was
 * used. */
static unsigned given_prices(const cli_options *o)
{
    unsigned given = 0;

    for (unsigned i = 0; i < PM_ASSUMPTIONS; i++)
        given |= cli_given(o, assumed[i]) ? 1u << i : 0;
    return given;
}

static json_t *to_json(const cli_options *o, const result *r)
{
    json_t *document = pm_json_advised(r->advice, r->costs, &o->cost, given_prices(o));

    json_object_set_new(document, "elsewhere", pm_json_elsewhere(r->places, r->place_count));
    if (o->steps)
        json_object_set_new(document, "steps",
                            r->advice->steps ? pm_json_nakai(r->advice->steps) : json_null());
    return document;
}

static void report(const cli_options *o, const result *r)
{
    const pm_advice *advice = r->advice;
    const pm_screen screen = cli_screen(o);

    if (o->steps && advice->steps) {
        pm_table_nakai(&screen, advice->steps);
        putchar('\n');
    }
    pm_table_advice(&screen, advice);
    if (cli_asks_money(o))
        pm_table_cost(&screen, advice, &o->cost, given_prices(o), r->costs);
    if (cli_asks_energy(o))
        pm_table_energy(&screen, advice, &o->cost, r->costs);
    if (!cli_asks_money(o))
        pm_screen_note(&screen,
                       "\nWhether the work pays: add --rate R --gpu-hour P --runs N (a month).");
    if (r->place_count > 0)
        pm_table_elsewhere(&screen, advice, &o->cost, r->places, r->place_count);
}

/* ---- the work ------------------------------------------------------------------------------- */

static pm_status find_costs(const cli_options *o, result *r, pm_error *err)
{
    pm_status status = PM_OK;

    if (!cli_asks_money(o) && !cli_asks_energy(o))
        return PM_OK;
    r->costs = calloc(r->advice->n + 1, sizeof *r->costs);
    if (!r->costs)
        return pm_fail(err, PM_FAILED, "out of memory for what the versions cost");
    for (size_t i = 0; status == PM_OK && i < r->advice->n; i++)
        status = pm_cost_of(r->advice, &r->advice->choices[i], &o->cost, &r->costs[i], err);
    return status;
}

static pm_status find_places(pm_session *session, const cli_options *o,
                             const pm_advise_options *advise, result *r, pm_error *err)
{
    const pm_place_to_run here = {.advice = r->advice, .gpu_hour = o->cost.gpu_hour};
    pm_status status = PM_OK;

    r->places = calloc(o->instead_count + 1, sizeof *r->places);
    if (!r->places)
        return pm_fail(err, PM_FAILED, "out of memory for other GPUs");
    for (size_t i = 0; status == PM_OK && i < o->instead_count; i++) {
        const cli_instead *instead = &o->instead[i];
        pm_table_place *place = &r->places[i];
        pm_advise_options there = *advise;

        there.target = instead->name;
        place->gpu_hour = isnan(instead->price) ? o->cost.gpu_hour : instead->price;
        place->advice = pm_advise(session, &there, err);
        if (!place->advice)
            return err->status;
        r->place_count++;
        status = pm_cost_elsewhere(
            &here, &(const pm_place_to_run){.advice = place->advice, .gpu_hour = place->gpu_hour},
            &o->cost, &place->elsewhere, err);
    }
    return status;
}

static int print_template(const cli_options *o, pm_error *err)
{
    char *text = o->template_cuda ? pm_workload_template_cuda(err) : pm_workload_template(err);

    if (!text)
        return PM_FAILED;
    fputs(text, stdout);
    free(text);
    return PM_OK;
}

static int advise(pm_session *session, const cli_options *o, const char *workload,
                  json_t **document, pm_error *err)
{
    const pm_advise_options options = {.target = cli_first(&o->targets),
                                       .program = cli_first(&o->programs),
                                       .variants = o->variants.names,
                                       .size = cli_first(&o->sizes),
                                       .workload = workload,
                                       .leave_out = o->leave_out,
                                       .clusters = o->clusters,
                                       .check_limit = o->check_limit};
    result r = {0};
    int code;

    r.advice = pm_advise(session, &options, err);
    code = r.advice ? find_costs(o, &r, err) : PM_FAILED;
    if (code == PM_OK)
        code = find_places(session, o, &options, &r, err);
    cli_progress_clear();
    if (code == PM_OK && o->json)
        *document = to_json(o, &r);
    else if (code == PM_OK)
        report(o, &r);
    free_result(&r);
    return code;
}

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    return o->template || o->template_cuda ? print_template(o, err)
                                           : cli_each(session, o, advise, "advice", err);
}

/* ---- the command line ----------------------------------------------------------------------- */

static void check_instead(const cli_options *o, const cli_instead *instead)
{
    pm_cost_options priced = o->cost;
    pm_error err = {0};
    pm_gpu gpu;

    if (!isnan(instead->price))
        priced.gpu_hour = instead->price;
    if (strcmp(instead->name, cli_first(&o->targets)) == 0)
        cli_wrong(o, "--instead %s: that is the target; name another GPU", instead->name);
    if (pm_gpu_find(instead->name, o->datasets, &gpu, &err) != PM_OK)
        cli_wrong(o, "--instead: %s", err.text);
    if (pm_cost_check(&priced, &err) != PM_OK)
        cli_wrong(o, "--instead %s: %s", instead->name, err.text);
}

static void check(const cli_options *o)
{
    pm_error err = {0};

    if (o->template || o->template_cuda)
        return;
    cli_need(o, "--target", o->targets.count > 0);
    cli_check_subject(o, true);
    if (pm_cost_check(&o->cost, &err) != PM_OK)
        cli_wrong(o, "%s", err.text);
    for (size_t i = 0; i < o->instead_count; i++)
        check_instead(o, &o->instead[i]);
    if (o->instead_count > 0 && !cli_asks_money(o))
        cli_wrong(o, "--instead compares what GPUs cost: say what an hour of work costs, too, with "
                     "--rate R");
}

const cli_command cli_advise = {
    .bit = CLI_ADVISE,
    .name = "advise",
    .what = "find the fastest version of a kernel on a GPU",
    .about = "Ranks versions of a program by their predicted time on a GPU: data layouts of its "
             "structs, and arrays in local (shared) memory. Each version is rewritten, traced and "
             "predicted. You do not need the GPU. With prices it also shows the cost of the work, "
             "the saving, and the time until the work has paid.",
    .examples =
        "Example:\n  perfmodel advise --target h100 --program sph --size 800000 --leave-out "
        "program\n"
        "  perfmodel advise --target h100 --program matmul --rate 80 --gpu-hour 2.5 --runs 1e8 "
        "--instead h200=3.5\n"
        "  perfmodel advise --template >my.workload\n"
        "  perfmodel advise --target h100 my.workload\n",
    .usual = "--target h100 --program sph",
    .file = "[WORKLOAD...]",
    .take = cli_take_workload,
    .check = check,
    .rows = "choices",
    .run = run};
