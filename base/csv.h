/* Reads and writes rows of CSV files.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_CSV_H
#define PM_BASE_CSV_H

#include <sys/types.h>

#include "base/text.h"
#include "perfmodel.h"

#define PM_CSV_MAX_ROW ((size_t)1 << 20) /* in bytes */
#define PM_CSV_MAX_COLUMNS 4096

/* Callback that receives one row. count may exceed PM_CSV_MAX_COLUMNS; `cells` then holds only the
 * first PM_CSV_MAX_COLUMNS cells. Cells are NUL-terminated, contain no NUL, and are valid until the
 * function returns. */
typedef pm_status (*pm_csv_row_fn)(void *user, size_t line, const char *const *cells, size_t count,
                                   pm_error *err);

typedef struct {
    off_t sound_bytes; /* offset of the end of the last whole row */
    size_t torn_line;  /* line of a last row that has no newline; 0: none */
    size_t last_line;
} pm_csv_end;

/* Reads rows from the current position of fd. path is only for messages. Blank lines and a byte
 * order mark are skipped. A last row without a newline counts as torn and is not passed to row. */
pm_status pm_csv_read(int fd, const char *path, pm_csv_row_fn row, void *user, pm_csv_end *end,
                      pm_error *err);

/* Reads rows from `size` bytes of text in memory, which this function changes, as pm_csv_read does.
 * line: number of the text's first line in the file at path, for messages. */
pm_status pm_csv_read_text(char *text, size_t size, size_t line, const char *path,
                           pm_csv_row_fn row, void *user, pm_csv_end *end, pm_error *err);

/* Reads a table from a file. A torn last row is PM_BAD_INPUT. */
pm_status pm_csv_read_table(const char *path, pm_csv_row_fn row, void *user, pm_error *err);

/* Appends a cell, quoted if necessary, and a comma or, if last, a newline. */
void pm_csv_put(pm_text *row, const char *cell, bool last);
/* Appends a number. NaN, which means unknown, becomes an empty cell. */
void pm_csv_put_number(pm_text *row, double value, bool last);

#endif
