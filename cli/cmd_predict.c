/* perfmodel predict
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "report/table.h"

typedef struct {
    cli_common common;
    const char *target, *basis;
    cli_list programs;
    bool leave_out;
} arguments;

enum { OPT_TARGET = 256, OPT_PROGRAM, OPT_LEAVE_OUT, OPT_BASIS, OPT_NO_SOURCE_TIME };

static const struct argp_option options[] = {
    {"target", OPT_TARGET, "NAME|FILE.csv", 0, "the GPU to predict for (perfmodel devices)", 0},
    {"from", CLI_FROM, "FILE.csv", 0,
     "counters and times of the programs; default: the dataset collected last", 0},
    {"program", OPT_PROGRAM, "P", 0, "only this program; may be repeated", 0},
    {"leave-out", OPT_LEAVE_OUT, "program", 0,
     "predict each program by a model that has not seen it on the target", 0},
    {"basis", OPT_BASIS, "dataset|profile", 0,
     "learn from the target's own times, or carry over those of other GPUs by its row of "
     "devices.csv; "
     "default: dataset where there is one",
     0},
    {"no-source-time", OPT_NO_SOURCE_TIME, NULL, 0,
     "do not use the times of --from, only what the kernels do", 0},
    {"method", CLI_METHOD, "NAME", 0, "default: auto; perfmodel validate --methods lists them", 0},
    {"counters", CLI_COUNTERS, "WHICH", 0, "all, code, or NAME,...; default: all", 0},
    {"datasets", CLI_DATASETS, "DIR", 0, "where datasets are looked up by name", 0},
    {"json", CLI_JSON, NULL, 0, "one JSON document on standard output", 0},
    CLI_HELP_OPTION,
    {0}};

static error_t parse(int key, char *value, struct argp_state *state)
{
    arguments *args = state->input;

    switch (key) {
    case OPT_TARGET:
        args->target = value;
        break;
    case OPT_PROGRAM:
        cli_list_add(&args->programs, value);
        break;
    case OPT_LEAVE_OUT:
        if (strcmp(value, "program") != 0)
            cli_wrong(state, "--leave-out %s: only 'program' here", value);
        args->leave_out = true;
        break;
    case OPT_BASIS:
        args->basis = value;
        break;
    case OPT_NO_SOURCE_TIME:
        args->common.model.no_source_time = true;
        break;
    case ARGP_KEY_END:
        if (!args->target)
            cli_wrong(state, "--target is missing: perfmodel predict --target h200");
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
    "Predicts the run times of programs on another GPU, with 90 % intervals. The GPU need not be "
    "there, nor has anybody to have measured it: its profile is enough."
    "\v"
    "Examples:\n  perfmodel predict --target gtx980\n"
    "  perfmodel predict --target h200 --from h100 --program nbody --leave-out program\n",
    NULL,
    NULL,
    NULL};

static int report(const arguments *args, const pm_predictions *predictions)
{
    json_t *list;

    if (!args->common.json) {
        pm_table_predictions(stdout, args->target, predictions);
        return PM_OK;
    }
    list = json_array();
    for (size_t i = 0; i < predictions->n; i++)
        json_array_append_new(list, cli_json_prediction(&predictions->predictions[i], false));
    return cli_print_json(json_pack("{s:o,s:s,s:o}", "target", cli_json_text(args->target), "basis",
                                    predictions->basis, "predictions", list));
}

static void show_progress(void *user, size_t done, size_t total, const char *workload)
{
    (void)user;
    cli_progress(done, total, workload);
}

int cmd_predict(int argc, char **argv)
{
    arguments args = {0};
    pm_predict_options predict = {.progress = show_progress};
    pm_error err = {0};
    pm_predictions *predictions;
    int code;

    cli_parse(&argp, argc, argv, "predict", &args);
    predict.target = args.target;
    predict.from = args.common.from;
    predict.programs = args.programs.names;
    predict.basis = args.basis;
    predict.leave_out = args.leave_out;
    predict.model = args.common.model;
    predict.model.datasets = args.common.folder;
    predict.model.log = cli_log();
    predictions = pm_predict_on(&predict, &err);
    cli_progress_clear();
    code = predictions ? report(&args, predictions) : cli_error(&err);
    pm_predictions_free(predictions);
    free(args.programs.names);
    return code;
}
