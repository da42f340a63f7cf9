/* Writes datasets, which are CSV tables of measured kernels. Rows are appended whole and flushed,
 * so that a crash loses at most the row being written. perfmodel.h declares the functions that read
 * them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_SAMPLES_DATASET_H
#define PM_MODEL_SAMPLES_DATASET_H

#include "perfmodel.h"

/* Opens the dataset at a path that pm_dataset_locate returned. */
const pm_dataset *pm_dataset_open_at(pm_session *session, const char *path, pm_error *err);

/* Finds a dataset among those from which models learn by default: in `folder`, in
 * $PERFMODEL_DATASETS or among the shipped ones. Unlike pm_dataset_locate, does not search the
 * user's own folder, to which collect writes. Returns false if there is no such dataset. */
bool pm_dataset_locate_known(const char *name, const char *folder, char *path, size_t path_size);

typedef struct pm_dataset_writer pm_dataset_writer;

/* Opens the dataset at `path` to append rows with these counter columns. A new file gets its header
 * under a temporary name and is then renamed. An existing file must be a valid dataset with the
 * same counter columns, else PM_BAD_INPUT, and it is not changed. An incomplete last row, which an
 * interrupted run may leave, is cut off with a notice. The file is locked (flock), and a second
 * writer gets PM_FAILED. */
pm_dataset_writer *pm_dataset_writer_open(const char *path, const char *const *counters,
                                          size_t counter_count, const pm_log *log, pm_error *err);
/* Returns the rows that the file had when it was opened. The writer owns the dataset. */
const pm_dataset *pm_dataset_writer_existing(const pm_dataset_writer *writer);
/* Appends one row with a single write and flushes it to the disk. If it fails, for example because
 * the disk is full, the file is cut back to its previous rows. sample->counters is in the order of
 * the counter columns. */
pm_status pm_dataset_writer_append(pm_dataset_writer *writer, const pm_sample *sample,
                                   pm_error *err);
/* Removes all rows of a program, variant and size. The file is replaced atomically.
 * pm_dataset_writer_existing then returns another dataset, which also has the rows appended since
 * the file was opened. */
pm_status pm_dataset_writer_remove(pm_dataset_writer *writer, const char *program,
                                   const char *variant, const char *size, pm_error *err);
void pm_dataset_writer_close(pm_dataset_writer *writer);

/* Description of one run of the command collect. A text is NULL if it is unknown. */
typedef struct {
    const char *counter_source, *counter_tool;
    /* GPU that the trace engine simulated; NULL: nothing was traced */
    const char *counter_target;
    /* source of register counts, as an estimate or by a compiler: "estimate", or a version of
     * ptxas; NULL: nothing was traced */
    const char *registers_source;
    /* fraction of the work-groups that the trace engine runs; 0: the engine chooses the fraction
     * itself, so that each kernel costs about the same work */
    double sample;
    const char *command;
    unsigned long long seed;
    pm_shard shard;
    /* the device's row for devices.csv, which is stored in the provenance; NULL: the row that the
     * provenance already has stays */
    const pm_probe_row *row;
} pm_provenance_run;

/* Writes the provenance of a dataset into a JSON file of the same name: device properties, driver,
 * tool version, date, command. The file is written under a temporary name and renamed. A dataset
 * that several runs collected has a list of them ("runs"). PM_BAD_INPUT if the file belongs to
 * another device, if its counters were traced for another GPU, or if its register counts come from
 * another source. */
pm_status pm_provenance_write(const char *dataset_path, const pm_device *device,
                              const pm_provenance_run *run, pm_error *err);
/* Adds the compiler of CUDA sources to the last run in the provenance. */
pm_status pm_provenance_compiler(const char *dataset_path, const char *compiler, pm_error *err);

/* Reads from the provenance of a dataset the GPU that the trace engine simulated for its counters.
 * target becomes "" if this is unknown. */
