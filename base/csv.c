/* Reads CSV files row by row. Rows with quotes are parsed by libcsv. See csv.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * This file adds what libcsv lacks: line numbers of rows, a limit on a row's length, handling of
 * NUL bytes, of a byte order mark, and of a row that was torn by a crash. Only one row is in memory
 * at a time.
 */
#include "base/csv.h"
#include "base/error.h"
#include "base/file.h"
#include "base/numbers.h"

#include <csv.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 16 };

/* State of the current row: sound, or with a NUL byte or a quote at a wrong place. The error is
 * reported when the row's newline is read. If the file ends before that newline, the row is
 * incomplete (torn by a crash), and its errors are ignored. */
typedef enum { ROW_SOUND, ROW_HAS_NUL, ROW_HAS_STRAY_QUOTE } row_state;

typedef struct {
    const char *path;
    pm_csv_row_fn row;
    void *user;
    struct csv_parser parser;
    pm_text text;   /* cells of the current row one after another, each terminated by a NUL */
    size_t *starts; /* starts[column]: offset in `text` at which the column's cell begins */
    const char **cells;
    size_t cell_count, cell_size;
    size_t row_line, row_bytes;
    size_t line; /* line number of the next byte to read; the first line is 1 */
    row_state state;
    bool row_ended, out_of_memory;
    off_t offset;
    pm_csv_end *end;
} csv_file;

static bool room_for_cell(csv_file *file)
{
    if (file->cell_count < file->cell_size)
        return true;
    size_t size = file->cell_size ? file->cell_size * 2 : 64;
    size_t *starts = reallocarray(file->starts, size, sizeof *starts);
    if (!starts)
        return false;
    file->starts = starts;
    const char **cells = reallocarray(file->cells, size, sizeof *cells);
    if (!cells)
        return false;
    file->cells = cells;
    file->cell_size = size;
    return true;
}

static void on_cell(void *bytes, size_t length, void *user)
{
    csv_file *file = user;
    if (file->cell_count < PM_CSV_MAX_COLUMNS && !file->out_of_memory) {
        if (room_for_cell(file))
            file->starts[file->cell_count] = file->text.length;
        else
            file->out_of_memory = true;
        pm_text_put(&file->text, bytes, length);
        pm_text_put(&file->text, "", 1);
        file->out_of_memory = file->out_of_memory || file->text.failed;
    }
    file->cell_count++;
}

static void on_row(int c, void *user)
{
    (void)c;
    ((csv_file *)user)->row_ended = true;
}

/* Returns whether a character ends a row, which only a newline does. A carriage return before the
 * newline is trimmed as white space. */
static int is_row_end(unsigned char c)
{
    return c == '\n';
}

