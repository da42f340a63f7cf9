/* A table of texts, which a terminal, HTML and Markdown show alike.
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
    bool number; /* aligned by its end */
    /* On a terminal: columns before it, and what becomes of it where a line would be too long.
     * Columns with the lowest weight are left out first, all of one weight together; columns with
     * weight 0 stay. */
    int gap, weight;
    bool folded; /* the last column, whose words may go on in further lines */
} pm_table_column;
/* In a page. */
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
    PM_CELL_TIME,      /* value, with the digits that lo and hi leave */
    PM_CELL_TIME_RANGE /* lo to hi */
} pm_table_cell_kind;

typedef struct {
    pm_table_cell_kind kind;
    char *text;  /* of a PM_CELL_TEXT; NULL: range stands in a line of its own */
    char *range; /* an interval beside a number, what is not certain, a mark of a time; or NULL */
    /* What the page's script recomputes when the reader changes a rate: key names what, index
     * whose, and key-range is the interval's. NULL: nothing. */
    const char *key;
    size_t index;
    double value, lo, hi; /* seconds; a table on a terminal writes all times in one unit */
} pm_table_cell;

typedef struct {
    const pm_table_column *columns; /* live as long as the table */
    size_t count;
    bool terminal; /* numbers are written short */
    bool failed;   /* no memory: the table is lost */
    pm_table_cell *cells;
    size_t used, room;
} pm_table;

pm_table pm_table_open(const pm_table_column *columns, size_t count, bool terminal);
void pm_table_close(pm_table *table);

/* The next cell; a row is complete as soon as it has all columns. */
void pm_cell_put(pm_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pm_cell_put_range(pm_table *table, const char *text, const char *range);
void pm_cell_put_live(pm_table *table, const char *key, size_t index, const char *text,
                      const char *range);
/* Several cells: usually a row. */
void pm_cells_put(pm_table *table, const char *const *texts, size_t count);
#define PM_CELLS(table, ...)                                                                       \
    pm_cells_put(table, (const char *const[]){__VA_ARGS__},                                        \
                 sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
/* A line below the row that is complete, on a terminal. */
void pm_table_note(pm_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A time on a terminal, with two digits, or three if the ends of its interval are within a tenth of
 * it or it has none (NaN). All times of a table have one unit. NaN is "-". */
void pm_cell_time(pm_table *table, double value, double lo, double hi);
/* Writes a mark such as "*" behind the time of the last cell. */
void pm_cell_mark(pm_table *table, const char *mark);
/* Its interval, in a cell of its own. */
void pm_cell_time_range(pm_table *table, double value, double lo, double hi);
/* A number. */
void pm_cell_number(pm_table *table, pm_quantity quantity, double value);
/* "12 (5..28)" or 12 and "5 to 28"; NaN as an end: nothing is known of it. */
void pm_cell_interval(pm_table *table, pm_quantity quantity, const pm_interval *value,
                      const char *key, size_t index);

/* Prints header and rows, and closes the table. It fits the width of a terminal: columns
 * with a weight of which nothing is known ("-" in all rows) are left out, and if a line would be
 * too long those of low weight, those with the same text in all rows first, and long texts are
 * shortened in their middle. If even that does not fit, the columns after the first texts go on in
 * a table below. What was left out and differs between rows is told in a note. */
void pm_table_print(pm_table *table, const pm_screen *screen, int indent);

#endif
