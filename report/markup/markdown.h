/* Writes a document as Markdown. Texts come from files that may be hostile. Only this module
 * escapes them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_MARKDOWN_MARKDOWN_H
#define PM_REPORT_MARKDOWN_MARKDOWN_H

#include <stdarg.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/table/table.h"

typedef struct {
    pm_text text;
    /* memory of temporary data; if an allocation fails, pm_markdown_write fails */
    pm_memory memory;
} pm_markdown;

/* Calls write(md, user), which writes a document by the functions below. Returns the document's
 * text, which the caller frees. NULL with err set on failure. */
typedef void (*pm_markdown_fn)(pm_markdown *md, const void *user);
char *pm_markdown_write(pm_markdown_fn write, const void *user, pm_error *err);

/* Writes a heading of level 1 (the title), 2 or 3. */
void pm_markdown_heading(pm_markdown *md, unsigned level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void pm_markdown_paragraph(pm_markdown *md, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A paragraph that is written in several steps: any number of calls of pm_markdown_add, then
 * pm_markdown_close. */
void pm_markdown_add(pm_markdown *md, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void pm_markdown_close(pm_markdown *md);

/* Appends a table with a caption, which `format` and its arguments give, and frees the table. */
void pm_markdown_table(pm_markdown *md, pm_table *table, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void pm_markdown_table_v(pm_markdown *md, pm_table *table, const char *format, va_list args);

#endif
