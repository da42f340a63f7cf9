/* A table of texts, which is printed in the same way on a terminal, in HTML and in Markdown.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_TABLE_TABLE_H
#define PM_REPORT_TABLE_TABLE_H

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
/* Initializers for the columns of a table in an HTML page: a column of texts, and one of
 * numbers. */
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
    /* For cells of an HTML page whose value page.js computes again when the reader changes a price.
     * key: name of the quantity in page.js; its interval has the name "KEY-range". index: number of
     * the version that the value belongs to. key NULL: the value never changes. */
    const char *key;
    size_t index;
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
void pm_cell_put_live(pm_table *table, const char *key, size_t index, const char *text,
                      const char *range);
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
/* Appends a number with its interval: "12 (5..28)" on a terminal, 12 and "5 to 28" in a page. If an
 * end is NaN, the interval is unknown. */
void pm_cell_interval(pm_table *table, pm_quantity quantity, const pm_interval *value,
                      const char *key, size_t index);

/* Prints the header and the rows, and closes the table. On a terminal, columns with a weight and
 * only unknown cells ("-") are left out. If lines are too long, columns with a weight whose cells
 * are all equal are left out next. Then long texts are shortened in their middle, and columns of
 * low weight are left out. If lines are still too long, the remaining columns are printed as
 * several tables, each with the leading text columns. A note names the columns that were left out
 * although their cells differ. */
void pm_table_print(pm_table *table, const pm_screen *screen, int indent);

#endif
