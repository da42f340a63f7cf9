/* perfmodel merge
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cli/cli.h"

static void take(cli_options *o, const char *value)
{
    cli_list_add(&o->datasets_named, value);
}

static void check(const cli_options *o)
{
    if (o->datasets_named.count == 0)
        cli_wrong(o, "name the shares to join, such as out-*of3.csv");
    cli_need(o, "-o", o->output != NULL);
}

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    pm_status status = pm_merge(session, o->datasets_named.names, o->output, err);

    if (status == PM_OK)
        printf("%s\n", o->output);
    return status;
}

const cli_command cli_merge = {
    .bit = CLI_MERGE,
    .name = "merge",
    .what = "join what shares of a run have collected",
    .file = "SHARD.csv...",
    .about =
        "Joins the datasets that runs of perfmodel collect --shard have written into one, with "
        "its provenance: the rows that one run would have written, in its order. A row that is "
        "in several files counts once; one that is another in each is named, and nothing is "
        "written.",
    .examples = "Example:\n  perfmodel merge out-1of3.csv out-2of3.csv out-3of3.csv -o out.csv\n",
    .usual = "out-1of2.csv out-2of2.csv -o out.csv",
    .take = take,
    .check = check,
    .run = run};
