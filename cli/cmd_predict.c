/* perfmodel predict
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>
#include <unistd.h>

#include "base/strings.h"
#include "cli/cli.h"
#include "report/json.h"
#include "report/tables.h"

static int report(const cli_options *o, const pm_predictions *predictions)
{
    const char *target = cli_first(&o->targets);
    json_t *list;

    if (!o->json) {
        pm_table_predictions(stdout, target, predictions);
        return PM_OK;
    }
    list = json_array();
    for (size_t i = 0; i < predictions->n; i++)
        json_array_append_new(list, pm_json_prediction(&predictions->predictions[i], false));
    return cli_print_json(json_pack("{s:o,s:s,s:o,s:o,s:o}", "target", pm_json_text(target),
                                    "basis", predictions->basis, "registers_source",
                                    pm_json_text(predictions->registers_source), "predictions",
                                    list, "totals", pm_json_totals(predictions)));
}

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    const pm_predict_options options = {.target = cli_first(&o->targets),
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
    pm_predictions *predictions = pm_predict_on(session, &options, err);
    int code;

    cli_progress_clear();
    code = predictions ? report(o, predictions) : PM_FAILED;
    pm_predictions_free(predictions);
    return code;
}

/* A dataset, by name or path, or a workload. */
static void take(cli_options *o, const char *value)
{
    if (pm_ends_in(value, ".workload") ||
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
    .file = "[WORKLOAD...] [FILE.csv]",
    .about = "Predicts the run times of programs on another GPU, with 90 % intervals: of your own "
             "workloads, or of the samples of a dataset. The GPU need "
             "not be there, nor has anybody to have measured it: its profile is enough.",
    .examples =
        "Examples:\n  perfmodel predict --target gtx980\n"
        "  perfmodel predict --target h200 --from h100 --program nbody --leave-out program\n"
        "  perfmodel predict --target h100 my.workload\n",
    .take = take,
    .usual = "--target h200",
    .check = check,
    .run = run};
