/* The subcommand `perfmodel tune`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "cli/cli.h"
#include "program/suite/suite.h"
#include "report/json/json.h"
#include "report/results/tables.h"

static pm_tuning *tune_for(pm_session *session, const cli_options *o, const char *workload,
                           const char *target, pm_error *err)
{
    const pm_tune_options options = {.target = target,
                                     .workload = workload,
                                     .size = cli_first(&o->sizes),
                                     .space = o->space,
                                     .leave_out = o->leave_out,
                                     .budget = o->budget,
                                     .budget_s = o->budget_s,
                                     .measure = o->measure,
                                     .device = o->device,
                                     .known = o->known.names};

    return pm_tune(session, &options, err);
}

/* Returns the document of the only target, or a list of documents if there are several targets. */
static json_t *document_of(pm_tuning *const *of, size_t count, bool several)
{
    json_t *list;

    if (!several)
        return pm_json_tuning(of[0]);
    list = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, pm_json_tuning(of[i]));
    return json_pack("{s:o}", "targets", list);
}

static void print_tables(const cli_options *o, pm_tuning *const *of, size_t count)
{
    const pm_screen screen = cli_screen(o);

    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            putchar('\n');
        pm_table_tuning(&screen, of[i]);
    }
}

/* Writes the files of Kernel Tuner that the options --cache and --ranking request. */
static int write_files(const cli_options *o, const pm_tuning *tuning, pm_error *err)
{
    pm_status status = PM_OK;

    if (o->cache)
        status = pm_tuning_write_cache(tuning, o->cache, err);
    if (status == PM_OK && o->ranking)
        status = pm_tuning_write_ranking(tuning, o->ranking, err);
    return status;
}

/* Tunes for all targets. If there are several, a target that fails is left out. If all fail, err
 * has the error of the first target. */
static int tune_all(pm_session *session, const cli_options *o, const char *workload, pm_tuning **of,
                    size_t *done, pm_error *err)
{
    for (size_t i = 0; i < o->targets.count; i++) {
        pm_error why = {0};

        of[*done] = tune_for(session, o, workload, o->targets.names[i], &why);
        if (of[*done]) {
            ++*done;
            continue;
        }
        if (!cli_leave_out_target(session, o, o->targets.names[i], &why, err))
            return why.status;
    }
    if (*done == 0)
        return err->status;
    *err = (pm_error){0};
    return PM_OK;
}

static int tune(pm_session *session, const cli_options *o, const char *workload, json_t **document,
                pm_error *err)
{
    pm_tuning **of = calloc(o->targets.count, sizeof *of);
    size_t done = 0;
    int code;

    if (!of)
        return pm_fail(err, PM_FAILED, "out of memory for the versions");
    code = tune_all(session, o, workload, of, &done, err);
    cli_progress_clear();
    if (code == PM_OK)
        code = write_files(o, of[0], err);
    if (code == PM_OK && (o->json || o->output))
        *document = document_of(of, done, o->targets.count > 1);
    if (code == PM_OK && !o->json)
        print_tables(o, of, done);
    for (size_t i = 0; i < done; i++)
        pm_tuning_free(of[i]);
    free(of);
    return code;
}

int cli_tell_campaign(const pm_campaign *c, const cli_options *o, pm_error *err)
{
    json_t *list = json_array(), *document;
    int code = PM_OK;

    for (size_t w = 0; w < c->workload_count; w++) {
        pm_tuning *const *of = c->tunings + w * c->target_count;

        json_array_append_new(list, document_of(of, c->target_count, c->target_count > 1));
        if (!o->json && w > 0)
            putchar('\n');
        if (!o->json)
            print_tables(o, of, c->target_count);
    }
    if (c->workload_count > 1)
        document = json_pack("{s:o}", "tunings", list);
    else {
        document = json_incref(json_array_get(list, 0));
        json_decref(list);
    }
    if (o->output)
        code = cli_write_json(o->output, document, err);
    if (code == PM_OK && o->json)
        return cli_print_document(o, document);
    json_decref(document);
    return code;
}

static int share(pm_session *session, const cli_options *o, pm_error *err)
{
    const pm_tune_options options = {.size = cli_first(&o->sizes),
                                     .space = o->space,
                                     .leave_out = o->leave_out,
                                     .budget = o->budget,
                                     .budget_s = o->budget_s};
    const pm_programs *programs = pm_workloads_find(session, o->workloads.names, err);
    const char **paths = programs ? calloc(programs->count + 1, sizeof *paths) : NULL;
    pm_share_result result;
    pm_status status;

    if (!programs)
        return err->status;
    if (!paths)
        return pm_fail(err, PM_FAILED, "out of memory for the workloads");
    for (size_t i = 0; i < programs->count; i++)
        paths[i] = programs->items[i]->path;
    status = pm_tune_share(session, &options, o->targets.names, paths, &o->shard, o->output,
                           &result, err);
    free(paths);
    cli_progress_clear();
    return status == PM_OK ? cli_tell_share(o, &result) : (int)status;
}

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    return o->shard.count > 0 ? share(session, o, err) : cli_each(session, o, tune, "tunings", err);
}

static void check(const cli_options *o)
{
    cli_need(o, "--target", o->targets.count > 0);
    if (o->workloads.count == 0)
        cli_wrong(o, "a workload file with a [tune] section is missing");
    if ((o->cache || o->ranking) && (o->targets.count > 1 || o->workloads.count > 1))
        cli_wrong(o, "--%s: one target and one workload at a time", o->cache ? "cache" : "ranking");
    cli_check_shard(o);
    if (o->shard.count > 0 &&
        (o->cache || o->ranking || o->measure || o->budget_s > 0 || o->known.count > 0))
        cli_wrong(o, "--shard: a share counts versions, and goes with none of --cache, --ranking, "
                     "--known, --measure and a --budget in seconds");
}

const cli_command cli_tune = {
    .bit = CLI_TUNE,
    .name = "tune",
    .what = "find the fastest parameters of a kernel on a GPU",
    .file = "WORKLOAD...",
    .about = "Searches for the fastest version of a kernel on a GPU. The parameters in a "
             "workload's [tune] section define the versions. You do not need the GPU: versions are "
             "compiled, traced and predicted. A small space is searched completely. In a larger "
             "space, a surrogate model learns from the traced versions and chooses the next ones.",
    .examples = "Examples:\n  perfmodel tune --target h100 my.workload\n"
                "  perfmodel tune --target a100 --budget 300s my.workload\n"
                "  perfmodel tune --target a100 --target mi210 --budget 1000 --json my.workload\n"
                "  perfmodel tune --target h100 --measure 20 my.workload\n"
                "  perfmodel tune --target a100 --space a100_cache.json --cache predicted.json "
                "my.workload\n"
                "  perfmodel tune --target h200 --known a100_cache.json my.workload\n"
                "  perfmodel tune --target a100 --target h200 --shard 1/16 -o found.json "
                "my.workload\n",
    .take = cli_take_workload,
    .usual = "--target h100 my.workload",
    .check = check,
    .rows = "choices",
    .run = run};
