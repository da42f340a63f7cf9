/* Writes documents as Markdown. See markdown.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/markup/markdown.h"

#include <stdlib.h>

#include "base/error.h"
#include "report/markup/escape.h"

/* ---- the document --------------------------------------------------------------------------- */

typedef struct {
    pm_markdown md;
    pm_markdown_fn write;
    const void *user;
} writing;

static void write_document(void *user)
{
    writing *w = user;

    w->write(&w->md, w->user);
}

char *pm_markdown_write(pm_markdown_fn write, const void *user, pm_error *err)
{
    char *text = NULL;
    size_t size;
    writing w = {{.out = open_memstream(&text, &size)}, write, user};
    bool failed = !w.md.out;
    pm_status status = failed ? PM_FAILED : pm_attempt(&w.md.memory, write_document, &w, err);

    if (w.md.out) {
        failed = w.md.failed || ferror(w.md.out);
        failed = fclose(w.md.out) != 0 || failed;
    }
    if (failed)
        status = pm_fail(err, PM_FAILED, "out of memory for the report");
    pm_memory_free(&w.md.memory);
    if (status == PM_OK)
        return text;
    free(text);
    return NULL;
}

/* ---- text ----------------------------------------------------------------------------------- */

static void put(pm_markdown *md, const char *format, va_list args)
{
    char *text;

    if (vasprintf(&text, format, args) < 0) {
        md->failed = true;
        return;
    }
    pm_escape_put(md->out, PM_ESCAPE_MARKDOWN, text);
    free(text);
}

/* Writes the arguments of a function with a format. */
#define PUT(md, format)                                                                            \
    do {                                                                                           \
        va_list args;                                                                              \
        va_start(args, format);                                                                    \
        put(md, format, args);                                                                     \
        va_end(args);                                                                              \
    } while (0)

/* ---- headings and paragraphs ---------------------------------------------------------------- */

void pm_markdown_heading(pm_markdown *md, unsigned level, const char *format, ...)
{
    fprintf(md->out, "%.*s ", (int)level, "###");
    PUT(md, format);
    fputs("\n\n", md->out);
}

void pm_markdown_add(pm_markdown *md, const char *format, ...)
{
    PUT(md, format);
}

void pm_markdown_close(pm_markdown *md)
{
    fputs("\n\n", md->out);
}

void pm_markdown_paragraph(pm_markdown *md, const char *format, ...)
{
    PUT(md, format);
    pm_markdown_close(md);
}

/* ---- tables --------------------------------------------------------------------------------- */

static void put_header(pm_markdown *md, const pm_table *t)
{
    for (size_t c = 0; c < t->count; c++) {
        fputs(c ? " | " : "| ", md->out);
        pm_escape_put(md->out, PM_ESCAPE_MARKDOWN, t->columns[c].name);
    }
    fputs(" |\n", md->out);
    for (size_t c = 0; c < t->count; c++)
        fputs(t->columns[c].number ? "|--:" : "|---", md->out);
    fputs("|\n", md->out);
}

static void put_cell(pm_markdown *md, const pm_table_cell *cell)
{
    pm_escape_put(md->out, PM_ESCAPE_MARKDOWN, cell->text);
    if (!cell->range || !*cell->range)
        return;
    fputs(*cell->text ? " (" : "(", md->out);
    pm_escape_put(md->out, PM_ESCAPE_MARKDOWN, cell->range);
    putc(')', md->out);
}

void pm_markdown_table_v(pm_markdown *md, pm_table *t, const char *format, va_list args)
{
    fputs("**", md->out);
    put(md, format, args);
    fputs("**\n\n", md->out);
    put_header(md, t);
    for (size_t i = 0; i < t->used && !t->failed; i++) {
        fputs(i % t->count ? " | " : "| ", md->out);
        put_cell(md, &t->cells[i]);
        if ((i + 1) % t->count == 0)
            fputs(" |\n", md->out);
    }
    putc('\n', md->out);
    md->failed = md->failed || t->failed;
    pm_table_close(t);
}

void pm_markdown_table(pm_markdown *md, pm_table *table, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    pm_markdown_table_v(md, table, format, args);
    va_end(args);
}
