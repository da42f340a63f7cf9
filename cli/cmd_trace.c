/* The subcommand `perfmodel trace`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cli/cli.h"
#include "report/json/json.h"
#include "report/results/tables.h"

static int trace(pm_session *session, const cli_options *o, const char *workload, json_t **document,
                 pm_error *err)
{
    const pm_trace_options options = {.target = cli_first(&o->targets), .workload = workload};
    const pm_trace *traced = pm_trace_run(session, cli_first(&o->programs), cli_first(&o->variants),
                                          cli_first(&o->sizes), &options, err);
    const pm_screen screen = cli_screen(o);

    if (!traced)
        return PM_FAILED;
    if (!o->json)
        pm_table_trace(&screen, traced);
    if (o->json || o->output)
        *document = pm_json_trace(traced);
    return PM_OK;
}

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    return o->shard.count > 0 ? cli_trace_share(session, o, err)
                              : cli_each(session, o, trace, "traces", err);
}

static void check(const cli_options *o)
{
    cli_check_subject(o, true);
    cli_check_shard(o);
}

const cli_command cli_trace = {
    .bit = CLI_TRACE,
    .name = "trace",
    .what = "count a program's events on a GPU, and its memory accesses",
    .about = "Runs a program of the suite, or your own kernels, on the CPU, warp by warp. For each "
             "kernel it prints the counts of its events on a GPU, and the cost of each memory "
             "instruction. You do not need a GPU.",
    .examples = "Example:\n  perfmodel trace --program nbody --variant local --target h100\n"
                "  perfmodel trace my.workload\n"
                "  perfmodel trace kernels/ --shard 1/3 -o traces.json\n",
    .usual = "--program nbody",
    .file = "[WORKLOAD...]",
    .take = cli_take_workload,
    .check = check,
    .rows = "kernels",
    .run = run};
