/* Writing a dataset: rows are appended whole and flushed, so that a crash loses at most the row
 * being written. Reading is in perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SAMPLES_DATASET_H
#define PM_SAMPLES_DATASET_H

#include "perfmodel.h"

/* pm_dataset_open of what pm_dataset_locate has found. */
const pm_dataset *pm_dataset_open_at(pm_session *session, const char *path, pm_error *err);

/* As pm_dataset_locate, but for the user's own folder, where collect writes: what models learn from
 * without being asked is in the session's folder, in $PERFMODEL_DATASETS or shipped. False: there
 * is none. */
bool pm_dataset_locate_known(const char *name, const char *folder, char *path, size_t path_size);

typedef struct pm_dataset_writer pm_dataset_writer;

/* Opens path to append rows with these counter columns. A new file gets its header by way of a
 * temporary name and rename. An existing file must be a sound dataset (else PM_BAD_INPUT, and it is
 * left as it is) with the same counter columns; a torn last row is cut off, with a notice.
 * One writer at a time: the file is locked (flock), a second one is PM_FAILED. */
pm_dataset_writer *pm_dataset_writer_open(const char *path, const char *const *counters,
                                          size_t counter_count, const pm_log *log, pm_error *err);
/* The rows that the file had when it was opened. Owned by the writer. */
const pm_dataset *pm_dataset_writer_existing(const pm_dataset_writer *writer);
/* Appends one row with a single write and flushes it to the disk. On failure (a full disk) the file
 * is cut back to the rows it had. sample->counters is in the order of the columns. */
pm_status pm_dataset_writer_append(pm_dataset_writer *writer, const pm_sample *sample,
                                   pm_error *err);
/* Takes all rows of a program's variant in a size out of the file, which is replaced by one without
 * them, whole or not at all. Then existing is another dataset, with the rows appended since. */
pm_status pm_dataset_writer_remove(pm_dataset_writer *writer, const char *program,
                                   const char *variant, const char *size, pm_error *err);
void pm_dataset_writer_close(pm_dataset_writer *writer);

/* One go of collect. Texts may be NULL: nobody knows. */
typedef struct {
    const char *counter_source, *counter_tool;
    const char *counter_target;   /* GPU whose rules the trace engine counts by; NULL: no engine */
    const char *registers_source; /* estimate, or a version of ptxas; NULL: no engine */
    double sample;                /* share of the work-groups that it runs; 0: as time allows */
    const char *command;
    unsigned long long seed;
    pm_shard shard;
    const pm_probe_row *row; /* of devices.csv, of the device; NULL: what the file has stays */
} pm_provenance_run;

/* Writes the JSON file of the same name beside the dataset: device properties, driver, tool
 * version, date, command. Written to a temporary name and renamed. A dataset collected in several
 * goes keeps a list of them ("runs"). PM_BAD_INPUT if the file there is of another device, or of
 * counters by another target's rules, or with registers of another source. */
pm_status pm_provenance_write(const char *dataset_path, const pm_device *device,
                              const pm_provenance_run *run, pm_error *err);
/* Adds to the last run what compiled CUDA sources for the device. */
pm_status pm_provenance_compiler(const char *dataset_path, const char *compiler, pm_error *err);

/* Writes into target the GPU by whose rules the counters of a dataset were traced, as the file
 * beside it says; "": it does not, or there is none. */
void pm_provenance_target(const char *dataset_path, char target[64]);

/* How many cores the CPU had that a dataset was measured on, as the file beside it says; 0: it does
 * not, or it was no CPU. */
unsigned pm_provenance_cores(const char *dataset_path);

/* What was measured under the names of a program's variant in a size: a text that is another one
 * when the workload is ("definitions" of the JSON file). */
enum { PM_DEFINED = 40 };
typedef struct {
    const char *program, *variant, *size;
    bool cuda; /* the variant's source is CUDA's: written, not read */
} pm_defined;
/* text gets "" where nothing is known. */
pm_status pm_definition_read(const char *dataset_path, const pm_defined *of, char text[PM_DEFINED],
                             pm_error *err);
/* text: NULL: of a program whose workloads never change; only its language is told. */
pm_status pm_definition_write(const char *dataset_path, const pm_defined *of, const char *text,
                              pm_error *err);

/* The place of a program's variant and size among all that a run of all shards would collect. */
typedef struct {
    pm_defined of;
    size_t place;
} pm_planned;
/* Tells it of all that this share has ("plan" of the JSON file). */
pm_status pm_plan_write(const char *dataset_path, const pm_planned *places, size_t count,
                        pm_error *err);

/* Where `collect` writes and `predict` looks when nobody says: $PERFMODEL_DATASETS, else
 * $XDG_DATA_HOME/perfmodel/datasets (~/.local/share/...); the folder is made if it is missing.
 * path is the file NAME.csv in it. */
pm_status pm_user_dataset_path(const char *name, char *path, size_t path_size, pm_error *err);

/* ---- table.c: a dataset's counters by name, and datasets that are made in memory ------------ */

/* Where samples have the counter; pm_dataset_counters(dataset): nowhere. */
size_t pm_dataset_counter_at(const pm_dataset *dataset, const char *name);
/* A sample's; NaN: unknown, or the dataset has none of that name. */
double pm_dataset_counter(const pm_dataset *dataset, const pm_sample *sample, const char *name);

/* An empty dataset with these counters; the name stands in messages where a file has its path.
 * Freed with pm_dataset_free. */
pm_dataset *pm_dataset_memory(const char *name, const char *const *counters, size_t count,
                              pm_error *err);
/* Copies a sample, whose counters are in the dataset's order. One with a key that is there already
 * changes nothing. */
pm_status pm_dataset_append(pm_dataset *dataset, const pm_sample *sample, pm_error *err);
/* Copies all samples of another dataset, counters by name; those that it lacks are unknown. */
pm_status pm_dataset_append_all(pm_dataset *dataset, const pm_dataset *from, pm_error *err);

/* Keeps a dataset under a name; it is the session's from here on, also on failure. NULL: no memory.
 */
const pm_dataset *pm_dataset_keep(pm_session *session, const char *name, pm_dataset *dataset,
                                  pm_error *err);

/* An empty dataset with the name and the counters of another. */
pm_dataset *pm_dataset_memory_like(const pm_dataset *other, pm_error *err);

#endif
