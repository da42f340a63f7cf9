/* The subcommand `perfmodel report`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cli/cli.h"
#include "report/report.h"

/* Checks that the output file can be written and that its format is known, before the report is
 * computed. */
static pm_status open_place(const cli_options *o, pm_report_format *format, pm_error *err)
{
    pm_status status = PM_OK;

    *format = PM_REPORT_JSON;
    if (o->output || o->format)
        status = pm_report_format_of(o->format, o->output, format, err);
    if (status == PM_OK && o->output)
        status = pm_report_try_place(o->output, err);
    return status;
}

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    const pm_report_options options = {.targets = o->targets.names,
                                       .programs = o->programs.names,
                                       .variants = o->variants.names,
                                       .size = cli_first(&o->sizes),
                                       .workloads = o->workloads.names,
                                       .leave_out = o->leave_out,
                                       .clusters = o->clusters,
                                       .check_limit = o->check_limit,
                                       .cost = o->cost,
                                       .money = cli_asks_money(o),
                                       .command = o->line};
    pm_report_format format;
    pm_report *report = NULL;
    pm_status status = open_place(o, &format, err);

    if (status == PM_OK) {
        report = pm_report_create(session, &options, err);
        status = report ? PM_OK : PM_FAILED;
    }
    cli_progress_clear();
    if (status == PM_OK && o->output)
        status = pm_report_write(report, format, o->output, err);
    if (status == PM_OK && o->json)
        status = pm_report_write(report, PM_REPORT_JSON, NULL, err);
    else if (status == PM_OK)
        printf("%s\n", o->output);
    pm_report_free(report);
    return status;
}

static void check(const cli_options *o)
{
    pm_error err = {0};

    cli_need(o, "--target", o->targets.count > 0);
    cli_need(o, "-o", o->output || o->json);
    cli_check_subject(o, false);
    if (o->instead_count)
        cli_wrong(o, "--instead: name the other GPU as one more --target");
    if (pm_cost_check(&o->cost, &err) != PM_OK)
        cli_wrong(o, "%s", err.text);
}

const cli_command cli_report = {
    .bit = CLI_REPORT,
    .name = "report",
    .what = "write advice for several GPUs and programs as one HTML page",
    .about =
        "Writes a report on versions of programs on GPUs that you do not need to have: predicted "
        "times, gains and their uncertainty, the unit that limits the time, the cost of the work, "
        "and the time until it has paid. The HTML is one file that needs no network.",
    .examples = "Example:\n  perfmodel report --target h100 --target h200 --program sph --rate 80 "
                "--gpu-hour 2.5 --runs 1e6 -o report.html\n",
    .usual = "--target h100 -o report.html",
    .file = "[WORKLOAD...]",
    .take = cli_take_workload,
    .check = check,
    .run = run};
