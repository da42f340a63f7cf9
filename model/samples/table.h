/* The representation of a dataset in memory, which reading and writing share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_SAMPLES_TABLE_H
#define PM_MODEL_SAMPLES_TABLE_H

#include <limits.h>

#include "base/csv.h"
#include "base/strings.h"
#include "perfmodel.h"

/* Columns of the CSV file that have a member in pm_sample. Text columns come first, starting with
 * the key columns. */
enum { PM_KEY_COLUMNS = 6, PM_ORIGIN_COLUMN = 6, PM_TEXT_COLUMNS = 7 };
enum { PM_TIME_COLUMN = 7, PM_KNOWN_COLUMNS = 12 };

typedef struct {
    const char *name;
    bool required;
    /* true: `collect` writes this column. false only for the column `origin`, which names the
     * publication of a time that was not measured here. */
    bool collected;
    size_t offset; /* offset in pm_sample, bytes */
} pm_known_column;

extern const pm_known_column pm_known_columns[PM_KNOWN_COLUMNS];
/* Returns the index of a column in pm_known_columns. PM_NO_ENTRY if no known column has this
 * name. */
size_t pm_known_column_of(const char *name);

const char **pm_sample_text(pm_sample *sample, size_t known);
double *pm_sample_number(pm_sample *sample, size_t known);

typedef struct {
    const char *name;
    size_t known;   /* index in pm_known_columns; PM_NO_ENTRY: the column is a counter */
    size_t counter; /* index among the counters */
} pm_column;

struct pm_dataset {
    char *path;
    pm_strings strings;
    pm_column *columns; /* columns in the order of the file */
    size_t column_count;
    const char **counters;
    size_t counter_count;
    pm_sample *samples;
    double *values; /* values[row * counter_count + c]: value of counter c in the row */
    size_t rows, capacity;
    pm_hash_index keys; /* rows by the key columns */
    /* index of the rows by program, variant, size and kernel; if several rows have the same values,
     * the index has the first of them */
    pm_hash_index places;
    pm_csv_end end;
};

pm_dataset *pm_dataset_create(const char *path);
/* Adds a copy of a sample to the dataset. Returns false if memory runs out, or if the dataset has a
 * row with the same key already. *earlier gets the index of that row, or PM_NO_ENTRY. earlier may
 * be NULL. */
bool pm_dataset_add(pm_dataset *dataset, const pm_sample *sample, size_t *earlier);
/* Returns the index of the row with the same key (device, program, variant, size, kernel and source
 * of counters) as `like`. PM_NO_ENTRY: there is none. */
size_t pm_dataset_find_key(const pm_dataset *dataset, const pm_sample *like);

/* Returns true if a dataset must not contain the row `sample`. `text` then describes the fault and
 * its remedy. The reader and the writer use the same rules. No text of the sample except the origin
 * is NULL. */
#define PM_FAULT_SIZE 512
bool pm_sample_fault(const pm_sample *sample, size_t counters, char text[PM_FAULT_SIZE]);

/* Reads a dataset from an open file, without log messages. An incomplete last row is left out, and
 * end.torn_line is its line. A file with a header and no rows is valid. */
pm_dataset *pm_dataset_read_fd(int fd, const char *path, pm_error *err);

/* Writes the path of the JSON file with a dataset's provenance. */
pm_status pm_provenance_path(const char *dataset_path, char path[PATH_MAX], pm_error *err);
/* Reads the provenance. NULL if there is no readable file. The caller releases the object. */
struct json_t *pm_provenance_load(const char *dataset_path);
/* Value in the provenance's "languages" for a variant whose source is CUDA. */
#define PM_CUDA "CUDA"
/* Marks the rows whose variant is a CUDA source, from the dataset's provenance. */
void pm_dataset_mark_languages(pm_dataset *dataset);

/* Adds the names of datasets to `names` and sorts it. own true: all datasets that pm_dataset_locate
 * finds. own false: all that pm_dataset_locate_known finds, without the user's own. */
pm_status pm_dataset_names(const char *folder, bool own, pm_strings *names, pm_error *err);

/* Adds the names of all datasets in the subfolders `public` of the dataset folders, and sorts
 * `names`. Datasets in these subfolders have times of a GPU that others published, and traced
 * counters of the same programs. */
pm_status pm_dataset_published_names(const char *folder, pm_strings *names, pm_error *err);
/* Sets path to the path of a dataset in the folders `public`; "" if none has this name. */
pm_status pm_dataset_locate_published(const char *name, const char *folder, char *path,
                                      size_t path_size, pm_error *err);

#endif
