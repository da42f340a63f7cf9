/* Writes documents as Markdown. See markdown.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/markup/markdown.h"

#include <stdlib.h>

#include "base/error.h"
#include "report/table/escape.h"

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
    writing w = {.write = write, .user = user};
    pm_status status = pm_attempt(&w.md.memory, write_document, &w, err);
    char *text = status == PM_OK ? pm_text_take(&w.md.text) : NULL;

    if (!text && status == PM_OK)
        pm_fail(err, PM_FAILED, "out of memory for the report");
    pm_text_free(&w.md.text);
    pm_memory_free(&w.md.memory);
    return text;
}

/* ---- text ----------------------------------------------------------------------------------- */

static void put(pm_markdown *md, const char *format, va_list args)
{
    char *text;

    if (vasprintf(&text, format, args) < 0) {
        md->text.failed = true;
        return;
    }
    pm_escape_add(&md->text, PM_ESCAPE_MARKDOWN, text);
    free(text);
}

/* Appends text to a Markdown document: formats the variable arguments of the function that uses
 * this macro. */
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
    pm_text_add(&md->text, "%.*s ", (int)level, "###");
    PUT(md, format);
    pm_text_add(&md->text, "\n\n");
}

void pm_markdown_add(pm_markdown *md, const char *format, ...)
{
    PUT(md, format);
}

void pm_markdown_close(pm_markdown *md)
{
    pm_text_add(&md->text, "\n\n");
}

void pm_markdown_paragraph(pm_markdown *md, const char *format, ...)
{
    PUT(md, format);
    pm_markdown_close(md);
}

/* ---- tables --------------------------------------------------------------------------------- */

void pm_markdown_table_v(pm_markdown *md, pm_table *t, const char *format, va_list args)
{
    pm_text_add(&md->text, "**");
    put(md, format, args);
    pm_text_add(&md->text, "**\n\n");
    pm_table_markdown(&md->text, t);
    pm_text_add(&md->text, "\n");
    md->text.failed = md->text.failed || t->failed;
    pm_table_close(t);
}

void pm_markdown_table(pm_markdown *md, pm_table *table, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    pm_markdown_table_v(md, table, format, args);
    va_end(args);
}
