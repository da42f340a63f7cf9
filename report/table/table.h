/* A table of texts, which is printed on a terminal or as Markdown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_TABLE_TABLE_H
#define PM_REPORT_TABLE_TABLE_H

#include "base/text.h"
#include "perfmodel.h"
#include "report/table/format.h"
#include "report/table/screen.h"

typedef struct {
    const char *name;
    bool number; /* true: the column's cells are right-aligned */
    /* Only on a terminal. gap: spaces before the column. weight: priority if a line would be too
     * long. All columns with the lowest weight are left out first. Columns with weight 0 are never
     * left out. */
    int gap, weight;
    /* true: the words of the column may continue on further lines; only for the last column */
    bool folded;
} pm_table_column;
/* Columns of a table in Markdown. */
#define PM_WORDS(name)                                                                             \
    {                                                                                              \
        name, false, 0, 0, false                                                                   \
    }
#define PM_NUMBERS(name)                                                                           \
    {                                                                                              \
        name, true, 0, 0, false                                                                    \
    }

typedef enum {
    PM_CELL_TEXT,
    PM_CELL_TIME,      /* value, with the digits of pm_time_digits */
    PM_CELL_TIME_RANGE /* the 90 % interval of a time, from lo to hi */
} pm_table_cell_kind;

typedef struct {
    pm_table_cell_kind kind;
    char *text;  /* text of a PM_CELL_TEXT; NULL: `range` is a note, printed on its own line */
    char *range; /* interval or other text printed after `text`, or the mark of a time, or NULL */
    double value, lo, hi; /* seconds; a table on a terminal writes all times in one unit */
} pm_table_cell;

typedef struct {
    const pm_table_column *columns; /* not owned; must live as long as the table */
    size_t count;
    bool terminal; /* true: numbers are written in their short form */
    bool failed;   /* true: memory ran out, so the table cannot be printed */
    pm_table_cell *cells;
    size_t used, room;
} pm_table;

pm_table pm_table_open(const pm_table_column *columns, size_t count, bool terminal);
void pm_table_close(pm_table *table);

/* Appends a cell. A row is complete as soon as it has a cell for each column. */
void pm_cell_put(pm_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pm_cell_put_range(pm_table *table, const char *text, const char *range);
/* Appends several cells, usually a row. */
void pm_cells_put(pm_table *table, const char *const *texts, size_t count);
#define PM_CELLS(table, ...)                                                                       \
    pm_cells_put(table, (const char *const[]){__VA_ARGS__},                                        \
                 sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
/* Appends a note, printed on its own line below the last complete row. Only for terminals. */
void pm_table_note(pm_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends a time for a terminal, with the digits of pm_time_digits. All times of a table have the
 * same unit. NaN is printed as "-". */
void pm_cell_time(pm_table *table, double value, double lo, double hi);
/* Writes a mark such as "*" after the time of the last cell. */
void pm_cell_mark(pm_table *table, const char *mark);
/* Appends the interval of a time as a cell of its own. */
void pm_cell_time_range(pm_table *table, double value, double lo, double hi);
/* Appends a number. */
void pm_cell_number(pm_table *table, pm_quantity quantity, double value);
/* Appends a number with its interval: "12 (5..28)" on a terminal, 12 and "5 to 28" in Markdown. If
 * an end is NaN, the interval is unknown. */
void pm_cell_interval(pm_table *table, pm_quantity quantity, const pm_interval *value);
/* Appends a time for Markdown, with its interval in the same unit. */
void pm_cell_time_interval(pm_table *table, double value, double lo, double hi);

/* Appends the header and the rows as Markdown, without notes. An interval follows its number in
 * parentheses. */
void pm_table_markdown(pm_text *out, const pm_table *table);
/* Prints the header and the rows, and closes the table. On a terminal, columns with a weight and
 * only unknown cells ("-") are left out. If lines are too long, columns with a weight whose cells
 * are all equal are left out next. Then long texts are shortened in their middle, and columns of
 * low weight are left out. If lines are still too long, the remaining columns are printed as
 * several tables, each with the leading text columns. A note names the columns that were left out
 * although their cells differ. */
void pm_table_print(pm_table *table, const pm_screen *screen, int indent);

#endif
