/* perfmodel predict
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/strings.h"
#include "cli/cli.h"
#include "report/json/json.h"
#include "report/results/tables.h"
#include "suite/suite.h"

/* Of several targets a list of documents, else the document alone. */
static int print_documents(const cli_options *o, pm_predictions *const *of)
{
    json_t *list = json_array();

    if (o->targets.count == 1) {
        json_decref(list);
        return cli_print_document(o, pm_json_predictions(of[0], cli_first(&o->targets)));
    }
    for (size_t i = 0; i < o->targets.count; i++)
        json_array_append_new(list, pm_json_predictions(of[i], o->targets.names[i]));
    return cli_print_document(o, json_pack("{s:o}", "targets", list));
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

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    const size_t count = o->targets.count;
    pm_predictions **of = calloc(count, sizeof *of);
    size_t done = 0;
    const pm_screen screen = cli_screen(o);
    int code = PM_OK;

    if (!of)
        return pm_fail(err, PM_FAILED, "out of memory for the predictions");
    while (done < count && (of[done] = predict(session, o, o->targets.names[done], err)))
        done++;
    cli_progress_clear();
    if (done < count)
        code = err->status;
    else if (o->json)
        code = print_documents(o, of);
    else if (count == 1)
        pm_table_predictions(&screen, cli_first(&o->targets), of[0]);
    else
        pm_table_predictions_beside(&screen, o->targets.names, of, count);
    for (size_t i = 0; i < done; i++)
        pm_predictions_free(of[i]);
    free(of);
    return code;
}

/* A dataset, by name or path, or a workload. */
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
    .what = "run times on another GPU",
    .file = "[SOURCE|WORKLOAD...] [FILE.csv]",
    .about = "Predicts the run times of programs on another GPU, with 90 % intervals: of your own "
             "workloads, or of the samples of a dataset. The GPU need "
             "not be there, nor has anybody to have measured it: its profile is enough.",
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
