/* Appends rows to a dataset CSV. Each row takes one write and one flush, and a failed write is cut
 * off again. So a crash, a kill or a full disk costs at most the row being written.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/append.h"
#include "base/csv.h"
#include "base/error.h"
#include "base/file.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "model/samples/dataset.h"
#include "model/samples/table.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pm_dataset_writer {
    int fd;
    off_t size;           /* size in bytes of the complete rows in the file */
    pm_dataset *existing; /* rows that the file had when it was opened */
    pm_dataset *added;    /* keys of the rows that were appended since the file was opened */
    size_t *order;        /* order[column]: index of the file's column in the caller's counters */
    pm_text line;         /* the row being written */
    /* true: an incomplete row could not be cut off, so no further row is appended */
    bool broken;
};

static pm_status fail(const char *path, pm_status status, pm_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static pm_status fail(const char *path, pm_status status, pm_error *err, const char *format, ...)
{
    char shown[PM_SHOWN_PATH], what[PM_FAULT_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return pm_fail(err, status, "%s: %s", pm_shown(path, shown, sizeof shown), what);
}

static pm_status no_memory(const char *path, pm_error *err)
{
    return fail(path, PM_FAILED, err, "not enough memory to write it; free some and try again");
}

/* ---- the header ------------------------------------------------------------------------------ */

static pm_status check_counters(const char *path, const char *const *counters, size_t count,
                                pm_error *err)
{
    pm_strings names = {0};
    pm_status status = PM_OK;
    char shown[PM_SHOWN_CELL];

    if (count > PM_CSV_MAX_COLUMNS - PM_KNOWN_COLUMNS)
        return fail(path, PM_BAD_INPUT, err, "%zu counters; a dataset has room for %d", count,
                    PM_CSV_MAX_COLUMNS - PM_KNOWN_COLUMNS);
    for (size_t i = 0; i < count && status == PM_OK; i++) {
        const char *name = counters[i];
        bool twice = pm_strings_find(&names, name) || pm_known_column_of(name) != PM_NO_ENTRY;
        if (!*name || !pm_is_utf8(name) || twice)
            status = fail(path, PM_BAD_INPUT, err,
                          "'%s' cannot be the name of a counter column: %s; rename it in the "
                          "counter table",
                          pm_shown(name, shown, sizeof shown),
                          twice ? "another column has that name" : "it is not UTF-8 text");
        else if (!pm_strings_add(&names, name))
            status = no_memory(path, err);
    }
    pm_strings_clear(&names);
    return status;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int open_locked(const char *path, const char *const *counters, size_t count, pm_error *err)
{
    pm_text header = {0};
    int fd = -1;

    for (size_t i = 0; i < PM_KNOWN_COLUMNS; i++)
        if (pm_known_columns[i].collected)
            pm_csv_put(&header, pm_known_columns[i].name, i + 1 == PM_KNOWN_COLUMNS && !count);
    for (size_t i = 0; i < count; i++)
        pm_csv_put(&header, counters[i], i + 1 == count);
    if (header.failed)
        no_memory(path, err);
    else
        fd = pm_append_open(path, header.data, header.length, err);
    pm_text_free(&header);
    return fd;
}

static size_t place_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return PM_NO_ENTRY;
}

static pm_status wrong_columns(const char *path, const char *what, const char *name, pm_error *err)
{
    char shown[PM_SHOWN_PATH], shown_name[PM_SHOWN_CELL];
    return pm_fail(
        err, PM_BAD_INPUT, "%s:1: %s: %s; collect into another file with -o, or remove this one",
        pm_shown(path, shown, sizeof shown), what, pm_shown(name, shown_name, sizeof shown_name));
}

/* Finds for each counter column of the file the counter of the caller with the same name, and fills
 * writer->order. */
static pm_status match_columns(pm_dataset_writer *writer, const char *const *counters, size_t count,
                               pm_error *err)
{
    const pm_dataset *file = writer->existing;

    writer->order = calloc(file->column_count, sizeof *writer->order);
    if (!writer->order)
        return no_memory(file->path, err);
    for (size_t i = 0; i < file->column_count; i++) {
        const pm_column *column = &file->columns[i];
        if (column->known == PM_ORIGIN_COLUMN)
            return wrong_columns(file->path, "its times were published by others, column",
                                 column->name, err);
        if (column->known != PM_NO_ENTRY)
            continue;
        writer->order[i] = place_of(column->name, counters, count);
        if (writer->order[i] == PM_NO_ENTRY)
            return wrong_columns(file->path, "a counter that is not collected now", column->name,
                                 err);
    }
    for (size_t i = 0; i < count; i++)
        if (place_of(counters[i], file->counters, file->counter_count) == PM_NO_ENTRY)
            return wrong_columns(file->path, "no column for counter", counters[i], err);
    for (size_t i = 0; i < PM_KNOWN_COLUMNS; i++)
        if (pm_known_columns[i].collected &&
            !pm_strings_find(&file->strings, pm_known_columns[i].name))
            return wrong_columns(file->path, "no column", pm_known_columns[i].name, err);
    return PM_OK;
}

static pm_status cut_torn_row(pm_dataset_writer *writer, const pm_log *log, pm_error *err)
{
    const pm_csv_end *end = &writer->existing->end;
    char shown[PM_SHOWN_PATH];

    writer->size = end->sound_bytes;
    if (!end->torn_line)
        return PM_OK;
    if (ftruncate(writer->fd, end->sound_bytes) != 0 || fdatasync(writer->fd) != 0)
        return fail(writer->existing->path, pm_place_status(errno), err,
                    "the torn row at line %zu cannot be cut off: %s; choose another file with -o",
                    end->torn_line, strerror(errno));
    pm_notice(log,
              "%s:%zu: the last row had no newline at its end and may be cut short, so it is "
              "removed and measured anew",
              pm_shown(writer->existing->path, shown, sizeof shown), end->torn_line);
    return PM_OK;
}

static pm_status open_writer(pm_dataset_writer *writer, const char *path,
                             const char *const *counters, size_t count, const pm_log *log,
                             pm_error *err)
{
    pm_status status = check_counters(path, counters, count, err);
    if (status != PM_OK)
        return status;
    writer->fd = open_locked(path, counters, count, err);
    if (writer->fd < 0)
        return PM_FAILED;
    if (lseek(writer->fd, 0, SEEK_SET) != 0)
        return fail(path, PM_FAILED, err, "cannot be read: %s", strerror(errno));
    writer->existing = pm_dataset_read_fd(writer->fd, path, err);
    if (!writer->existing)
        return PM_BAD_INPUT;
    writer->added = pm_dataset_create(path);
    if (!writer->added)
        return no_memory(path, err);
    status = match_columns(writer, counters, count, err);
    return status == PM_OK ? cut_torn_row(writer, log, err) : status;
}

pm_dataset_writer *pm_dataset_writer_open(const char *path, const char *const *counters,
                                          size_t counter_count, const pm_log *log, pm_error *err)
{
    pm_dataset_writer *writer = calloc(1, sizeof *writer);
    if (!writer) {
        no_memory(path, err);
        return NULL;
    }
    writer->fd = -1;
    if (open_writer(writer, path, counters, counter_count, log, err) != PM_OK) {
        pm_dataset_writer_close(writer);
        return NULL;
    }
    return writer;
}

const pm_dataset *pm_dataset_writer_existing(const pm_dataset_writer *writer)
{
    return writer->existing;
}

void pm_dataset_writer_close(pm_dataset_writer *writer)
{
    if (!writer)
        return;
    if (writer->fd >= 0)
        close(writer->fd); /* no error check, because each row was flushed */
    pm_dataset_free(writer->existing);
    pm_dataset_free(writer->added);
    free(writer->order);
    pm_text_free(&writer->line);
    free(writer);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static pm_status check_row(const pm_dataset_writer *writer, const pm_sample *sample, pm_error *err)
{
    const pm_dataset *file = writer->existing;
    char text[PM_FAULT_SIZE];

    if (!sample->device || !sample->program || !sample->variant || !sample->size || !sample->kernel)
        return fail(file->path, PM_FAILED, err, "a row without a name for each key column");
    if (pm_sample_fault(sample, file->counter_count, text))
        return fail(file->path, PM_FAILED, err, "the row is not written: %s", text);
    size_t row = pm_dataset_find_key(file, sample);
    if (row != PM_NO_ENTRY)
        return fail(file->path, PM_FAILED, err,
                    "line %zu holds this row; remove it there to measure it again",
                    file->samples[row].line);
    if (pm_dataset_find_key(writer->added, sample) != PM_NO_ENTRY)
        return fail(file->path, PM_FAILED, err,
                    "this row was written already; drop the second one");
    return PM_OK;
}

static pm_status format_row(pm_dataset_writer *writer, pm_sample *sample, pm_error *err)
{
    const pm_dataset *file = writer->existing;
    pm_text *line = &writer->line;

    line->length = 0;
    for (size_t i = 0; i < file->column_count; i++) {
        size_t known = file->columns[i].known;
        bool last = i + 1 == file->column_count;
        if (known < PM_TEXT_COLUMNS)
            pm_csv_put(line, *pm_sample_text(sample, known), last);
        else
            pm_csv_put_number(line,
                              known != PM_NO_ENTRY ? *pm_sample_number(sample, known)
                                                   : sample->counters[writer->order[i]],
                              last);
    }
    if (line->failed) {
        pm_text_free(line);
        return no_memory(file->path, err);
    }
    if (line->length > PM_CSV_MAX_ROW)
        return fail(file->path, PM_FAILED, err, "a row longer than 1 MiB; shorten its names");
    return PM_OK;
}

/* Shortens the file to its complete rows after the operation `what` failed with errno. Returns the
 * error. */
static pm_status cut_back(pm_dataset_writer *writer, const char *what, pm_error *err)
{
    int reason = errno;
    writer->broken = ftruncate(writer->fd, writer->size) != 0;
    return fail(writer->existing->path, pm_place_status(reason), err,
                "%s: %s; make room, then collect again to go on from the last whole row%s", what,
                strerror(reason),
                writer->broken ? " (part of a row is left, which opening it again removes)" : "");
}

pm_status pm_dataset_writer_append(pm_dataset_writer *writer, const pm_sample *sample,
                                   pm_error *err)
{
    pm_sample row = *sample;

    if (!row.counter_source)
        row.counter_source = "";
    if (writer->broken)
        return fail(writer->existing->path, PM_FAILED, err,
                    "an earlier row could not be written or cut off; collect again");
    pm_status status = check_row(writer, &row, err);
    if (status == PM_OK)
        status = format_row(writer, &row, err);
    if (status != PM_OK)
        return status;
    if (!pm_append_put(writer->fd, writer->line.data, writer->line.length))
        return cut_back(
            writer, errno == ENOSPC ? "the row did not fit" : "the row could not be written", err);
    if (!pm_dataset_add(writer->added, &row, NULL)) {
        errno = ENOMEM;
        return cut_back(writer, "the row could not be kept", err);
    }
    writer->size += (off_t)writer->line.length;
    return PM_OK;
}

/* ---- removing rows --------------------------------------------------------------------------- */

static void put_row(const pm_dataset *file, size_t number, pm_text *text)
{
    pm_sample row = *pm_dataset_sample(file, number);

    for (size_t i = 0; i < file->column_count; i++) {
        const pm_column *column = &file->columns[i];
        const bool last = i + 1 == file->column_count;

        if (column->known < PM_TEXT_COLUMNS)
            pm_csv_put(text, *pm_sample_text(&row, column->known), last);
        else
            pm_csv_put_number(text,
                              column->known != PM_NO_ENTRY ? *pm_sample_number(&row, column->known)
                                                           : row.counters[column->counter],
                              last);
    }
}

/* Replaces the file by one without the rows of a program, variant and size. Returns the new file's
 * descriptor, or -1. */
static int put_rest(const pm_dataset *file, const char *program, const char *variant,
                    const char *size, pm_error *err)
{
    char place[PATH_MAX];
    pm_text text = {0};
    int fd = -1;

    for (size_t i = 0; i < file->column_count; i++)
        pm_csv_put(&text, file->columns[i].name, i + 1 == file->column_count);
    for (size_t r = 0; r < file->rows; r++) {
        const pm_sample *row = pm_dataset_sample(file, r);

        if (strcmp(row->program, program) != 0 || strcmp(row->variant, variant) != 0 ||
            strcmp(row->size, size) != 0)
            put_row(file, r, &text);
    }
    if (text.failed) {
        no_memory(file->path, err);
        return -1;
    }
    /* Writes to the target of a symbolic link, so that the link stays. */
    if (realpath(file->path, place))
        fd = pm_file_put(place, text.data, text.length, true, true);
    if (fd < 0)
        fail(file->path, pm_place_status(errno), err,
             "cannot be written anew without the rows of %s %s %s: %s; make room in its folder and "
             "make it writable",
             program, variant, size, strerror(errno));
    pm_text_free(&text);
    return fd;
}

/* Reads the whole dataset again from the open file fd. */
static pm_dataset *read_again(int fd, const char *path, pm_error *err)
{
    if (lseek(fd, 0, SEEK_SET) == 0)
        return pm_dataset_read_fd(fd, path, err);
    fail(path, PM_FAILED, err, "cannot be read: %s", strerror(errno));
    return NULL;
}

pm_status pm_dataset_writer_remove(pm_dataset_writer *writer, const char *program,
                                   const char *variant, const char *size, pm_error *err)
{
    const char *path = writer->existing->path;
    pm_dataset *now = read_again(writer->fd, path, err), *rest = NULL, *none = NULL;
    int fd = now ? put_rest(now, program, variant, size, err) : -1;

    pm_dataset_free(now);
    if (fd < 0)
        return err->status;
    rest = read_again(fd, path, err);
    none = rest ? pm_dataset_create(path) : NULL;
    if (rest && !none)
        no_memory(path, err);
    close(writer->fd);
    writer->fd = fd;
    if (!none) {
        pm_dataset_free(rest);
        /* the content of the file is unknown, so no further row is appended */
        writer->broken = true;
        return err->status;
    }
    pm_dataset_free(writer->existing);
    pm_dataset_free(writer->added);
    writer->existing = rest;
    writer->added = none;
    writer->size = rest->end.sound_bytes;
    return PM_OK;
}
