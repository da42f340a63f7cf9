/* An output for tables and messages: a terminal with a width in columns, or a Markdown file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_TABLE_SCREEN_H
#define PM_REPORT_TABLE_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

typedef struct {
    FILE *file;
    int width;     /* columns per line */
    bool utf8;     /* true: "…" may be printed */
    bool markdown; /* true: tables have | between cells, and lines have any length */
    bool quiet;    /* true: notes are not printed */
} pm_screen;

enum { PM_SCREEN_WIDTH = 80, PM_SCREEN_LEAST = 40, PM_SCREEN_MOST = 1000 };

/* Returns the screen of a file. Its width is $COLUMNS, else the width of the terminal, else
 * PM_SCREEN_WIDTH. It is at least PM_SCREEN_LEAST and at most PM_SCREEN_MOST. */
pm_screen pm_screen_of(FILE *file);

/* Prints a paragraph, wrapped between words, and a newline. Further lines are indented by the
 * leading spaces of the text plus two. A word longer than a line is shortened in its middle. */
void pm_screen_say(const pm_screen *screen, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints a paragraph unless the screen is quiet. */
void pm_screen_note(const pm_screen *screen, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints an empty line unless the screen is quiet. */
void pm_screen_gap(const pm_screen *screen);

/* Returns the number of columns of a UTF-8 text. */
int pm_text_columns(const char *text);
/* Prints the text in at most `columns` columns. A longer text has "…" (or "...") in its middle.
 * Returns the number of columns printed. */
int pm_screen_put_short(const pm_screen *screen, const char *text, int columns);
/* Prints the words of the text between the columns `indent` and `end`, on several lines if
 * necessary. The cursor must be at `indent`. */
void pm_screen_put_folded(const pm_screen *screen, const char *text, int indent, int end);

#endif
