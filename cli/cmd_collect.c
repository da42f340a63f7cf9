/* The subcommand `perfmodel collect`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/text.h"
#include "cli/cli.h"
#include "program/suite/suite.h"
#include "report/json/json.h"

static json_t *json_names(const char *const *names)
{
    json_t *list = json_array();

    for (; *names; names++)
        json_array_append_new(list, json_string(*names));
    return list;
}

static int list_as_json(const cli_options *o, const pm_programs *programs)
{
    json_t *list = json_array();

    for (size_t i = 0; i < programs->count; i++) {
        const pm_program_info *info = &programs->items[i]->info;

        json_array_append_new(list, json_pack("{s:s,s:s,s:s?,s:o,s:o}", "program", info->name,
                                              "title", info->title, "base", info->base, "variants",
                                              json_names(info->variants), "sizes",
                                              json_names(info->sizes)));
    }
    return cli_print_document(o, list);
}

static void print_names(const pm_screen *screen, const char *what, const char *const *names)
{
    pm_text text = {0};

    for (; *names; names++)
        pm_text_add(&text, " %s", *names);
    pm_screen_say(screen, "  %s%s", what, pm_text_get(&text));
    pm_text_free(&text);
}

static int list_programs(const cli_options *o, const pm_programs *programs)
{
    const pm_screen screen = cli_screen(o);

    for (size_t i = 0; i < programs->count; i++) {
        const pm_program_info *info = &programs->items[i]->info;

        pm_screen_say(&screen, "%s: %s", info->name, info->title);
        print_names(&screen, "variants:", info->variants);
        if (info->base)
            print_names(&screen, "base:", (const char *const[]){info->base, NULL});
        print_names(&screen, "sizes:", info->sizes);
    }
    return PM_OK;
}

static int report(const pm_collect_result *r, const cli_options *o)
{
    if (o->json)
        return cli_print_document(o, pm_json_collected(r));
    printf("%s: %zu measured, %zu there already, %zu left out, %zu failed\n", r->path, r->measured,
           r->kept, r->skipped, r->failed);
    return PM_OK;
}

static int list(pm_session *session, const cli_options *o, pm_error *err)
{
    const pm_programs *programs =
        pm_programs_find(session, o->suite, o->workloads.names, o->programs.names, err);

    if (!programs)
        return err->status;
    return o->json ? list_as_json(o, programs) : list_programs(o, programs);
}

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    const pm_collect_options options = {.device = o->device,
                                        .suite = o->suite,
                                        .workloads = o->workloads.names,
                                        .programs = o->programs.names,
                                        .variants = o->variants.names,
                                        .sizes = o->sizes.names,
                                        .counters = o->counters,
                                        .target = cli_first(&o->targets),
                                        .output = o->output,
                                        .energy = o->energy,
                                        .time_limit_s = o->time_limit,
                                        .shard = o->shard,
                                        .command = o->line};
    pm_collect_result result = {0};
    pm_status status;
    int code;

    if (o->imports.count > 0)
        return cli_import(session, o, err);
    if (o->list)
        return list(session, o, err);
    status = pm_collect(session, &options, &result, err);
    cli_progress_clear();
    if (status != PM_OK)
        return status;
    code = report(&result, o);
    if (code != PM_OK || result.failed == 0)
        return code;
    return result.measured + result.kept > 0 ? (int)CLI_LEFT_OUT : (int)PM_FAILED;
}

static void check(const cli_options *o)
{
    if (o->imports.count > 0)
        cli_check_import(o);
}

const cli_command cli_collect = {
    .bit = CLI_COLLECT,
    .name = "collect",
    .what = "measure programs on a device, or import a profile, into a dataset",
    .file = "[WORKLOAD...]",
    .about = "Runs the suite, the corpus or your own workloads on a device, and"
             " writes time and counters of each kernel to a dataset. Run the "
             "same command again to resume after an interruption.",
    .examples = "Examples:\n  perfmodel collect --program sobel3x3 --program nbody -o mygpu.csv\n"
                "  perfmodel collect my.workload -o mine.csv\n"
                "  perfmodel collect --import ncu.csv --target h100 my.workload -o profiled.csv\n",
    .take = cli_take_workload,
    .check = check,
    .run = run};
