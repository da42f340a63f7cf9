/* Imports times and counters from the files of profilers. See import.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "answer/import/parts.h"
#include "base/error.h"
#include "base/session/session.h"
#include "model/samples/dataset.h"
#include "program/suite/suite.h"

static void check_options(pm_importing *in)
{
    static const char *const sources[] = {"auto", "trace", "none", NULL};
    const pm_import_options *o = in->options;

    if (o->counters && !pm_listed(sources, o->counters))
        pm_import_fault(in, "--counters %s: with --import choose one of auto, trace, none",
                        o->counters);
    if (o->counters && strcmp(o->counters, "trace") == 0 && !in->program)
        pm_import_fault(in,
                        "--counters trace: the trace engine needs the program; name its workload "
                        "file or source");
}

/* Finds the program that was profiled, if the user gave a workload file or the name of a program of
 * the suite. Any other name is only written to the rows, and the program stays unknown. */
static void find_program(pm_importing *in)
{
    const pm_import_options *o = in->options;

    if (!o->workload && !(o->program && pm_suite_find(o->program)))
        return;
    in->program = pm_program_choose(in->session, o->workload ? NULL : o->program, o->workload,
                                    o->variant, o->size, false, in->memory.err);
    if (!in->program)
        pm_give_up(&in->memory, in->memory.err->status);
    in->result->program = &in->program->info;
}

static void read_files(pm_importing *in)
{
    for (in->file = 0; in->options->files[in->file]; in->file++) {
        in->path = in->options->files[in->file];
        pm_import_read(in);
        pm_require(&in->memory, pm_session_go_on(in->session, in->memory.err));
    }
    in->path = in->options->files[0];
    if (!in->timed)
        pm_import_fault(in, "%s: it has no times; %s", in->path,
                        in->counted && in->counted->timed ? in->counted->timed
                                                          : "profile the times of kernels, too");
    pm_import_join_groups(in);
}

static void import(void *user)
{
    pm_importing *in = user;

    in->kept = pm_memory_beside(&in->memory);
    in->result = pm_take(&in->kept, 1, sizeof *in->result);
    find_program(in);
    check_options(in);
    read_files(in);
    pm_import_find_device(in);
    in->result->disturbed = in->timed->disturbs;
    in->result->tool = in->counted ? in->counted->tool : in->timed->tool;
    pm_import_open_metrics(in);
    in->rows =
        pm_dataset_memory("imported", in->columns->names, in->columns->count, in->memory.err);
    if (!in->rows)
        pm_give_up(&in->memory, in->memory.err->status);
    if (in->program)
        pm_import_run_rows(in);
    else
        pm_import_launch_rows(in);
    if (pm_dataset_rows(in->rows) == 0)
        pm_import_fault(in, "%s: no kernel has a time; %s", in->path, in->counted->timed);
    pm_import_tell_unknown(in);
    pm_import_write(in);
}

static void release(void *object)
{
    pm_memory *memory = object;

    pm_memory_free(memory);
    free(memory);
}

const pm_imported *pm_import(pm_session *session, const pm_import_options *options, pm_error *err)
{
    pm_importing in = {
        .session = session, .options = options, .memory.cancel = pm_session_cancel(session)};
    pm_status status = pm_attempt(&in.memory, import, &in, err);
    pm_memory *kept = status == PM_OK ? malloc(sizeof *kept) : NULL;

    if (status == PM_OK && !kept)
        pm_fail(err, PM_FAILED, "out of memory for an import");
    pm_strings_clear(&in.metrics);
    pm_strings_clear(&in.seen);
    pm_hash_index_clear(&in.by_launch);
    pm_dataset_free(in.rows);
    pm_memory_free(&in.memory);
    if (!kept) {
        pm_memory_free(&in.kept);
        return NULL;
    }
    *kept = in.kept;
    /* The path of the first file is in the key because the key has to be unique in the session. */
    status = pm_session_keep(session, "an import", options->files[0], kept, release, err);
    return status == PM_OK ? in.result : NULL;
}
