/* perfmodel advise
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report/table.h"
#include "report/table_nakai.h"

typedef struct {
    cli_common common;
    const char *target, *program, *workload, *size;
    unsigned clusters;
    bool leave_out, steps, template;
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
        break;
    default:
        return cli_parse_other(key, value, state);
    }
    return 0;
}

static const struct argp argp = {
    options,
    parse,
    NULL,
    "Ranks versions of a program for a GPU, which need not be there: data layouts of its structs, "
    "and "
    "arrays in local (shared) memory. Each version is rewritten, traced and predicted."
    "\v"
    "Example:\n  perfmodel advise --target h100 --program sph --size 800000 --leave-out program\n"
    "  perfmodel advise --template >my.workload\n"
    "  perfmodel advise --target h100 --workload my.workload\n",
    NULL,
    NULL,
    NULL};

static json_t *choices_json(const pm_advice *advice)
{
    json_t *choices = json_array();

    for (size_t i = 0; i < advice->n; i++) {
        const pm_choice *c = &advice->choices[i];

        json_array_append_new(
            choices,
            json_pack("{s:o,s:o,s:o,s:o,s:o,s:o}", "variant", cli_json_text(c->variant),
                      "predicted_s", cli_json_number(c->predicted_s), "gain",
                      cli_json_number(c->gain), "lo", cli_json_number(c->lo), "hi",
                      cli_json_number(c->hi), "measured_s", cli_json_number(c->measured_s)));
    }
    return choices;
}

static int report(const pm_advice *advice, bool json, bool steps)
{
    json_t *document;

    if (!json) {
        if (steps && advice->steps) {
            pm_table_nakai(stdout, advice->steps);
            putchar('\n');
        }
        pm_table_advice(stdout, advice);
        return PM_OK;
    }
    document =
        json_pack("{s:o,s:s,s:s,s:s,s:o,s:o,s:I,s:o}", "target", cli_json_text(advice->target),
                  "program", advice->program, "size", advice->size, "base", advice->base, "best",
                  cli_json_text(advice->best), "nakai", cli_json_text(advice->nakai), "examined",
                  (json_int_t)advice->examined, "choices", choices_json(advice));
    if (document && steps)
        json_object_set_new(document, "steps",
                            advice->steps ? cli_json_nakai(advice->steps) : json_null());
    return cli_print_json(document);
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
    pm_advice *advice;
    int code;

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
    advice = pm_advise(&advise, &err);
    cli_progress_clear();
    code = advice ? report(advice, args.common.json, args.steps) : cli_error(&err);
    pm_advice_free(advice);
    return code;
}
