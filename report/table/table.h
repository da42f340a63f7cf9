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
    /* Only on a terminal. gap: number of spaces before the column. weight: priority of the column
     * if a line would be too long. All columns with the lowest weight are left out first. Columns
     * with weight 0 are never left out. */
    int gap, weight;
    /* true: long texts of the column continue on further lines; only for the last column */
    bool folded;
} pm_table_column;
/* PM_WORDS and PM_NUMBERS declare a column of a table in Markdown: with left-aligned texts, or with
 * right-aligned numbers. */
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
    PM_CELL_TIME,      /* PM_CELL_TIME: a time, `value`, with the digits of pm_time_digits */
    PM_CELL_TIME_RANGE /* PM_CELL_TIME_RANGE: the 90 % interval of a time, from `lo` to `hi` */
} pm_table_cell_kind;

typedef struct {
    pm_table_cell_kind kind;
    /* Text of the cell if its kind is PM_CELL_TEXT. NULL: this is a note instead of a cell. Its
     * text is `range`, and it is printed on its own line. */
    char *text;
    /* Text that is printed after `text`: an interval, or a mark such as "*" after a time. NULL:
     * none. */
    char *range;
    /* A time and its interval, seconds. A table on a terminal writes all its times in one unit. */
    double value, lo, hi;
} pm_table_cell;

typedef struct {
    /* columns of the table; not owned by the table, and must be valid as long as it */
    const pm_table_column *columns;
    size_t count;
    bool terminal; /* true: the table is for a terminal, and numbers have their short form */
    bool failed;   /* true: memory ran out. The table can then not be printed. */
    pm_table_cell *cells;
    size_t used, room;
} pm_table;

pm_table pm_table_open(const pm_table_column *columns, size_t count, bool terminal);
void pm_table_close(pm_table *table);

/* Appends a cell to a table. A row is complete when it has a cell for each column; the next cell
 * begins a new row. */
void pm_cell_put(pm_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pm_cell_put_range(pm_table *table, const char *text, const char *range);
/* Appends several cells to a table, usually one row. */
void pm_cells_put(pm_table *table, const char *const *texts, size_t count);
#define PM_CELLS(table, ...)                                                                       \
    pm_cells_put(table, (const char *const[]){__VA_ARGS__},                                        \
                 sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
/* Appends a note to a table. It is printed on a line of its own below the last complete row. Only
 * for terminals. */
void pm_table_note(pm_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends a cell with a time and its interval lo to hi, which determines the number of digits
 * (pm_time_digits). Only for terminals. All times of a table are printed in the same unit. NaN is
 * printed as "-". */
void pm_cell_time(pm_table *table, double value, double lo, double hi);
/* Adds a mark such as "*" to the time in the cell that was appended last. */
void pm_cell_mark(pm_table *table, const char *mark);
/* Appends a cell with the 90 % interval lo to hi of a time. */
void pm_cell_time_range(pm_table *table, double value, double lo, double hi);
/* Appends a number. */
void pm_cell_number(pm_table *table, pm_quantity quantity, double value);
/* Appends a number with its 90 % interval: "12 (5..28)" on a terminal; in Markdown, 12 with "5 to
 * 28" in parentheses. If an end is NaN, the interval is unknown and not printed. */
void pm_cell_interval(pm_table *table, pm_quantity quantity, const pm_interval *value);
/* Appends a cell for Markdown: a time and its 90 % interval in the same unit. */
void pm_cell_time_interval(pm_table *table, double value, double lo, double hi);

/* Appends a table to a text as Markdown: header and rows, without notes. An interval follows its
 * number in parentheses. */
void pm_table_markdown(pm_text *out, const pm_table *table);
/* Prints a table with its header and frees it. indent: spaces before each line. On a terminal,
 * columns with a weight and only unknown cells ("-") are left out. If lines are too long, columns
 * with a weight whose cells are all equal are left out next. Then long texts are shortened in their
 * middle, and columns of low weight are left out. If lines are still too long, the remaining
 * columns are printed as several tables, each with the text columns at the left. A note names the
 * columns that were left out although their cells differ. */
void pm_table_print(pm_table *table, const pm_screen *screen, int indent);

#endif
