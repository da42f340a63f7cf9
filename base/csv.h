/* The rows of a CSV file, read and written.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_CSV_H
#define PM_BASE_CSV_H

#include <sys/types.h>

#include "base/text.h"
#include "perfmodel.h"

#define PM_CSV_MAX_ROW ((size_t)1 << 20) /* bytes */
#define PM_CSV_MAX_COLUMNS 4096

/* One row; count may be above PM_CSV_MAX_COLUMNS, then only the first ones are in cells. Cells are
 * NUL-terminated, hold no NUL, and live until the function returns. */
typedef pm_status (*pm_csv_row_fn)(void *user, size_t line, const char *const *cells, size_t count,
                                   pm_error *err);

typedef struct {
    off_t sound_bytes; /* up to the end of the last whole row */
    size_t torn_line;  /* the row without a newline at the end of the file; 0: none */
    size_t last_line;
} pm_csv_end;

/* Reads fd from where it stands; path is for messages. Blank lines and a BOM are skipped. A last
 * row without a newline is torn, and not given to row. */
pm_status pm_csv_read(int fd, const char *path, pm_csv_row_fn row, void *user, pm_csv_end *end,
                      pm_error *err);

/* Reads the file of a table, whose last row has to be whole: a torn one is PM_BAD_INPUT. */
pm_status pm_csv_read_table(const char *path, pm_csv_row_fn row, void *user, pm_error *err);

/* Adds a cell, in quotes where it needs them, and the comma or newline behind it. */
void pm_csv_put(pm_text *row, const char *cell, bool last);
/* The same of a number; NaN is unknown: an empty cell. */
void pm_csv_put_number(pm_text *row, double value, bool last);

#endif
