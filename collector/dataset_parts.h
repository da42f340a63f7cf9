/* The parts that reading and writing a dataset share: strings kept once, the table of samples, the
 * CSV rows of a file, numbers as text, and files that appear whole.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_DATASET_PARTS_H
#define PM_COLLECTOR_DATASET_PARTS_H

#include <limits.h>
#include <stdint.h>
#include <sys/types.h>

#include "perfmodel.h"

/* ---- hash index and strings (dataset_index.c) ---------------------------------------------- */

#define PM_NONE SIZE_MAX

typedef struct {
    uint64_t hash;
    size_t value_plus_one; /* 0: free */
} pm_slot;

/* Open addressing; holds numbers, and asks the caller whether one of them is the one it means. */
typedef struct {
    pm_slot *slots;
    size_t capacity, used;
} pm_index;

typedef bool (*pm_same_fn)(const void *key, size_t value);

size_t pm_index_find(const pm_index *index, uint64_t hash, pm_same_fn same, const void *key);
bool pm_index_add(pm_index *index, uint64_t hash, size_t value); /* false: out of memory */
void pm_index_clear(pm_index *index);

typedef struct pm_string_block pm_string_block;

/* Each text is stored once and never moves, so that equal texts are equal pointers. */
typedef struct {
    pm_index index;
    const char **items;
    size_t count, capacity;
    pm_string_block *blocks;
} pm_strings;

const char *pm_strings_find(const pm_strings *strings, const char *text); /* NULL: not there */
const char *pm_strings_add(pm_strings *strings, const char *text);        /* NULL: no memory */
void pm_strings_clear(pm_strings *strings);

/* ---- text (dataset_text.c) ------------------------------------------------------------------ */

/* Reads a decimal number, whatever the locale of the process is. No inf, nan, hexadecimal, spaces
 * or trailing characters; false for these and for a number too large for a double. */
bool pm_number_parse(const char *text, double *value);

#define PM_NUMBER_SIZE 32
/* Writes the fewest digits (15, 16 or 17) that read back as the same double. value is finite. */
bool pm_number_format(double value, char text[PM_NUMBER_SIZE]);

bool pm_is_utf8(const char *text);

enum { PM_SHOWN_CELL = 64, PM_SHOWN_PATH = 512 };
/* text for a message: one line, control characters as \xNN, the middle left out if it is longer
 * than shown, which has room for size bytes (16 or more). */
const char *pm_shown(const char *text, char *shown, size_t size);

/* ---- CSV rows of a file (dataset_csv.c) ------------------------------------------------------ */

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

/* Reads fd from where it stands; path is for messages. Blank lines and a BOM are skipped. A row
 * that the file ends in without a newline is not given to row. */
pm_status pm_csv_read(int fd, const char *path, pm_csv_row_fn row, void *user, pm_csv_end *end,
                      pm_error *err);

/* ---- the table (dataset_table.c) ------------------------------------------------------------- */

/* The columns that have a member in pm_sample. Text columns come first. */
enum { PM_TEXT_COLUMNS = 6, PM_TIME_COLUMN = 6, PM_KNOWN_COLUMNS = 11 };

typedef struct {
    const char *name;
    bool required;
    size_t offset; /* in pm_sample */
} pm_known_column;

extern const pm_known_column pm_known_columns[PM_KNOWN_COLUMNS];

const char **pm_sample_text(pm_sample *sample, size_t known);
double *pm_sample_number(pm_sample *sample, size_t known);

typedef struct {
    const char *name;
    size_t known;   /* place in pm_known_columns; PM_NONE: a counter */
    size_t counter; /* place among the counters */
} pm_column;

struct pm_dataset {
    char *path;
    pm_strings strings;
    pm_column *columns; /* in the order of the file */
    size_t column_count;
    const char **counters;
    size_t counter_count;
    pm_sample *samples;
    double *values; /* rows x counter_count */
    size_t rows, capacity;
    pm_index keys;   /* all six text columns */
    pm_index places; /* program, variant, size, kernel */
    pm_csv_end end;
};

pm_dataset *pm_dataset_create(const char *path);
/* Copies the sample; earlier (may be NULL) gets the row with the same key, else PM_NONE. false: out
 * of memory, or there is an earlier one. */
bool pm_dataset_add(pm_dataset *dataset, const pm_sample *sample, size_t *earlier);
/* The row with the same six text columns, or PM_NONE. */
size_t pm_dataset_find_key(const pm_dataset *dataset, const pm_sample *like);

/* Whether a sample may stand in a dataset; if not, text says why and how to mend it. The reader and
 * the writer hold rows to the same rules. The texts are not NULL. */
#define PM_FAULT_SIZE 512
bool pm_sample_fault(const pm_sample *sample, size_t counters, char text[PM_FAULT_SIZE]);

/* ---- reading (dataset_read.c) ---------------------------------------------------------------- */

/* As pm_dataset_read, from an open file; a file with a header and no rows is sound, and nothing is
 * logged: end.torn_line tells. */
pm_dataset *pm_dataset_read_fd(int fd, const char *path, pm_error *err);

/* ---- files that appear whole (dataset_file.c) ------------------------------------------------ */

/* Opens a new file beside path, for writing and reading, and writes its name into temporary; -1
 * with errno, which is EPERM where path is a device or a pipe. */
int pm_file_temporary(const char *path, char temporary[PATH_MAX]);
/* Writes the bytes under a temporary name in the same folder, flushes them, locks the file if
 * asked, and renames it to path. replace: over what is there; else errno is EEXIST if there is
 * something. Returns the open file, or -1 with errno. */
int pm_file_put(const char *path, const void *bytes, size_t size, bool replace, bool lock);

/* ---- names (locate.c) ------------------------------------------------------------------------ */

/* Adds the names that pm_dataset_locate knows, in alphabetical order. */
pm_status pm_dataset_names(const char *folder, pm_strings *names, pm_error *err);

#endif
