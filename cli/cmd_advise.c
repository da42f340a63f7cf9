/* perfmodel advise
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "collector/error.h"
#include "cost.h"
#include "report/table.h"
#include "report/table_nakai.h"

typedef struct {
    cli_common common;
    const char *target, *program, *workload, *size;
    unsigned clusters;
    bool leave_out, steps, template;
    cli_cost cost;
} arguments;

enum {
    OPT_TARGET = 256,
    OPT_PROGRAM,
    OPT_WORKLOAD,
    OPT_TEMPLATE,
    OPT_SIZE,
    OPT_LEAVE_OUT,
    OPT_CLUSTERS,
    OPT_STEPS
};

static const struct argp_option options[] = {
    {"target", OPT_TARGET, "NAME", 0, "the GPU to advise for (perfmodel devices)", 0},
    {"program", OPT_PROGRAM, "P", 0, "a program (perfmodel collect --list)", 0},
    {"workload", OPT_WORKLOAD, "FILE", 0, "your own kernels, as a workload file has them", 0},
    {"template", OPT_TEMPLATE, NULL, 0, "print a workload file to fill in", 0},
    {"size", OPT_SIZE, "S", 0, "default: its largest size", 0},
    {"leave-out", OPT_LEAVE_OUT, "program", 0,
     "predict by a model that has not seen the program on the target", 0},
    {"clusters", OPT_CLUSTERS, "N", 0, "clustered layouts to trace; default: 10", 0},
    {"steps", OPT_STEPS, NULL, 0,
     "also how the method of Nakai and Ohno (2017) comes to its choice of a layout", 0},
    CLI_TRACE_OPTIONS,
    {"datasets", CLI_DATASETS, "DIR", 0, "where datasets are looked up by name", 0},
    {"json", CLI_JSON, NULL, 0, "one JSON document on standard output", 0},
    CLI_HELP_OPTION,
    {0}};

static unsigned parse_clusters(struct argp_state *state, const char *value)
{
    char *end;
    unsigned long n = strtoul(value, &end, 10);

    if (*value < '0' || *value > '9' || *end || n < 1 || n > 1000)
        cli_wrong(state, "--clusters %s: a number from 1 to 1000", value);
    return (unsigned)n;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *args = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &args->cost;
        return cli_parse_other(key, value, state);
    case OPT_TARGET:
        args->target = value;
        break;
    case OPT_PROGRAM:
        args->program = value;
        break;
    case OPT_WORKLOAD:
        args->workload = value;
        break;
    case OPT_TEMPLATE:
        args->template = true;
        break;
    case OPT_SIZE:
        args->size = value;
        break;
    case OPT_LEAVE_OUT:
        if (strcmp(value, "program") != 0)
            cli_wrong(state, "--leave-out %s: only 'program' here", value);
        args->leave_out = true;
        break;
    case OPT_CLUSTERS:
        args->clusters = parse_clusters(state, value);
        break;
    case OPT_STEPS:
        args->steps = true;
        break;
    case ARGP_KEY_END:
        if (args->template)
            break;
        if (!args->target)
            cli_wrong(state, "--target is missing: perfmodel advise --target h100 --program sph");
        if (args->program && args->workload)
            cli_wrong(state, "--program and --workload: one of them");
        if (!args->program && !args->workload)
            cli_wrong(state, "--program is missing: perfmodel advise --target h100 --program sph "
                             "(--workload FILE weighs your own kernels)");
        cli_cost_check(&args->cost, args->target, args->common.folder, state);
        break;
    default:
        return cli_parse_other(key, value, state);
    }
    return 0;
}

static const struct argp_child children[] = {
    {&cli_cost_argp, 0, "Whether the work pays (with any of these):", 1}, {0}};

static const struct argp argp = {
    options,
    parse,
    NULL,
    "Ranks versions of a program for a GPU, which need not be there: data layouts of its structs, "
    "and "
    "arrays in local (shared) memory. Each version is rewritten, traced and predicted. With "
    "prices, "
    "also what its work costs, what it saves, and when it has paid."
    "\v"
    "Example:\n  perfmodel advise --target h100 --program sph --size 800000 --leave-out program\n"
    "  perfmodel advise --target h100 --program matmul --rate 80 --gpu-hour 2.5 --runs 1e8 "
    "--instead h200=3.5\n"
    "  perfmodel advise --template >my.workload\n"
    "  perfmodel advise --target h100 --workload my.workload\n",
    children,
    NULL,
    NULL};

/* ---- the result ----------------------------------------------------------------------------- */

/* What is shown. */
typedef struct {
    pm_advice *advice;
    pm_payback *costs;      /* of each choice; NULL: nobody asked */
    pm_table_place *places; /* of each --instead */
    size_t place_count;     /* of those that are there */
} result;

