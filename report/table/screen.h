/* Where tables and messages for people are printed: a terminal of some width, or a Markdown file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_TABLE_SCREEN_H
#define PM_REPORT_TABLE_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

typedef struct {
    FILE *file;
    int width;     /* columns of a line */
    bool utf8;     /* "…" may be written */
    bool markdown; /* tables with | between cells, lines of any length */
    bool quiet;    /* no notes */
} pm_screen;

enum { PM_SCREEN_WIDTH = 80, PM_SCREEN_LEAST = 40, PM_SCREEN_MOST = 1000 };

/* As wide as $COLUMNS says, else as the terminal that file is, else PM_SCREEN_WIDTH; within
 * PM_SCREEN_LEAST and PM_SCREEN_MOST. */
pm_screen pm_screen_of(FILE *file);

/* Prints a paragraph, folded between words, and a newline. Further lines are indented by the spaces
 * that the text begins with, and by two more. A word that is longer than a line is shortened in its
 * middle. */
void pm_screen_say(const pm_screen *screen, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same unless the screen is quiet. */
void pm_screen_note(const pm_screen *screen, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* An empty line unless the screen is quiet. */
void pm_screen_gap(const pm_screen *screen);

/* Columns that a text of UTF-8 takes. */
int pm_text_columns(const char *text);
/* Prints the text in at most `columns` columns, with "…" (or "...") in place of its middle if it is
 * longer. Returns the number of columns printed. */
int pm_screen_put_short(const pm_screen *screen, const char *text, int columns);
/* Prints the words of the text from column `indent` (the cursor is there) up to column `end`, on
 * several lines if need be. */
void pm_screen_put_folded(const pm_screen *screen, const char *text, int indent, int end);

#endif
