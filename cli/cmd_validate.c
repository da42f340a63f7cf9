/* perfmodel validate
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "cli.h"
#include "report/table.h"

typedef struct {
    cli_common common;
    const char *file, *plot, *title;
    bool methods;
} arguments;

enum { OPT_LEAVE_OUT = 256, OPT_VARIANT, OPT_NO_TIME, OPT_PLOT, OPT_TITLE, OPT_METHODS };

static const struct argp_option options[] = {
    {"from", CLI_FROM, "SRC.csv", 0,
     "predict from this GPU's counters and time; default: from the dataset's own counters", 0},
    {"method", CLI_METHOD, "NAME", 0, "default: auto; --methods lists them", 0},
    {"methods", OPT_METHODS, NULL, 0, "list the methods", 0},
    {"leave-out", OPT_LEAVE_OUT, "UNIT", 0,
     "program (all its variants and sizes) or sample; default: program", 0},
    {"counters", CLI_COUNTERS, "WHICH", 0,
     "all, code (what can be known without a run), or NAME,...; default: all", 0},
    {"variant", OPT_VARIANT, "V", 0, "only the samples of this variant", 0},
    {"no-source-time", OPT_NO_TIME, NULL, 0, "with --from: counters alone, not the time", 0},
    {"datasets", CLI_DATASETS, "DIR", 0, "where datasets are looked up by name", 0},
    {"plot", OPT_PLOT, "FILE.svg", 0, "draw predicted over measured per program", 0},
    {"title", OPT_TITLE, "TEXT", 0, "title of the plot", 0},
    {"json", CLI_JSON, NULL, 0, "one JSON document on standard output", 0},
    CLI_HELP_OPTION,
    {0}};

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *args = state->input;

    switch (key) {
    case OPT_METHODS:
        args->methods = true;
        break;
    case OPT_LEAVE_OUT:
        if (strcmp(value, "sample") != 0 && strcmp(value, "program") != 0)
            cli_wrong(state, "--leave-out %s: program or sample", value);
        args->common.model.leave_out_sample = strcmp(value, "sample") == 0;
        break;
    case OPT_VARIANT:
        args->common.model.variant = value;
        break;
    case OPT_NO_TIME:
        args->common.model.no_source_time = true;
        break;
    case OPT_PLOT:
        args->plot = value;
        break;
    case OPT_TITLE:
        args->title = value;
        break;
    case ARGP_KEY_ARG:
        if (args->file)
            cli_wrong(state, "'%s': one dataset at a time", value);
        args->file = value;
        break;
    case ARGP_KEY_END:
        if (!args->file && !args->methods)
            cli_wrong(state, "a dataset is missing: perfmodel validate FILE.csv");
        break;
    default:
        return cli_parse_other(key, value, state);
    }
    return 0;
}

static const struct argp argp = {
    options,
    parse,
    "FILE.csv",
    "Predicts every program of a dataset by a model that has not seen it, and tells how far off "
    "that is. FILE.csv may be the name of a known dataset, such as h100."
    "\v"
    "Example:\n  perfmodel validate h200 --from h100 --counters code\n",
    NULL,
    NULL,
    NULL};

static int list_methods(void)
{
    for (size_t i = 0; i < pm_method_count(); i++)
        printf("%-8s %s\n", pm_method_at(i)->name, pm_method_at(i)->what);
    return PM_OK;
}

static json_t *to_json(const pm_validation *v)
{
    json_t *counters = json_array(), *samples = json_array();

    for (size_t i = 0; i < v->counter_count; i++)
        json_array_append_new(counters, json_string(v->counters[i]));
    for (size_t i = 0; i < v->n; i++)
        json_array_append_new(samples, cli_json_prediction(&v->samples[i], true));
    return json_pack(
        "{s:o,s:o,s:s,s:s,s:I,s:o,s:o,s:o,s:o,s:o}", "dataset", cli_json_text(v->dataset), "from",
        v->from ? cli_json_text(v->from) : json_null(), "method", v->method, "leave_out",
        v->leave_out, "n", (json_int_t)v->n, "mape", cli_json_number(v->mape), "median_ape",
        cli_json_number(v->median_ape), "coverage90", cli_json_number(v->coverage90), "counters",
        counters, "samples", samples);
}

static int report(const arguments *args, const pm_validation *validation, pm_error *err)
{
    if (args->plot && pm_plot_validation(validation, args->title, args->plot, err) != PM_OK)
        return cli_error(err);
    if (args->common.json)
        return cli_print_json(to_json(validation));
    pm_table_validation(stdout, validation);
    return PM_OK;
}

int cmd_validate(int argc, char **argv)
{
    arguments args = {0};
    cli_common *common = &args.common;
    pm_error err = {0};
    pm_dataset *target, *source = NULL;
    pm_validation *validation = NULL;
    int code;

    cli_parse(&argp, argc, argv, "validate", &args);
    if (args.methods)
        return list_methods();
    common->model.log = cli_log();
    target = cli_read_dataset(args.file, common->folder, &common->model.log, &err);
    if (target && common->from)
        source = cli_read_dataset(common->from, common->folder, &common->model.log, &err);
    if (target && (source || !common->from))
        validation = pm_validate(target, source, &common->model, &err);
    code = validation ? report(&args, validation, &err) : cli_error(&err);
    pm_validation_free(validation);
    pm_dataset_free(source);
    pm_dataset_free(target);
    return code;
}
