/* The subcommand `perfmodel predict`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/session/session.h"
#include "base/strings.h"
#include "cli/cli.h"
#include "program/suite/suite.h"
#include "report/json/json.h"
#include "report/results/tables.h"

/* The GPUs (targets) for which the prediction succeeded, each with its predicted times. */
typedef struct {
    size_t count;
    const char **targets;
    pm_predictions **of; /* of[i]: predictions for targets[i] */
    json_t *left_out;    /* JSON list of the failed targets: [{"target", "reason"}...] */
} answers;

/* Prints the document of a single target, or a list of documents for several targets. */
static int print_documents(const cli_options *o, const answers *a)
{
    json_t *list;

    if (o->targets.count == 1)
        return cli_print_document(o, pm_json_predictions(a->of[0], a->targets[0]));
    list = json_array();
    for (size_t i = 0; i < a->count; i++)
        json_array_append_new(list, pm_json_predictions(a->of[i], a->targets[i]));
    return cli_print_document(o, json_pack("{s:o,s:O}", "targets", list, "left_out", a->left_out));
}

static pm_predictions *predict(pm_session *session, const cli_options *o, const char *target,
                               pm_error *err)
{
    const pm_predict_options options = {.target = target,
                                        .from = o->from,
                                        .workloads = o->workloads.names,
                                        .programs = o->programs.names,
                                        .variants = o->variants.names,
                                        .sizes = o->sizes.names,
                                        .basis = o->basis,
                                        .leave_out = o->leave_out,
                                        .model = {.method = o->method,
                                                  .counters = o->model_counters,
                                                  .no_source_time = o->no_source_time}};

    return pm_predict_on(session, &options, err);
}

static int print(pm_session *session, const cli_options *o, const answers *a)
{
    const pm_screen screen = cli_screen(o);

    if (o->json)
        return print_documents(o, a);
    if (o->targets.count == 1)
        pm_table_predictions(&screen, a->targets[0], a->of[0]);
    else
        pm_table_predictions_beside(&screen, a->targets, a->of, a->count);
    cli_tell_files(session, o, &screen);
    return PM_OK;
}

/* Predicts for all targets. If there are several, a target that fails is left out. If all fail, err
 * has the error of the first target. */
static int answer(pm_session *session, const cli_options *o, answers *a, pm_error *err)
{
    for (size_t i = 0; i < o->targets.count; i++) {
        const char *target = o->targets.names[i];
        pm_error why = {0};
        pm_predictions *found = predict(session, o, target, &why);

        if (found) {
            a->targets[a->count] = target;
            a->of[a->count++] = found;
            continue;
        }
        if (!cli_leave_out_target(session, o, target, &why, err))
            return why.status;
        json_array_append_new(a->left_out,
                              json_pack("{s:s,s:s}", "target", target, "reason", why.text));
    }
    cli_progress_clear();
    if (a->count == 0)
        return err->status;
    *err = (pm_error){0};
    return print(session, o, a);
}

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    const size_t count = o->targets.count;
    answers a = {.targets = calloc(count, sizeof *a.targets),
                 .of = calloc(count, sizeof *a.of),
                 .left_out = json_array()};
    int code = PM_FAILED;

    if (a.targets && a.of && a.left_out)
        code = answer(session, o, &a, err);
    else
        pm_fail(err, PM_FAILED, "out of memory for the predictions");
    for (size_t i = 0; i < a.count; i++)
        pm_predictions_free(a.of[i]);
    json_decref(a.left_out);
    free(a.of);
    free(a.targets);
    return code;
}

/* Stores an argument that is not an option: the name or path of a dataset, or a workload. */
static void take(cli_options *o, const char *value)
{
    if (pm_ends_in(value, ".workload") || pm_bare_is(value) ||
        (!pm_ends_in(value, ".csv") && (strchr(value, '/') || access(value, F_OK) == 0))) {
        cli_take_workload(o, value);
        return;
    }
    if (o->from)
        cli_wrong(o, "'%s' is not expected here: one dataset at a time, and %s is there", value,
                  o->from);
    o->from = value;
}

static void check(const cli_options *o)
{
    cli_need(o, "--target", o->targets.count > 0);
}

const cli_command cli_predict = {
    .bit = CLI_PREDICT,
    .name = "predict",
    .what = "predict run times on another GPU",
    .file = "[SOURCE|WORKLOAD...] [DATASET]",
    .about = "Predicts run times on another GPU, with 90 % intervals, of your own workloads or of "
             "the samples of a dataset. You do not need the GPU, and no times of it need to be "
             "known: a row of devices.csv is enough.",
    .examples =
        "Examples:\n  perfmodel predict --target gtx980\n"
        "  perfmodel predict --target h200 --from h100 --program nbody --leave-out program\n"
        "  perfmodel predict --target h100 saxpy.cu\n"
        "  perfmodel predict --target h100 my.workload\n"
        "  perfmodel predict --target \"RTX 2080 Ti\" --target a100 --target mi210 my.workload\n",
    .take = take,
    .usual = "--target h200",
    .check = check,
    .rows = "predictions",
    .run = run};
