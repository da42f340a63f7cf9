/* The subcommand `perfmodel merge`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "answer/shares/shares.h"
#include "base/error.h"
#include "base/session/session.h"
#include "cli/cli.h"

static void take(cli_options *o, const char *value)
{
    cli_list_add(&o->datasets_named, value);
}

static void check(const cli_options *o)
{
    if (o->datasets_named.count == 0)
        cli_wrong(o, "name the shares to join, such as out-*of3.csv");
    cli_findings(o);
    if (!o->against)
        cli_need(o, "-o", o->output != NULL);
    for (size_t i = 0; o->output && i < o->datasets_named.count; i++)
        if (strcmp(o->datasets_named.names[i], o->output) == 0)
            cli_wrong(o, "-o %s: it is one of the shares", o->output);
}

static int merge_datasets(pm_session *session, const cli_options *o, pm_error *err)
{
    pm_status status = pm_merge(session, o->datasets_named.names, o->output, err);

    if (status == PM_OK && o->json)
        return cli_print_document(o, json_pack("{s:s}", "dataset", o->output));
    if (status == PM_OK)
        printf("%s\n", o->output);
    return status;
}

static int merge_campaign(pm_session *session, const cli_options *o, pm_error *err)
{
    pm_campaign *campaign = pm_tune_join(session, o->datasets_named.names, err);
    int code;

    cli_progress_clear();
    if (!campaign)
        return err->status;
    code = cli_tell_campaign(campaign, o, err);
    pm_campaign_free(campaign);
    return code;
}

static int merge_check(pm_session *session, const cli_options *o, pm_error *err)
{
    const pm_check_options options = {.against = o->against,
                                      .output = o->output,
                                      .tolerance = o->slower / 100,
                                      .fail_on = cli_findings(o)};

    return cli_tell_check(pm_check_join(session, o->datasets_named.names, &options, err), o, err);
}

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    const char *command = pm_finished_command(cli_first(&o->datasets_named));
    const bool judged = command && strcmp(command, "check") == 0;

    if (!judged && (o->against || o->junit || o->sarif || o->fail_on || cli_given(o, "tolerance")))
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: no share of perfmodel check, of which alone --against, --tolerance, "
                       "--fail-on, --junit and --sarif are",
                       cli_first(&o->datasets_named));
    if (judged)
        return merge_check(session, o, err);
    if (command && strcmp(command, "tune") == 0)
        return merge_campaign(session, o, err);
    if (command)
        return cli_trace_join(o, pm_session_log(session), err);
    return merge_datasets(session, o, err);
}

const cli_command cli_merge = {
    .bit = CLI_MERGE,
    .name = "merge",
    .what = "join the shards of a run",
    .file = "SHARD...",
    .about =
        "Joins the files that collect, tune, trace or check wrote with --shard. The result equals "
        "that of one run without shards, byte for byte. A result that is in several files counts "
        "once. If the files differ in a result, merge names it and writes nothing. It also names "
        "missing and unfinished shards. For tune it ranks the counted versions. For check it "
        "compares with the baseline of --against, and ends with code 1 if a kernel became slower.",
    .examples = "Examples:\n  perfmodel merge out-1of3.csv out-2of3.csv out-3of3.csv -o out.csv\n"
                "  perfmodel merge found-*of16.jsonl -o found.json\n"
                "  perfmodel merge now-*of4.jsonl --against baseline.json --junit check.xml\n",
    .usual = "out-1of2.csv out-2of2.csv -o out.csv",
    .take = take,
    .check = check,
    .run = run};
