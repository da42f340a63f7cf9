/* A dataset in memory: what reading and writing it share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SAMPLES_TABLE_H
#define PM_SAMPLES_TABLE_H

#include <limits.h>

#include "base/csv.h"
#include "base/strings.h"
#include "perfmodel.h"

/* The columns that have a member in pm_sample. Text columns come first, the key before the others.
 */
enum { PM_KEY_COLUMNS = 6, PM_ORIGIN_COLUMN = 6, PM_TEXT_COLUMNS = 7 };
enum { PM_TIME_COLUMN = 7, PM_KNOWN_COLUMNS = 12 };

typedef struct {
    const char *name;
    bool required;
    bool collected; /* the writer writes it: all but the origin of times that others published */
    size_t offset;  /* in pm_sample */
} pm_known_column;

extern const pm_known_column pm_known_columns[PM_KNOWN_COLUMNS];
/* PM_NO_ENTRY: it is none of them. */
size_t pm_known_column_of(const char *name);

const char **pm_sample_text(pm_sample *sample, size_t known);
double *pm_sample_number(pm_sample *sample, size_t known);

typedef struct {
    const char *name;
    size_t known;   /* place in pm_known_columns; PM_NO_ENTRY: a counter */
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
    pm_hash_index keys;   /* all six text columns */
    pm_hash_index places; /* program, variant, size, kernel */
    pm_csv_end end;
};

pm_dataset *pm_dataset_create(const char *path);
/* Copies the sample; earlier (may be NULL) gets the row with the same key, else PM_NO_ENTRY. false:
 * out of memory, or there is an earlier one. */
bool pm_dataset_add(pm_dataset *dataset, const pm_sample *sample, size_t *earlier);
/* The row with the same six text columns, or PM_NO_ENTRY. */
size_t pm_dataset_find_key(const pm_dataset *dataset, const pm_sample *like);

/* Whether a sample may stand in a dataset; if not, text says why and how to mend it. The reader and
 * the writer hold rows to the same rules. The texts are not NULL, but for the origin. */
#define PM_FAULT_SIZE 512
bool pm_sample_fault(const pm_sample *sample, size_t counters, char text[PM_FAULT_SIZE]);

/* As pm_dataset_read, from an open file; a file with a header and no rows is sound, and nothing is
 * logged: end.torn_line tells. */
pm_dataset *pm_dataset_read_fd(int fd, const char *path, pm_error *err);

/* The JSON file beside a dataset. */
pm_status pm_provenance_path(const char *dataset_path, char path[PATH_MAX], pm_error *err);
/* What it says; NULL: there is none that can be read. */
struct json_t *pm_provenance_load(const char *dataset_path);
/* What that file calls the language of a variant whose source is CUDA's. */
#define PM_CUDA "CUDA"
/* Marks the rows of such variants. */
void pm_dataset_mark_languages(pm_dataset *dataset);

/* Adds the names that pm_dataset_locate knows (own), or pm_dataset_locate_known alone, in
 * alphabetical order. */
pm_status pm_dataset_names(const char *folder, bool own, pm_strings *names, pm_error *err);

/* The same of the folder `public` in each folder of datasets: times that others published, by GPU,
 * and what was traced of the same programs. */
pm_status pm_dataset_published_names(const char *folder, pm_strings *names, pm_error *err);
/* The path of one of them; "": there is none of that name. */
pm_status pm_dataset_locate_published(const char *name, const char *folder, char *path,
                                      size_t path_size, pm_error *err);

#endif
