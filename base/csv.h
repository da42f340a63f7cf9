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
 * callback returns. */
typedef pm_status (*pm_csv_row_fn)(void *user, size_t line, const char *const *cells, size_t count,
                                   pm_error *err);

typedef struct {
    off_t sound_bytes; /* offset in the file after the last complete row */
    /* line number of a last row without a newline, which was torn by a crash; 0: none */
    size_t torn_line;
    size_t last_line;
} pm_csv_end;

/* Reads rows from the current position of fd and passes each to row(user, ...). path is only for
 * messages. Skips blank lines and a byte order mark. A last row without a newline counts as torn by
 * a crash: it is only reported in end->torn_line. */
pm_status pm_csv_read(int fd, const char *path, pm_csv_row_fn row, void *user, pm_csv_end *end,
                      pm_error *err);

/* Reads rows from `size` bytes of text in memory, which this function changes, as pm_csv_read does.
 * line: number of the text's first line in the file at path, for messages. */
pm_status pm_csv_read_text(char *text, size_t size, size_t line, const char *path,
                           pm_csv_row_fn row, void *user, pm_csv_end *end, pm_error *err);

/* Reads all rows of a file and passes each to row(user, ...). PM_BAD_INPUT if the last row has no
 * newline, because it may be incomplete. */
pm_status pm_csv_read_table(const char *path, pm_csv_row_fn row, void *user, pm_error *err);

/* Appends a cell to the text of a CSV row, in quotes if necessary. A comma follows; if `last`, a
 * newline. */
void pm_csv_put(pm_text *row, const char *cell, bool last);
/* Appends a number as a cell to the text of a CSV row. NaN, which means unknown, becomes an empty
 * cell. */
void pm_csv_put_number(pm_text *row, double value, bool last);

#endif
