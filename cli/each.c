/* Runs a command of perfmodel on each of the workload files that the user gave, one after the
 * other. See cli.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/error.h"
#include "base/session/session.h"
#include "cli/cli.h"
#include "program/suite/suite.h"

enum { MOST_FILES = 20 };

void cli_tell_files(pm_session *session, const cli_options *o, const pm_screen *screen)
{
    pm_error none = {0};
    const pm_programs *programs =
        o->workloads.count > 0 ? pm_workloads_find(session, o->workloads.names, &none) : NULL;

    if (!programs || programs->count < 2)
        return;
    for (size_t i = 0; i < programs->count && i < MOST_FILES; i++)
        pm_screen_note(screen, "%s is of %s", programs->items[i]->info.name,
                       programs->items[i]->path);
    if (programs->count > MOST_FILES)
        pm_screen_note(screen, "and %zu more", programs->count - MOST_FILES);
}

/* Returns true if the option -o is the path of a file for the JSON document, as for trace and tune.
 * For the other commands that call cli_each, -o is a folder or a report. */
static bool gives_file(const cli_options *o)
{
    return o->output && (o->command->bit & (CLI_TRACE | CLI_TUNE));
}

static int give_document(const cli_options *o, json_t *document, pm_error *err)
{
    int code = PM_OK;

    if (gives_file(o) && cli_write_json(o->output, document, err) != PM_OK)
        code = err->status;
    if (code == PM_OK && o->json)
        return cli_print_document(o, document);
    json_decref(document);
    return code;
}

/* Runs the command if it has only one workload, or none. Its JSON document is then not part of a
 * list. */
static int do_one(pm_session *session, const cli_options *o, const char *workload, cli_one one,
                  pm_error *err)
{
    json_t *document = NULL;
    int code = one(session, o, workload, &document, err);

    if (code == PM_OK && document)
        return give_document(o, document, err);
    json_decref(document);
    return code;
}

static int do_several(pm_session *session, const cli_options *o, const pm_programs *programs,
                      cli_one one, const char *list, pm_error *err)
{
    json_t *documents = json_array();
    size_t done = 0;
    int code = PM_OK;

    for (size_t i = 0; i < programs->count && !cli_stopped(); i++) {
        const pm_program *program = programs->items[i];
        json_t *document = NULL;
        pm_error why = {0};
        int own;

        if (done > 0 && !o->json)
            putchar('\n');
        own = one(session, o, program->path, &document, &why);
        done += own == PM_OK;
        if (document)
            json_array_append_new(documents, document);
        if (own == PM_OK || cli_stopped())
            continue;
        pm_session_leave_out(session, "%s: left out: %s", program->info.name, why.text);
        /* If the command failed without an exit code of its own, this is the code that main would
         * return for the error. */
        code = code == PM_OK ? (int)why.status : code;
    }
    if (done > 0)
        code = PM_OK;
    if (cli_stopped())
        code = pm_fail(err, PM_FAILED, "interrupted");
    if (json_array_size(documents) > 0) {
        int given = give_document(o, json_pack("{s:o}", list, documents), err);

        return code == PM_OK ? given : code;
    }
    json_decref(documents);
    return code;
}

int cli_each(pm_session *session, const cli_options *o, cli_one one, const char *list,
             pm_error *err)
{
    const pm_programs *programs;

    if (o->workloads.count == 0)
        return do_one(session, o, NULL, one, err);
    programs = pm_workloads_find(session, o->workloads.names, err);
    if (!programs)
        return err->status;
    return programs->count == 1 ? do_one(session, o, programs->items[0]->path, one, err)
                                : do_several(session, o, programs, one, list, err);
}
