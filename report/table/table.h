/* A table of texts, which a terminal, HTML and Markdown show alike.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_REPORT_TABLE_TABLE_H
#define PM_REPORT_TABLE_TABLE_H

#include <stdio.h>

#include "perfmodel.h"
#include "report/table/format.h"

typedef struct {
    const char *name;
    bool number; /* aligned by its end */
    /* On a terminal: its least width (0: as wide as what stands in it), and columns before it. */
    int width, gap;
} pm_table_column;
/* In a page. */
#define PM_WORDS(name)                                                                             \
    {                                                                                              \
        name, false, 0, 0                                                                          \
    }
#define PM_NUMBERS(name)                                                                           \
    {                                                                                              \
        name, true, 0, 0                                                                           \
    }

typedef struct {
    char *text;  /* NULL: range stands in a line of its own */
    char *range; /* an interval beside a number, what is not certain; or NULL */
    /* What the page's script recomputes when the reader changes a rate: key names what, index
     * whose, and key-range is the interval's. NULL: nothing. */
    const char *key;
    size_t index;
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

/* A number. */
void pm_cell_number(pm_table *table, pm_quantity quantity, double value);
/* "12 (5..28)" or 12 and "5 to 28"; NaN as an end: nothing is known of it. */
void pm_cell_interval(pm_table *table, pm_quantity quantity, const pm_interval *value,
                      const char *key, size_t index);

/* Prints header and rows to a terminal, and closes the table. The last column is cut in its middle
 * where a line would be longer than 100 columns, if cut. */
void pm_table_print(pm_table *table, FILE *out, int indent, bool cut);

#endif
