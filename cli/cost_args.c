/* The options of advise about money. See cost.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/trace/gpu.h"
#include "cost.h"
#include "model/effort.h"

enum {
    OPT_HOURS = 768,
    OPT_RATE,
    OPT_GPU_HOUR,
    OPT_RUNS,
    OPT_PASSES,
    OPT_GPUS,
    OPT_CURRENCY,
    OPT_EFFORT,
    OPT_INSTEAD
};

static const struct argp_option options[] = {
    {"rate", OPT_RATE, "R", 0, "an hour of work costs; an example where not given: 100", 0},
    {"gpu-hour", OPT_GPU_HOUR, "P", 0, "an hour of one GPU costs; an example: 2", 0},
    {"runs", OPT_RUNS, "N", 0, "of the program, a month; an example: 1000", 0},
    {"passes", OPT_PASSES, "N", 0, "of the program's launches in a run; default: 1", 0},
    {"gpus", OPT_GPUS, "N", 0, "that a run occupies; default: 1", 0},
    {"hours", OPT_HOURS, "H", 0, "of work for a version; default: estimated from its rewrite", 0},
    {"effort", OPT_EFFORT, "NAME=X", 0,
     "a rate that hours are estimated by: write and read (lines an hour), kernel and struct (hours "
     "each), factor (of the interval)",
     0},
    {"currency", OPT_CURRENCY, "TEXT", 0, "what prices are in, for people", 0},
    {"instead", OPT_INSTEAD, "NAME[=P]", 0,
     "also what it costs to run the program as it is on that GPU, at P an hour; may be repeated",
     0},
    {0}};

static double parse_number(const struct argp_state *state, const char *option, const char *value)
{
    char *end;
    double number = strtod(value, &end);

    if (*end || end == value || !isfinite(number))
        cli_wrong(state, "%s %s: a number is wanted", option, value);
    return number;
}

static void set_rate(const struct argp_state *state, const char *value, pm_effort_rates *rates)
{
    size_t length = strcspn(value, "=");

    for (size_t i = 0; i < PM_EFFORT_RATES && value[length]; i++) {
        const pm_effort_rate *rate = pm_effort_rate_at(i);

        if (strlen(rate->name) == length && strncmp(rate->name, value, length) == 0) {
            *pm_effort_rate_of(rates, rate) = parse_number(state, "--effort", value + length + 1);
            return;
        }
    }
    cli_wrong(state, "--effort %s: write=X, read=X, kernel=X, struct=X or factor=X", value);
}

static void add_instead(const struct argp_state *state, const char *value, cli_cost *cost)
{
    size_t length = strcspn(value, "=");
    cli_instead *grown = realloc(cost->instead, (cost->instead_count + 1) * sizeof *cost->instead);
    cli_instead *new;

    if (grown)
        cost->instead = grown;
    new = grown ? &grown[cost->instead_count] : NULL;
    if (new)
        *new = (cli_instead){strndup(value, length), (double)NAN};
    if (!new || !new->name) {
        fputs("perfmodel: out of memory\n", stderr);
        exit(PM_FAILED);
    }
    if (value[length])
        new->price = parse_number(state, "--instead", value + length + 1);
    cost->instead_count++;
}

static void set(cli_cost *cost, pm_table_assumption which, double *number, double value)
{
    *number = value;
    cost->given |= 1u << which;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    cli_cost *cost = state->input;
    pm_cost_options *o = &cost->options;

    switch (key) {
    case OPT_HOURS:
        o->hours = parse_number(state, "--hours", value);
        break;
    case OPT_RATE:
        set(cost, PM_ASSUMED_RATE, &o->hourly_rate, parse_number(state, "--rate", value));
        break;
    case OPT_GPU_HOUR:
        set(cost, PM_ASSUMED_GPU_HOUR, &o->gpu_hour, parse_number(state, "--gpu-hour", value));
        break;
    case OPT_RUNS:
        set(cost, PM_ASSUMED_RUNS, &o->runs_per_month, parse_number(state, "--runs", value));
        break;
    case OPT_PASSES:
        o->passes = parse_number(state, "--passes", value);
        break;
    case OPT_GPUS:
        o->gpus = parse_number(state, "--gpus", value);
        break;
    case OPT_CURRENCY:
        o->currency = value;
        break;
    case OPT_EFFORT:
        set_rate(state, value, &o->effort);
        break;
    case OPT_INSTEAD:
        add_instead(state, value, cost);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    cost->wanted = true;
    return 0;
}

const struct argp cli_cost_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

void cli_cost_init(cli_cost *cost)
{
    *cost = (cli_cost){.options = pm_cost_options_default()};
}

void cli_cost_free(cli_cost *cost)
{
    for (size_t i = 0; i < cost->instead_count; i++)
        free(cost->instead[i].name);
    free(cost->instead);
    *cost = (cli_cost){.instead = NULL};
}

static void check_instead(const cli_cost *cost, const cli_instead *instead, const char *target,
                          const char *folder, const struct argp_state *state)
{
    pm_cost_options priced = cost->options;
    pm_error err = {0};
    pm_gpu gpu;

    if (!isnan(instead->price))
        priced.gpu_hour = instead->price;
    if (strcmp(instead->name, target) == 0)
        cli_wrong(state, "--instead %s: that is the target; name another GPU", instead->name);
    if (pm_gpu_find(instead->name, folder, &gpu, &err) != PM_OK)
        cli_wrong(state, "--instead: %s", err.text);
    if (pm_cost_check(&priced, &err) != PM_OK)
        cli_wrong(state, "--instead %s: %s", instead->name, err.text);
}

void cli_cost_check(const cli_cost *cost, const char *target, const char *folder,
                    const struct argp_state *state)
{
    pm_error err = {0};

    if (cost->wanted && pm_cost_check(&cost->options, &err) != PM_OK)
        cli_wrong(state, "%s", err.text);
    for (size_t i = 0; i < cost->instead_count; i++)
        check_instead(cost, &cost->instead[i], target, folder, state);
}
