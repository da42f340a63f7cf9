/* Appends the times and counters that were imported from a profiler's files to a dataset, as rows.
 * See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/import/parts.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/session/session.h"
#include "model/samples/dataset.h"
#include "model/samples/table.h"

static const char *tool_of(const pm_importing *in)
{
    return in->counted ? in->counted->tool : in->timed->tool;
}

/* Writes the path of the dataset to in->result. */
static void find_path(pm_importing *in)
{
    char *path = in->result->path, name[96];
    const char *output = in->options->output;

    if (!output) {
        snprintf(name, sizeof name, "%s-%s", in->id, tool_of(in));
        pm_require(&in->memory,
                   pm_user_dataset_path(name, path, sizeof in->result->path, in->memory.err));
    } else if ((size_t)snprintf(path, sizeof in->result->path, "%s", output) >=
               sizeof in->result->path) {
        pm_import_fault(in, "-o: the path is too long; choose a shorter one");
    }
}

/* Raises an error if the dataset exists and has rows whose counters come from another source. A
 * model must not mix counters of different sources. */
static void check_source(pm_importing *in)
{
    const pm_sample *first = pm_dataset_sample(in->rows, 0), *row = NULL;
    pm_dataset *there = pm_dataset_read(in->result->path, NULL, NULL);
    size_t line = 0;
    char source[PM_SHOWN_CELL] = "", shown[PM_SHOWN_PATH];

    for (size_t i = 0; there && line == 0 && i < pm_dataset_rows(there); i++) {
        row = pm_dataset_sample(there, i);
        if (strcmp(row->counter_source, first->counter_source) == 0)
            continue;
        line = row->line;
        pm_shown(row->counter_source, source, sizeof source);
    }
    pm_dataset_free(there); /* an unreadable file is reported when it is opened for writing */
    if (line > 0)
        pm_import_fault(in,
                        "%s:%zu: its counters are of source '%s', not '%s'; import into another "
                        "file with -o",
                        pm_shown(in->result->path, shown, sizeof shown), line, source,
                        first->counter_source);
}

static pm_status append(pm_importing *in, pm_dataset_writer *writer, pm_error *err)
{
    const pm_dataset *existing = pm_dataset_writer_existing(writer);
    pm_status status = PM_OK;

    for (size_t i = 0; status == PM_OK && i < pm_dataset_rows(in->rows); i++) {
        const pm_sample *row = pm_dataset_sample(in->rows, i);

        if (pm_dataset_find_key(existing, row) != PM_NO_ENTRY) {
            in->result->kept++;
            continue;
        }
        status = pm_dataset_writer_append(writer, row, err);
        in->result->rows += status == PM_OK;
    }
    return status;
}

/* Records in the dataset's JSON file which variants are in CUDA. Models add the time of a CUDA
 * launch for them, instead of an OpenCL launch. */
static pm_status note_languages(const pm_importing *in, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t i = 0; status == PM_OK && i < pm_dataset_rows(in->rows); i++) {
        const pm_sample *row = pm_dataset_sample(in->rows, i);
        const pm_defined of = {row->program, row->variant, row->size, row->cuda};

        if (row->cuda)
            status = pm_definition_write(in->result->path, &of, NULL, err);
    }
    return status;
}

void pm_import_write(pm_importing *in)
{
    const pm_sample *first = pm_dataset_sample(in->rows, 0);
    const bool traced = strcmp(first->counter_source, "trace") == 0;
    const pm_provenance_run run = {.counter_source = first->counter_source,
                                   .counter_tool = tool_of(in),
                                   .counter_target = traced ? in->id : NULL,
                                   .sample = pm_session_chosen(in->session)->sample,
                                   .command = in->options->command,
                                   .seed = pm_session_chosen(in->session)->seed};
    pm_error *err = in->memory.err;
    pm_dataset_writer *writer;
    pm_status status;

    find_path(in);
    check_source(in);
    writer = pm_dataset_writer_open(in->result->path, in->columns->names, in->columns->count,
                                    pm_session_log(in->session), err);
    if (!writer)
        pm_give_up(&in->memory, err->status);
    status = pm_provenance_write(in->result->path, &in->gpu, &run, err);
    if (status == PM_OK)
        status = append(in, writer, err);
    pm_dataset_writer_close(writer);
    if (status == PM_OK)
        status = note_languages(in, err);
    pm_require(&in->memory, status);
}
