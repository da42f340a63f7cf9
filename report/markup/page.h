/* Writes a document by the same calls as HTML or as Markdown, so that both have the same content.
 * Text may come from hostile files, and only this module escapes it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_MARKUP_PAGE_H
#define PM_REPORT_MARKUP_PAGE_H

#include <stdarg.h>
#include <stdio.h>

#include "base/memory.h"
#include "report/table/table.h"

typedef struct {
    bool html, section, failed;
    bool table;       /* text is being written into a table */
    FILE *out;        /* output stream; text that only one of the two formats needs is written here
                         unescaped */
    pm_error drawing; /* error of the last figure that could not be drawn; status is PM_OK if all
                         figures were drawn */
    pm_memory memory; /* memory of the document; a failed allocation ends the document */
} pm_page;

/* Writes a document: calls `write` with a page, and returns the text, which the caller frees. NULL
 * with err set on failure. *drawing receives the page's `drawing`. */
typedef void (*pm_page_fn)(pm_page *page, const void *user);
char *pm_page_write(bool html, pm_page_fn write, const void *user, pm_error *drawing,
                    pm_error *err);

/* Writes text and escapes all characters with a meaning in the format. A control character or a
 * byte that is not UTF-8 becomes '?'. */
void pm_page_text(pm_page *page, const char *text);

/* Writes a heading. Level 2 starts a section. id is a word chosen by perfmodel, followed by
 * `number` unless that is negative. NULL for a heading without an id. */
void pm_page_heading(pm_page *page, unsigned level, const char *id, int number, const char *format,
                     ...) __attribute__((format(printf, 5, 6)));
void pm_page_paragraph(pm_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A paragraph written in parts, some of which the page's script may recompute. */
void pm_page_open(pm_page *page);
void pm_page_add(pm_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pm_page_close(pm_page *page);

/* Writes a table with a caption, and closes it. The first column holds row headers. */
void pm_page_table(pm_page *page, pm_table *table, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void pm_page_table_v(pm_page *page, pm_table *table, const char *format, va_list args);

/* Writes a part of an open paragraph that the page's script recomputes (see pm_table_cell). */
void pm_page_live(pm_page *page, const char *key, size_t index, const char *text);

/* A figure: gnuplot's SVG in the colours of the page's style. Its caption also describes it to
 * readers who cannot see it. Markdown shows no figures, because tables hold the same numbers. */
typedef struct {
    const char *svg; /* NULL if it could not be drawn; the page and `drawing` then say why */
    const char *id;  /* id of a figure that the page's script redraws; NULL if it does not */
    const char *const *series;
    /* index of each series' colour in pm_series_colours; NULL: series i has colour i */
    const size_t *colours;
    size_t series_count; /* the legend is left out if there are fewer than two series */
} pm_page_drawing;
void pm_page_figure(pm_page *page, const pm_page_drawing *drawing, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Starts and ends a part that is hidden until the reader opens it. */
void pm_page_fold(pm_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pm_page_fold_end(pm_page *page);

#endif
