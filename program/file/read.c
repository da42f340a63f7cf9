/* Reads a program from a workload file, or from a string with the content of one. See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "program/file/from_file.h"
#include "program/suite/suite.h"

/* Parses from->text, the text of a workload file that perfmodel wrote for a source without one.
 * Paths in it are relative to the source's folder. Error messages give no line numbers, because the
 * user has not written this text. */
static pm_workload_file *read_text(pm_from_file *from)
{
    const char *slash = strrchr(from->path, '/');
    char *place = pm_format(&from->memory, "%s/", from->path);
    pm_workload_file *file = pm_workload_file_parse(from->text, place, from->memory.err);

    if (file)
        file->folder =
            pm_format(&from->memory, "%.*s", slash ? (int)(slash - from->path) + 1 : 0, from->path);
    return file;
}

static void read_program(pm_from_file *from)
{
    from->program.path = pm_copy(&from->memory, from->path);
    pm_file_find_root(from);
    from->file = from->text ? read_text(from) : pm_workload_file_read(from->path, from->memory.err);
    if (!from->file)
        pm_give_up(&from->memory, from->memory.err->status);
    pm_file_make_program(from);
}

static void copy_assumed(pm_from_file *from, const char *const *assumed)
{
    const char **own;
    size_t count = 0;

    while (assumed[count])
        count++;
    own = pm_take(&from->memory, count + 1, sizeof *own);
    for (size_t i = 0; i < count; i++)
        own[i] = pm_copy(&from->memory, assumed[i]);
    from->program.assumed = own;
}

/* Arguments of the function that reads a program, which pm_attempt calls. assumed: assumptions that
 * the text of the workload file is based on. */
typedef struct {
    pm_from_file *from;
    const char *const *assumed;
} reading;

static void read_all(void *user)
{
    const reading *r = user;

    if (r->assumed)
        copy_assumed(r->from, r->assumed);
    read_program(r->from);
}

static pm_program *start_reading(const char *path, char *text, const char *const *assumed,
                                 bool shipped, pm_worker *worker, pm_error *err)
{
    pm_from_file *from = calloc(1, sizeof *from);
    pm_error unread = {0};

    err = err ? err : &unread;
    if (!from) {
        pm_fail(err, PM_FAILED, "%s: out of memory", path);
        return NULL;
    }
    from->path = path;
    from->text = text;
    from->worker = worker;
    from->shipped = shipped;
    if (pm_attempt(&from->memory, read_all, &(reading){from, assumed}, err) == PM_OK)
        return &from->program;
    pm_program_read_free(&from->program);
    return NULL;
}

pm_program *pm_program_read(const char *path, pm_worker *worker, pm_error *err)
{
    return start_reading(path, NULL, NULL, false, worker, err);
}

pm_program *pm_program_read_shipped(const char *path, pm_worker *worker, pm_error *err)
{
    return start_reading(path, NULL, NULL, true, worker, err);
}

pm_program *pm_program_parse(const char *path, char *text, const char *const *assumed,
                             pm_worker *worker, pm_error *err)
{
    pm_program *program = start_reading(path, text, assumed, false, worker, err);

    free(text);
    return program;
}

void pm_program_read_free(pm_program *program)
{
    /* the cast is valid because `program` is the first member of pm_from_file */
    pm_from_file *from = (pm_from_file *)program;

    if (!from)
        return;
    pm_file_close_tried(from);
    pm_source_close(from->source);
    pm_workload_file_free(from->file);
    pm_memory_free(&from->memory);
    free(from);
}
