/* Finds the tables within the text of a profiler's file. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Such a file is often the whole output of a command: the profiled program's output, the
 * profiler's messages, and one or several tables.
 */
#include <string.h>

#include "answer/import/parts.h"
#include "base/csv.h"
#include "base/error.h"

/* A line of the text, without its line break. */
typedef struct {
    char *text;
    size_t size;
} text_line;

static const char *end_of(const char *text)
{
    const char *end = strchr(text, '\n');

    return end ? end : text + strlen(text);
}

static bool is_blank(const text_line *line)
{
    for (size_t i = 0; i < line->size; i++)
        if (!strchr(" \t\r", line->text[i]))
            return false;
    return true;
}

static bool has(const text_line *line, const char *words)
{
    return memmem(line->text, line->size, words, strlen(words));
}

/* The header of a table. known: true if a known profiler writes this header. */
typedef struct {
    pm_memory *memory;
    bool known;
} heading;

static pm_status take_header(void *user, size_t line, const char *const *cells, size_t count,
                             pm_error *err)
{
    heading *h = user;
    pm_import_columns columns;

    (void)line;
    (void)err;
    h->known = pm_import_recognize(h->memory, cells, count, &columns);
    return PM_OK;
}

/* Returns whether a line is the header of a known table. */
static bool is_header(pm_memory *memory, const text_line *line)
{
    heading h = {.memory = memory};
    pm_csv_end end;
    char *copy;

    if (line->size >= PM_CSV_MAX_ROW || !has(line, ",") ||
        (!has(line, "Name") && !has(line, "Operation")))
        return false;
    copy = pm_format(memory, "%.*s\n", (int)line->size, line->text);
    return pm_csv_read_text(copy, line->size + 1, 1, "", take_header, &h, &end, NULL) == PM_OK &&
           h.known;
}

/* Returns true if a quote is open after the line. open: true if one is open before the line. A cell
 * in quotes may contain line breaks. */
static bool is_quote_open_after(const text_line *line, bool open)
{
    for (size_t i = 0; i < line->size; i++)
        open ^= line->text[i] == '"';
    return open;
}

/* Returns true if a line after a table's header is not a row of the table, because it has no comma.
 * An example is the line in which nsys announces its next table. */
static bool ends_table(const text_line *line)
{
    return is_blank(line) || !has(line, ",");
}

size_t pm_import_sections(pm_memory *memory, char *text, pm_import_section **sections)
{
    pm_import_section *open = NULL;
    /* open: the table that is being read; begun: true if a row of it was read */
    bool quoted = false, begun = false;
    size_t count = 0, number = 1;

    *sections = NULL;
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) /* a byte order mark */
        text += 3;
    for (char *at = text; *at; number++) {
        text_line line = {at, (size_t)(end_of(at) - at)};

        if (!quoted && line.size >= 2 && strncmp(line.text, "==", 2) == 0) {
            memset(line.text, ' ', line.size);
        } else if (!quoted && is_header(memory, &line)) {
            open = pm_add(memory, *sections, count);
            *open = (pm_import_section){line.text, 0, number};
            begun = false;
        } else if (!quoted && open && ends_table(&line) && (begun || !is_blank(&line))) {
            open = NULL;
        } else if (open) {
            begun = begun || !is_blank(&line);
            quoted = is_quote_open_after(&line, quoted);
        }
        at += line.size + (line.text[line.size] == '\n');
        if (open)
            open->size = (size_t)(at - open->text);
    }
    return count;
}

const char *pm_import_complaint(pm_memory *memory, const char *text, size_t *line)
{
    static const char *const words[] = {"==ERROR==", "Error: "};
    const char *found = NULL;

    for (size_t i = 0; !found && i < sizeof words / sizeof *words; i++) {
        found = strstr(text, words[i]);
        if (found && found > text && found[-1] != '\n')
            found = NULL;
    }
    if (!found)
        return NULL;
    *line = 1;
    for (const char *at = text; at < found; at++)
        *line += *at == '\n';
    return pm_format(memory, "%.*s", (int)strcspn(found, "\r\n"), found);
}