static void free_result(result *r)
{
    for (size_t i = 0; i < r->place_count; i++)
        pm_advice_free(r->places[i].advice);
    free(r->places);
    free(r->costs);
    pm_advice_free(r->advice);
}

static int print_json(const arguments *args, const result *r)
{
    json_t *document = cli_json_advice(r->advice, r->costs);

    if (document) {
        json_object_set_new(document, "cost_options", cli_json_cost_options(&args->cost));
        json_object_set_new(document, "elsewhere", cli_json_elsewhere(r->places, r->place_count));
    }
    if (document && args->steps)
        json_object_set_new(document, "steps",
                            r->advice->steps ? cli_json_nakai(r->advice->steps) : json_null());
    return cli_print_json(document);
}

static int report(const arguments *args, const result *r)
{
    const pm_advice *advice = r->advice;
    const cli_cost *cost = &args->cost;

    if (args->common.json)
        return print_json(args, r);
    if (args->steps && advice->steps) {
        pm_table_nakai(stdout, advice->steps);
        putchar('\n');
    }
    pm_table_advice(stdout, advice);
    if (r->costs)
        pm_table_cost(stdout, advice, &cost->options, cost->given, r->costs);
    else
        puts("\nWhether the work pays: add --rate R --gpu-hour P --runs N (a month).");
    if (r->place_count > 0)
        pm_table_elsewhere(stdout, advice, &cost->options, r->places, r->place_count);
    return PM_OK;
}

/* ---- the work ------------------------------------------------------------------------------- */

static pm_status find_costs(const arguments *args, result *r, pm_error *err)
{
    pm_status status = PM_OK;

    if (!args->cost.wanted)
        return PM_OK;
    r->costs = calloc(r->advice->n + 1, sizeof *r->costs);
    if (!r->costs)
        return pm_fail(err, PM_FAILED, "out of memory for what the versions cost");
    for (size_t i = 0; status == PM_OK && i < r->advice->n; i++)
        status =
            pm_cost_of(r->advice, &r->advice->choices[i], &args->cost.options, &r->costs[i], err);
    return status;
}

static pm_status find_places(const arguments *args, const pm_advise_options *advise, result *r,
                             pm_error *err)
{
    const cli_cost *cost = &args->cost;
    const pm_place_to_run here = {r->advice, cost->options.gpu_hour};
    pm_status status = PM_OK;

    r->places = calloc(cost->instead_count + 1, sizeof *r->places);
    if (!r->places)
        return pm_fail(err, PM_FAILED, "out of memory for other GPUs");
    for (size_t i = 0; status == PM_OK && i < cost->instead_count; i++) {
        pm_table_place *place = &r->places[i];
        pm_advise_options there = *advise;

        there.target = cost->instead[i].name;
        place->gpu_hour =
            isnan(cost->instead[i].price) ? cost->options.gpu_hour : cost->instead[i].price;
        place->advice = pm_advise(&there, err);
        if (!place->advice)
            return err->status;
        r->place_count++;
        status = pm_cost_elsewhere(&here, &(const pm_place_to_run){place->advice, place->gpu_hour},
                                   &cost->options, &place->elsewhere, err);
    }
    return status;
}

static void show_progress(void *user, size_t done, size_t total, const char *variant)
{
    (void)user;
    cli_progress(done, total, variant);
}

static int print_template(void)
{
    pm_error err = {0};
    char *text = pm_workload_template(&err);

    if (!text)
        return cli_error(&err);
    fputs(text, stdout);
    free(text);
    return PM_OK;
}

int cmd_advise(int argc, char **argv)
{
    arguments args = {0};
    pm_advise_options advise = {.seed = 1, .log = cli_log(), .progress = show_progress};
    pm_error err = {0};
    result r = {0};
    pm_status status;
    int code;

    cli_cost_init(&args.cost);
    cli_parse(&argp, argc, argv, "advise", &args);
    if (args.template)
        return print_template();
    advise.target = args.target;
    advise.program = args.program;
    advise.workload = args.workload;
    advise.size = args.size;
    advise.datasets = args.common.folder;
    advise.leave_out = args.leave_out;
    advise.clusters = args.clusters;
    advise.sample = args.common.sample;
    advise.step_limit = args.common.step_limit;
    r.advice = pm_advise(&advise, &err);
    status = r.advice ? find_costs(&args, &r, &err) : err.status;
    if (status == PM_OK)
        status = find_places(&args, &advise, &r, &err);
    cli_progress_clear();
    code = r.advice && status == PM_OK ? report(&args, &r) : cli_error(&err);
    free_result(&r);
    cli_cost_free(&args.cost);
    return code;
}