void pm_provenance_target(const char *dataset_path, char target[64]);

/* Returns the number of cores of the CPU on which a dataset was measured, from its provenance.
 * Returns 0 if the number is unknown or if the device is not a CPU. */
unsigned pm_provenance_cores(const char *dataset_path);

/* A definition is a digest of a workload's sources and data, as text. It shows whether a workload
 * has changed since it was measured. The provenance has one per program, variant and size
 * ("definitions"). PM_DEFINED: size of the text's buffer in bytes. */
enum { PM_DEFINED = 40 };
typedef struct {
    const char *program, *variant, *size;
    /* true: the variant is a CUDA source; pm_definition_write stores this, pm_definition_read
     * ignores it */
    bool cuda;
} pm_defined;
/* Reads a workload's definition (a digest of its sources and data) from the provenance. text
 * becomes "" if the provenance lacks it. */
pm_status pm_definition_read(const char *dataset_path, const pm_defined *of, char text[PM_DEFINED],
                             pm_error *err);
/* Writes a workload's definition (a digest of its sources and data) and the variant's language to
 * the provenance. text NULL: writes only the language, for a program whose workloads never
 * change. */
pm_status pm_definition_write(const char *dataset_path, const pm_defined *of, const char *text,
                              pm_error *err);

/* Position of a program's variant and size in the order in which `perfmodel collect` measures
 * them if the work is not divided among several processes. */
typedef struct {
    pm_defined of;
    /* index of the variant and size in the order in which a run without shards would collect, from
     * 0 */
    size_t place;
} pm_planned;
/* Stores the positions of all variants and sizes that this shard collects, in the order of a run
 * without shards ("plan" in the provenance). */
pm_status pm_plan_write(const char *dataset_path, const pm_planned *places, size_t count,
                        pm_error *err);

/* Writes the path of the default dataset that `collect` writes and `predict` reads: NAME.csv in
 * $PERFMODEL_DATASETS, else in $XDG_DATA_HOME/perfmodel/datasets (~/.local/share/...). Creates the
 * folder if it is missing. */
pm_status pm_user_dataset_path(const char *name, char *path, size_t path_size, pm_error *err);

/* ---- table.c: a dataset's counters by name, and datasets that are made in memory ------------ */

/* Returns the index of a counter in the array `counters` of the dataset's rows.
 * pm_dataset_counters(dataset) if the dataset lacks the counter. */
size_t pm_dataset_counter_at(const pm_dataset *dataset, const char *name);
/* Returns the value of a counter in a row (sample) of the dataset. NaN if it is unknown or if the
 * dataset lacks the counter. */
double pm_dataset_counter(const pm_dataset *dataset, const pm_sample *sample, const char *name);

/* Returns an empty dataset with these counters. Messages show `name` in place of a path. The caller
 * frees it with pm_dataset_free. */
pm_dataset *pm_dataset_memory(const char *name, const char *const *counters, size_t count,
                              pm_error *err);
/* Appends a copy of a row (sample), whose counters are in the order of the dataset's counters. A
 * row whose key (device, program, variant, size, kernel and counter source) the dataset already has
 * is ignored. */
pm_status pm_dataset_append(pm_dataset *dataset, const pm_sample *sample, pm_error *err);
/* Appends copies of all rows of another dataset. Counters are matched by name. Counters that `from`
 * lacks become unknown. */
pm_status pm_dataset_append_all(pm_dataset *dataset, const pm_dataset *from, pm_error *err);

/* Adds a dataset to the session's cache under the key `name`. The session owns the dataset from
 * then on and frees it, also on failure. NULL if memory runs out. */
const pm_dataset *pm_dataset_keep(pm_session *session, const char *name, pm_dataset *dataset,
                                  pm_error *err);

/* Returns an empty dataset with the name and the counters of another dataset. */
pm_dataset *pm_dataset_memory_like(const pm_dataset *other, pm_error *err);

#endif
