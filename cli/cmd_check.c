/* The subcommand `perfmodel check`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/cli.h"
#include "report/check/check.h"

static const char another[] = "choose another place";

static pm_status write_junit(const char *path, const pm_check *result, pm_error *err)
{
    char *text = pm_junit_check(result, err);
    pm_status status = text ? pm_file_write(path, text, another, err) : PM_FAILED;

    free(text);
    return status;
}

static pm_status write_sarif(const char *path, const pm_check *result, pm_error *err)
{
    json_t *document = pm_sarif_check(result);
    char *text = document ? json_dumps(document, JSON_INDENT(2)) : NULL;
    pm_status status = text ? pm_file_write(path, text, another, err)
                            : pm_fail(err, PM_FAILED, "out of memory for %s", path);

    free(text);
    json_decref(document);
    return status;
}

/* Returns the bit of the finding with this name, which has `length` bytes. 0 if no finding has this
 * name. */
static unsigned finding(const char *name, size_t length)
{
    for (size_t bit = 0; pm_check_finding_name(bit); bit++)
        if (strlen(pm_check_finding_name(bit)) == length &&
            strncmp(pm_check_finding_name(bit), name, length) == 0)
            return 1U << bit;
    return 0;
}

unsigned cli_findings(const cli_options *o)
{
    unsigned found = 0;

    if (!o->fail_on)
        return 0;
    for (const char *at = o->fail_on;; at++) {
        const size_t length = strcspn(at, ",");
        const unsigned one = finding(at, length);

        if (!one)
            cli_wrong(o,
                      "--fail-on %s: '%.*s' is none of time, spills, doubles, sectors, waits and "
                      "barriers; write them with commas between",
                      o->fail_on, (int)length, at);
        found |= one;
        at += length;
        if (!*at)
            return found;
    }
}

static int tell(const pm_check *check, const cli_options *o, pm_error *err)
{
    const pm_screen screen = cli_screen(o);
    pm_status status = PM_OK;
    int code = PM_OK;

    if (o->junit)
        status = write_junit(o->junit, check, err);
    if (status == PM_OK && o->sarif)
        status = write_sarif(o->sarif, check, err);
    if (status != PM_OK)
        return status;
    if (o->json)
        code = cli_print_document(o, pm_json_check(check));
    else
        pm_table_check(&screen, check);
    if (code != PM_OK || check->failed == 0)
        return code;
    if (check->failed == check->slower)
        return pm_fail(err, PM_FAILED, "%zu of %zu kernels became slower by more than %g %%",
                       check->slower, check->n, o->slower);
    return pm_fail(err, PM_FAILED, "%zu of %zu kernels became slower or worse by more than %g %%",
                   check->failed, check->n, o->slower);
}

int cli_tell_check(pm_check *check, const cli_options *o, pm_error *err)
{
    int code = err->status;

    cli_progress_clear();
    if (check)
        code = tell(check, o, err);
    pm_check_free(check);
    return code;
}

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    const pm_check_options options = {.workloads = o->workloads.names,
                                      .targets = o->targets.names,
                                      .variants = o->variants.names,
                                      .sizes = o->sizes.names,
                                      .against = o->against,
                                      .output = o->output,
                                      .tolerance = o->slower / 100,
                                      .fail_on = cli_findings(o)};
    pm_share_result shared;
    int code;

    if (o->shard.count == 0)
        return cli_tell_check(pm_check_run(session, &options, err), o, err);
    code = pm_check_share(session, &options, &o->shard, &shared, err);
    cli_progress_clear();
    return code == PM_OK ? cli_tell_share(o, &shared) : code;
}

static void check(const cli_options *o)
{
    if (o->workloads.count == 0)
        cli_wrong(o, "name workload files, captures or folders of them to check");
    cli_findings(o);
    if (!o->against && !o->output)
        cli_wrong(o, "--against BASELINE.json is missing; -o BASELINE.json writes one");
    if (!o->against)
        cli_need(o, "--target", o->targets.count > 0);
    cli_check_shard(o);
    if (o->shard.count > 0 && (o->junit || o->sarif))
        cli_wrong(o, "--shard: a share judges nothing; give --%s to perfmodel merge",
                  o->junit ? "junit" : "sarif");
}

const cli_command cli_check = {
    .bit = CLI_CHECK,
    .name = "check",
    .what = "find kernels that became slower than in a baseline",
    .file = "WORKLOAD...",
    .about = "Traces kernels for GPUs that you do not need to have, and compares counts and "
             "predicted times with a baseline that it wrote before. Ends with code 1 if the "
             "probability is 95 % or more that a kernel became slower by more than a tolerance, or "
             "if its counts became worse, and names the unit and the source line that caused it.",
    .examples = "Examples:\n"
                "  perfmodel check --target h200 --target gtx980 kernels/ -o baseline.json\n"
                "  perfmodel check kernels/ --against baseline.json --junit check.xml\n"
                "  perfmodel check kernels/ --against baseline.json --shard 1/3 -o now.json\n",
    .usual = "kernels/ --against baseline.json",
    .take = cli_take_workload,
    .check = check,
    .rows = "kernels",
    .run = run};