static int is_trimmed(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static pm_status fault(const csv_file *file, size_t line, const char *what, pm_error *err)
{
    char path[PM_SHOWN_PATH];
    return pm_fail(err, PM_BAD_INPUT, "%s:%zu: %s", pm_shown(file->path, path, sizeof path), line,
                   what);
}

static pm_status no_memory(const csv_file *file, pm_error *err)
{
    char path[PM_SHOWN_PATH];
    return pm_fail(err, PM_FAILED, "%s: not enough memory to read it; free some and try again",
                   pm_shown(file->path, path, sizeof path));
}

static void next_row(csv_file *file)
{
    file->text.length = file->cell_count = file->row_bytes = 0;
    file->state = ROW_SOUND;
    file->row_ended = false;
    file->row_line = file->line;
}

static size_t stored_cells(const csv_file *file)
{
    return file->cell_count < PM_CSV_MAX_COLUMNS ? file->cell_count : PM_CSV_MAX_COLUMNS;
}

/* Passes a complete row to the caller's callback, or reports the error in the row. */
static pm_status finish_row(csv_file *file, pm_error *err)
{
    if (file->state == ROW_HAS_NUL)
        return fault(file, file->line, "a NUL byte; a dataset is UTF-8 text, restore the file",
                     err);
    if (file->state == ROW_HAS_STRAY_QUOTE)
        return fault(file, file->line,
                     "a quote in the middle of a cell; put the whole cell in quotes and write \"\" "
                     "for each quote in it",
                     err);
    bool blank = file->cell_count == 0;
    pm_status status =
        blank ? PM_OK : file->row(file->user, file->row_line, file->cells, file->cell_count, err);
    if (status == PM_OK)
        file->end->sound_bytes = file->offset;
    return status;
}

/* Returns true if the line is a whole row without quotes or NUL bytes. Nearly all rows are like
 * this, and they need no full parser. */
static bool is_plain(const csv_file *file, const char *line, size_t size)
{
    return file->row_bytes == size && line[size - 1] == '\n' && !memchr(line, '"', size) &&
           !memchr(line, '\0', size);
}

/* Cuts off white space at both ends of a CSV cell: returns its first character that is not white
 * space, and writes a NUL after the last one. */
static char *trim(char *cell, char *end)
{
    while (end > cell && is_trimmed((unsigned char)end[-1]))
        end--;
    *end = '\0';
    while (is_trimmed((unsigned char)*cell))
        cell++;
    return cell;
}

/* Splits a line without quotes into cells. Writes a NUL after each cell into the line. The cells
 * are the same as from libcsv, which takes five times as long. */
static void split_plain(csv_file *file, char *line, size_t size)
{
    char *end = line + size - 1, *cell = trim(line, end);

    if (!*cell)
        return; /* a blank line has no cells */
    for (bool last = false; !last && !file->out_of_memory;) {
        char *comma = memchr(cell, ',', (size_t)(end - cell));

        last = !comma;
        if (file->cell_count < PM_CSV_MAX_COLUMNS) {
            file->out_of_memory = !room_for_cell(file);
            if (!file->out_of_memory)
                file->cells[file->cell_count] = trim(cell, last ? end : comma);
        }
        file->cell_count++;
        cell = last ? end : comma + 1;
    }
}

/* Parses a line, or the beginning of a line that is not yet complete, with libcsv. */
static void parse(csv_file *file, const char *bytes, size_t size)
{
    if (file->state == ROW_SOUND && memchr(bytes, '\0', size))
        file->state = ROW_HAS_NUL;
    if (file->state == ROW_SOUND &&
        csv_parse(&file->parser, bytes, size, on_cell, on_row, file) != size) {
        file->out_of_memory |= csv_error(&file->parser) != CSV_EPARSE;
        file->state = ROW_HAS_STRAY_QUOTE;
    }
    for (size_t i = 0; file->row_ended && !file->out_of_memory && i < stored_cells(file); i++)
        file->cells[i] = file->text.data + file->starts[i];
}

/* Processes `size` bytes: a line with its newline, or the beginning of a line whose end is not read
 * yet. */
static pm_status feed(csv_file *file, char *bytes, size_t size, pm_error *err)
{
    bool newline = bytes[size - 1] == '\n', plain;

    file->row_bytes += size;
    file->offset += (off_t)size;
    if (file->row_bytes > PM_CSV_MAX_ROW)
        return fault(file, file->row_line,
                     "a row longer than 1 MiB; is this a dataset, and is each quote closed?", err);
    plain = is_plain(file, bytes, size);
    if (plain)
        split_plain(file, bytes, size);
    else
        parse(file, bytes, size);
    if (file->out_of_memory)
        return no_memory(file, err);
    if (!newline)
        return PM_OK;
    if (plain || file->row_ended || file->state != ROW_SOUND) {
        pm_status status = finish_row(file, err);
        if (status != PM_OK)
            return status;
        file->line++;
        next_row(file);
    } else {
        file->line++;
    }
    return PM_OK;
}

/* Handles the end of the file. A last row without a newline was torn by a crash; its line is stored
 * in end->torn_line. A quoted cell that is still open after a line break is an error, because any
 * row after the quote may be part of the cell. */
static pm_status finish_file(csv_file *file, pm_error *err)
{
    file->end->last_line = file->line;
    if (!file->row_bytes)
        return PM_OK;
    if (file->line > file->row_line)
        return fault(file, file->row_line,
                     "a quote opens in this row and is never closed; close it or remove the rows "
                     "from here on",
                     err);
    file->end->torn_line = file->row_line;
    return PM_OK;
}

static ssize_t read_full(int fd, char *bytes, size_t size)
{
    size_t got = 0;
    while (got < size) {
        ssize_t n = read(fd, bytes + got, size - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        got += (size_t)n;
    }
    return (ssize_t)got;
}

/* Processes the lines from `bytes` up to `end`. The last line may be incomplete. */
static pm_status feed_lines(csv_file *file, char *bytes, const char *end, pm_error *err)
{
    while (bytes < end) {
        char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        size_t size = newline ? (size_t)(newline + 1 - bytes) : (size_t)(end - bytes);
        pm_status status = feed(file, bytes, size, err);
        if (status != PM_OK)
            return status;
        bytes += size;
    }
    return PM_OK;
}

static pm_status read_rows(csv_file *file, int fd, char *chunk, pm_error *err)
{
    for (;;) {
        ssize_t got = read_full(fd, chunk, CHUNK_BYTES);
        if (got < 0) {
            char path[PM_SHOWN_PATH];
            return pm_fail(err, PM_BAD_INPUT, "%s: cannot be read: %s; check the path",
                           pm_shown(file->path, path, sizeof path), strerror(errno));
        }
        char *bytes = chunk, *end = chunk + got;
        if (file->offset == 0 && got >= 3 && memcmp(chunk, "\xef\xbb\xbf", 3) == 0) {
            bytes += 3;
            file->offset += 3;
            file->end->sound_bytes = 3;
        }
        pm_status status = feed_lines(file, bytes, end, err);
        if (status != PM_OK)
            return status;
        if (got < CHUNK_BYTES)
            return finish_file(file, err);
    }
}

static bool open_parser(csv_file *file)
{
    *file->end = (pm_csv_end){0};
    if (csv_init(&file->parser, CSV_STRICT | CSV_REPALL_NL) != 0)
        return false;
    csv_set_space_func(&file->parser, is_trimmed);
    csv_set_term_func(&file->parser, is_row_end);
    return true;
}

static void close_parser(csv_file *file)
{
    csv_free(&file->parser);
    pm_text_free(&file->text);
    free(file->starts);
    free(file->cells);
}

pm_status pm_csv_read(int fd, const char *path, pm_csv_row_fn row, void *user, pm_csv_end *end,
                      pm_error *err)
{
    csv_file file = {.path = path, .row = row, .user = user, .line = 1, .row_line = 1, .end = end};

    char *chunk = malloc(CHUNK_BYTES);
    if (!chunk)
        return no_memory(&file, err);
    if (!open_parser(&file)) {
        free(chunk);
        return no_memory(&file, err);
    }
    pm_status status = read_rows(&file, fd, chunk, err);
    close_parser(&file);
    free(chunk);
    return status;
}

pm_status pm_csv_read_text(char *text, size_t size, size_t line, const char *path,
                           pm_csv_row_fn row, void *user, pm_csv_end *end, pm_error *err)
{
    csv_file file = {
        .path = path, .row = row, .user = user, .line = line, .row_line = line, .end = end};

    if (!open_parser(&file))
        return no_memory(&file, err);
    pm_status status = feed_lines(&file, text, text + size, err);
    if (status == PM_OK)
        status = finish_file(&file, err);
    close_parser(&file);
    return status;
}

pm_status pm_csv_read_table(const char *path, pm_csv_row_fn row, void *user, pm_error *err)
{
    pm_csv_end end;
    pm_status status;
    int fd = pm_file_open(path, err);

    if (fd < 0)
        return PM_BAD_INPUT;
    status = pm_csv_read(fd, path, row, user, &end, err);
    close(fd);
    if (status == PM_OK && end.torn_line > 0)
        status = pm_fail(err, PM_BAD_INPUT, "%s:%zu: the last line does not end; add a newline",
                         path, end.torn_line);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

void pm_csv_put(pm_text *row, const char *cell, bool last)
{
    static const char spaces[] = " \t\r";
    size_t length = strlen(cell);

    if (length > 0 &&
        (strpbrk(cell, ",\"\r\n") || strchr(spaces, cell[0]) || strchr(spaces, cell[length - 1]))) {
        pm_text_put(row, "\"", 1);
        for (const char *c = cell; *c; c++)
            pm_text_put(row, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
        pm_text_put(row, "\"", 1);
    } else {
        pm_text_put(row, cell, length);
    }
    pm_text_put(row, last ? "\n" : ",", 1);
}

void pm_csv_put_number(pm_text *row, double value, bool last)
{
    char text[PM_NUMBER_SIZE] = "";

    if (!isnan(value) && !pm_number_format(value, text))
        row->failed = true;
    pm_csv_put(row, text, last);
}
