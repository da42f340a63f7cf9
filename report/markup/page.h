/* A document, written by the same calls as HTML or as Markdown, so that both hold the same. Text
 * comes from files that may be hostile: it is escaped here, and nowhere else.
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
    bool table;       /* what is written stands in one */
    FILE *out;        /* where text that only one of the two formats has is written to, unescaped */
    pm_error drawing; /* why a figure could not be drawn; status is PM_OK where all could */
    pm_memory memory; /* of what is written: what fails ends the document */
} pm_page;

/* A document, which write puts on the page: its text, to free; NULL with err set. drawing becomes
 * the page's. */
typedef void (*pm_page_fn)(pm_page *page, const void *user);
char *pm_page_write(bool html, pm_page_fn write, const void *user, pm_error *drawing,
                    pm_error *err);

/* Writes text with everything that means something in the format replaced; a control character or
 * a byte that is not UTF-8 becomes '?'. */
void pm_page_text(pm_page *page, const char *text);

/* Level 2 starts a section. id is one word of the program's own, with number after it unless that
 * is negative; NULL: none. */
void pm_page_heading(pm_page *page, unsigned level, const char *id, int number, const char *format,
                     ...) __attribute__((format(printf, 5, 6)));
void pm_page_paragraph(pm_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A paragraph in parts, some of which may be live. */
void pm_page_open(pm_page *page);
void pm_page_add(pm_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pm_page_close(pm_page *page);

/* A table under a caption; the first column heads its row. Closes the table. */
void pm_page_table(pm_page *page, pm_table *table, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void pm_page_table_v(pm_page *page, pm_table *table, const char *format, va_list args);

/* Part of an open paragraph that the page's script recomputes, see pm_table_cell. */
void pm_page_live(pm_page *page, const char *key, size_t index, const char *text);

/* A figure: gnuplot's SVG, recoloured by the page's style. Its text says what it shows, to those
 * who do not see it too. Markdown has no figures: tables hold the same numbers. */
typedef struct {
    const char *svg; /* NULL: it could not be drawn; drawing says why, and so does the page */
    const char *id;  /* of what the page's script draws anew; NULL: nothing */
    const char *const *series;
    const size_t *colours; /* of the series, as pm_bars has them; NULL: in their order */
    size_t series_count;   /* named by their colours; fewer than two are not */
} pm_page_drawing;
void pm_page_figure(pm_page *page, const pm_page_drawing *drawing, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What a reader opens if he wants it. */
void pm_page_fold(pm_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pm_page_fold_end(pm_page *page);

#endif
