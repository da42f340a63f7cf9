/* The output of tables and messages: a terminal with a width in characters, or a Markdown file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_TABLE_SCREEN_H
#define PM_REPORT_TABLE_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

typedef struct {
    FILE *file;
    int width; /* columns per line */
    bool utf8; /* true: "…" may be printed */
    /* true: tables are printed as Markdown, with | between cells and lines of any length */
    bool markdown;
    bool quiet; /* true: notes are not printed */
} pm_screen;

enum { PM_SCREEN_WIDTH = 80, PM_SCREEN_LEAST = 40, PM_SCREEN_MOST = 1000 };

/* Returns the properties of an output file. The width in characters is $COLUMNS, else the width of
 * the terminal, else PM_SCREEN_WIDTH. It is at least PM_SCREEN_LEAST and at most PM_SCREEN_MOST. */
pm_screen pm_screen_of(FILE *file);

/* Prints a paragraph and a newline. Lines are wrapped between words at the width of the screen. All
 * lines but the first are indented by the leading spaces of the text plus two. A word longer than a
 * line is shortened in its middle. */
void pm_screen_say(const pm_screen *screen, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints a paragraph as pm_screen_say does, unless the screen is quiet. */
void pm_screen_note(const pm_screen *screen, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Prints an empty line unless the screen is quiet. */
void pm_screen_gap(const pm_screen *screen);

/* Returns the width of a UTF-8 text in characters on a terminal. */
int pm_text_columns(const char *text);
/* Prints a text in at most `columns` characters. In a longer text the middle is replaced by "…" (or
 * "..."). Returns the number of characters printed. */
int pm_screen_put_short(const pm_screen *screen, const char *text, int columns);
/* Prints the words of a text between the screen columns `indent` and `end`, on several lines if
 * necessary. The cursor must be at column `indent`. */
void pm_screen_put_folded(const pm_screen *screen, const char *text, int indent, int end);

#endif
