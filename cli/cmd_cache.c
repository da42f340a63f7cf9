/* The subcommand `perfmodel cache`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>
#include <stdio.h>

#include "answer/predict/fill.h"
#include "base/cache/folder.h"
#include "base/error.h"
#include "cli/cli.h"
#include "report/json/json.h"
#include "report/table/table.h"

static void check(const cli_options *o)
{
    if (o->clear && o->fill)
        cli_wrong(o, "--clear --fill: one at a time");
}

static json_t *usage_json(const pm_cache_usage *usage)
{
    json_t *kinds = json_object();

    for (int kind = 0; kind < PM_CACHE_KINDS; kind++)
        json_object_set_new(kinds, pm_cache_kind_name((pm_cache_kind)kind),
                            json_pack("{s:I,s:I}", "files", (json_int_t)usage[kind].files, "bytes",
                                      (json_int_t)usage[kind].bytes));
    return kinds;
}

static void print_usage(const cli_options *o, const char *what, const char *folder,
                        const pm_cache_usage *usage)
{
    static const pm_table_column columns[] = {{.name = "kind"},
                                              {.name = "files", .number = true, .gap = 2},
                                              {.name = "MB", .number = true, .gap = 2}};
    const pm_screen screen = cli_screen(o);
    pm_table t = pm_table_open(columns, 3, true);

    pm_screen_say(&screen, "%s: %s", what, folder);
    for (int kind = 0; kind < PM_CACHE_KINDS; kind++) {
        pm_cell_put(&t, "%s", pm_cache_kind_name((pm_cache_kind)kind));
        pm_cell_put(&t, "%zu", usage[kind].files);
        pm_cell_put(&t, "%.1f", (double)usage[kind].bytes * 1e-6);
    }
    pm_table_print(&t, &screen, 2);
}

static int tell(const cli_options *o, const char *what, const char *folder,
                const pm_cache_usage *usage)
{
    if (o->json)
        return cli_print_document(o,
                                  json_pack("{s:o,s:b,s:o}", "folder", pm_json_text(folder),
                                            "cleared", (int)o->clear, "kinds", usage_json(usage)));
    print_usage(o, what, folder, usage);
    return PM_OK;
}

static int tell_off(const cli_options *o, bool off)
{
    if (o->json)
        return cli_print_document(o, json_pack("{s:n,s:b,s:{}}", "folder", "cleared", 0, "kinds"));
    puts(off ? "the cache is off: PERFMODEL_CACHE says so"
             : "there is no cache: HOME is not set; set PERFMODEL_CACHE to a folder");
    return PM_OK;
}

static int run(pm_session *session, const cli_options *o, pm_error *err)
{
    pm_cache_usage usage[PM_CACHE_KINDS];
    char folder[PATH_MAX];
    bool off;

    if (!pm_cache_folder(folder, sizeof folder, &off))
        return tell_off(o, off);
    if (o->fill && pm_fits_fill(session, err) != PM_OK)
        return err->status;
    cli_progress_clear();
    if (!o->clear) {
        pm_cache_measure(folder, usage);
        return tell(o, "cache", folder, usage);
    }
    if (pm_cache_clear(folder, usage, err) != PM_OK)
        return err->status;
    return tell(o, "deleted", folder, usage);
}

const cli_command cli_cache = {
    .bit = CLI_CACHE,
    .name = "cache",
    .what = "show or clear the cache of computed results",
    .about = "Shows the folder in which perfmodel keeps fitted models, compiled kernels and "
             "counts, and its size. Every command gives the same answer with the cache and without "
             "it, because the key of an entry covers all its inputs. The folder is "
             "$PERFMODEL_CACHE, else $XDG_CACHE_HOME/perfmodel, else ~/.cache/perfmodel. "
             "PERFMODEL_CACHE=off turns the cache off. The size stays below $PERFMODEL_CACHE_MIB "
             "MiB (1024 if not set); perfmodel deletes the least recently used entries first.",
    .examples = "Examples:\n  perfmodel cache\n  perfmodel cache --clear\n",
    .usual = "--clear",
    .check = check,
    .rows = "kinds",
    .run = run};
