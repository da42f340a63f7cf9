/* perfmodel report
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "cost.h"
#include "report/report_file.h"

typedef struct {
    cli_common common;
    cli_list targets, programs;
    const char *size, *workload, *format, *output;
    unsigned clusters;
    bool leave_out;
    cli_cost cost;
} arguments;

enum {
    OPT_TARGET = 256,
    OPT_PROGRAM,
    OPT_SIZE,
    OPT_WORKLOAD,
    OPT_LEAVE_OUT,
    OPT_CLUSTERS,
    OPT_FORMAT
};

static const struct argp_option options[] = {
    {"target", OPT_TARGET, "NAME", 0, "a GPU to report on (perfmodel devices); may be repeated", 0},
    {"program", OPT_PROGRAM, "P", 0,
     "a program (perfmodel collect --list); may be repeated; default: all that have versions", 0},
    {"size", OPT_SIZE, "S", 0, "default: the middle one of each program", 0},
    {"workload", OPT_WORKLOAD, "FILE", 0, "a workload of your own, in place of programs", 0},
    {"leave-out", OPT_LEAVE_OUT, "program", 0,
     "predict by a model that has not seen the program on the target", 0},
    {"clusters", OPT_CLUSTERS, "N", 0, "clustered layouts to trace; default: 10", 0},
    {"format", OPT_FORMAT, "FORMAT", 0, "html, md or json; default: by the ending of the file", 0},
    {NULL, 'o', "FILE", 0, "where the report is written to", 0},
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

static void check(const arguments *args, const struct argp_state *state)
{
    pm_error err = {0};

    if (!args->targets.count)
        cli_wrong(state, "--target is missing: perfmodel report --target h100 -o report.html");
    if (!args->output && !args->common.json)
        cli_wrong(state, "-o is missing: perfmodel report --target h100 -o report.html");
    if (args->workload && args->programs.count)
        cli_wrong(state, "--program and --workload: one of them");
    if (args->cost.instead_count)
        cli_wrong(state, "--instead: name the other GPU as one more --target");
    if (pm_cost_check(&args->cost.options, &err) != PM_OK)
        cli_wrong(state, "%s", err.text);
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *args = state->input;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &args->cost;
        return cli_parse_other(key, value, state);
    case OPT_TARGET:
        cli_list_add(&args->targets, value);
        break;
    case OPT_PROGRAM:
        cli_list_add(&args->programs, value);
        break;
    case OPT_SIZE:
        args->size = value;
        break;
    case OPT_WORKLOAD:
        args->workload = value;
        break;
    case OPT_LEAVE_OUT:
        if (strcmp(value, "program") != 0)
            cli_wrong(state, "--leave-out %s: only 'program' here", value);
        args->leave_out = true;
        break;
    case OPT_CLUSTERS:
        args->clusters = parse_clusters(state, value);
        break;
    case OPT_FORMAT:
        args->format = value;
        break;
    case 'o':
        args->output = value;
        break;
    case ARGP_KEY_END:
        check(args, state);
        break;
    default:
        return cli_parse_other(key, value, state);
    }
    return 0;
}

static const struct argp_child children[] = {
    {&cli_cost_argp, 0, "Whether the work pays; a reader of the HTML can change these:", 1}, {0}};

static const struct argp argp = {
    options,
    parse,
    NULL,
    "Writes what versions of programs are worth on GPUs, which need not be there: predicted times, "
    "gains and how sure they are, what bounds them, what the work costs and when it has paid. The "
    "HTML is one file that needs no network."
    "\v"
    "Example:\n  perfmodel report --target h100 --target h200 --program sph --rate 80 "
    "--gpu-hour 2.5 --runs 1e6 -o report.html\n",
    children,
    NULL,
    NULL};

static void show_progress(void *user, size_t done, size_t total, const char *step)
{
    (void)user;
    cli_progress(done, total, step);
}

/* The words of the command, for the report to tell; NULL: no memory. */
static char *join(int argc, char *const *argv)
{
    size_t size = sizeof "perfmodel report";
    char *text;

    for (int i = 1; i < argc; i++)
        size += strlen(argv[i]) + 1;
    text = malloc(size);
    if (!text)
        return NULL;
    strcpy(text, "perfmodel report");
    for (int i = 1; i < argc; i++) {
        strcat(text, " ");
        strcat(text, argv[i]);
    }
    return text;
}

/* All that can be wrong with the place and its format is told before the long work. */
static pm_status open_place(const arguments *args, pm_report_format *format, pm_error *err)
{
    pm_status status = PM_OK;

    *format = PM_REPORT_JSON;
    if (args->output || args->format)
        status = pm_report_format_of(args->format, args->output, format, err);
    if (status == PM_OK && args->output)
        status = pm_report_try_place(args->output, err);
    return status;
}

static pm_status run(const arguments *args, const pm_report_options *o, pm_error *err)
{
    pm_report_format format;
    pm_report *report = NULL;
    pm_status status = open_place(args, &format, err);

    if (status == PM_OK) {
        report = pm_report_create(o, err);
        status = report ? PM_OK : err->status;
    }
    cli_progress_clear();
    if (status == PM_OK && args->output)
        status = pm_report_write(report, format, args->output, err);
    if (status == PM_OK && args->common.json)
        status = pm_report_write(report, PM_REPORT_JSON, NULL, err);
    else if (status == PM_OK)
        printf("%s\n", args->output);
    pm_report_free(report);
    return status;
}

int cmd_report(int argc, char **argv)
{
    arguments args = {0};
    char *command = join(argc, argv);
    pm_error err = {0};
    pm_report_options o = {
        .seed = 1, .log = cli_log(), .progress = show_progress, .command = command};
    int code;

    cli_cost_init(&args.cost);
    cli_parse(&argp, argc, argv, "report", &args);
    o.targets = args.targets.names;
    o.programs = args.programs.names;
    o.size = args.size;
    o.workload = args.workload;
    o.datasets = args.common.folder;
    o.leave_out = args.leave_out;
    o.clusters = args.clusters;
    o.sample = args.common.sample;
    o.step_limit = args.common.step_limit;
    o.cost = args.cost.options;
    code = run(&args, &o, &err) == PM_OK ? PM_OK : cli_error(&err);
    cli_cost_free(&args.cost);
    free(args.targets.names);
    free(args.programs.names);
    free(command);
    return code;
}
