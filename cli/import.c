/* The option --import of `perfmodel collect`, which reads times and counters from a profiler's
 * files instead of measuring them. See cli.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/import/import.h"
#include "cli/cli.h"
#include "report/json/json.h"
#include "report/results/tables.h"

void cli_check_import(const cli_options *o)
{
    static const char *const others[] = {"suite", "energy", "time-limit", "shard", "list", NULL};
    const struct {
        const char *name;
        const cli_list *list;
    } single[] = {{"target", &o->targets},
                  {"program", &o->programs},
                  {"variant", &o->variants},
                  {"size", &o->sizes},
                  {"workload", &o->workloads}};

    for (const char *const *other = others; *other; other++)
        if (cli_given(o, *other))
            cli_wrong(o, "--%s is not expected beside --import, which measures nothing", *other);
    if (o->device && o->targets.count > 0)
        cli_wrong(o, "--device %s: --target already names the profiled GPU; give one of them",
                  o->device);
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        if (single[i].list->count > 1)
            cli_wrong(o, "--%s %s: with --import give one", single[i].name,
                      single[i].list->names[1]);
}

int cli_import(pm_session *session, const cli_options *o, pm_error *err)
{
    const pm_import_options options = {.files = o->imports.names,
                                       .workload = cli_first(&o->workloads),
                                       .program = cli_first(&o->programs),
                                       .variant = cli_first(&o->variants),
                                       .size = cli_first(&o->sizes),
                                       .target = o->device ? o->device : cli_first(&o->targets),
                                       .counters = o->counters,
                                       .output = o->output,
                                       .command = o->line};
    const pm_imported *imported = pm_import(session, &options, err);
    const pm_screen screen = cli_screen(o);

    cli_progress_clear();
    if (!imported)
        return err->status;
    if (o->json)
        return cli_print_document(o, pm_json_imported(imported));
    pm_table_imported(&screen, imported);
    return PM_OK;
}
