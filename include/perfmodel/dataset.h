/* Reads datasets: tables of measured kernel runs with their times and hardware counters. See
 * perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_DATASET_H
#define PERFMODEL_DATASET_H

#include "perfmodel/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A row of a dataset: all launches of one kernel in one run of a program, with time and counters.
 * The dataset owns the texts and the counters. NaN: unknown. */
typedef struct {
    /* Key of the row: device and program with variant and size, the kernel, and the source of the
     * counters, such as cupti, trace or none. */
    const char *device, *program, *variant, *size, *kernel, *counter_source;
    double time_s;     /* median of the time over the runs; NaN if the row has only counters */
    double time_mad_s; /* median absolute deviation of the time over the runs */
    double runs;       /* number of runs from which the median time is taken */
    double work_items; /* number of work-items, summed over all launches */
    double work_group; /* number of work-items in one work-group */
    /* Values of the dataset's counters, an array of pm_dataset_counters() numbers. NaN: unknown. An
     * unknown value is never written as 0. */
    const double *counters;
    /* Line number of the row in the dataset's file; line 1 is the header. 0: the row was not read
     * from a file. */
    size_t line;
    /* Publisher of the time, such as "ktt". "": perfmodel measured it. In a sample that a caller
     * fills, NULL means "". */
    const char *origin;
    bool cuda; /* true: the source is CUDA and CUDA launched it; false: OpenCL launched it */
    uint64_t reserved[4];
} pm_sample;

/* A dataset: a table of kernel runs (samples) with time and hardware counters. All rows have the
 * same counters. A dataset never changes after it was made. */
typedef struct pm_dataset pm_dataset;

/* Reads a dataset from a CSV file. If the last line does not end in a newline, the row is dropped
 * and log gets a notice. log may be NULL. Free the dataset with pm_dataset_free. NULL: PM_BAD_INPUT
 * names file and line of a fault; PM_FAILED if memory ran out. */
pm_dataset *pm_dataset_read(const char *path, const pm_log *log, pm_error *err);
void pm_dataset_free(pm_dataset *dataset);

/* The following functions return properties of a dataset. The texts and the samples belong to the
 * dataset. */
const char *pm_dataset_path(const pm_dataset *dataset);
size_t pm_dataset_rows(const pm_dataset *dataset);
size_t pm_dataset_counters(const pm_dataset *dataset); /* number of counter columns */
/* Returns the name of a counter; NULL if counter >= pm_dataset_counters(dataset). */
const char *pm_dataset_counter_name(const pm_dataset *dataset, size_t counter);
/* Returns whether a column is the standard error of a counter and not a counter itself. Such a
 * column has a name NAME_se, and another column has the name NAME. */
bool pm_dataset_counter_is_error(const pm_dataset *dataset, size_t counter);
const pm_sample *pm_dataset_sample(const pm_dataset *dataset, size_t row);
/* Returns the first row with the same program, variant, size and kernel as `like`. NULL: none. */
const pm_sample *pm_dataset_find(const pm_dataset *dataset, const pm_sample *like);

/* Returns the dataset with a name or path, which pm_dataset_locate resolves. The session reads each
 * dataset once and owns it. NULL on failure, with the errors of pm_dataset_locate and
 * pm_dataset_read. */
const pm_dataset *pm_dataset_open(pm_session *session, const char *name, pm_error *err);

/* Returns one dataset with the rows of several datasets of the same device. It has the counters of
 * the first dataset. If datasets have rows with the same key, the first such row is used. names is
 * NULL-terminated and has at least one name. The result belongs to the session. NULL on failure;
 * PM_BAD_INPUT if the datasets are of several devices. */
const pm_dataset *pm_dataset_open_all(pm_session *session, const char *const *names, pm_error *err);

/* Returns run times for a GPU that other authors published (docs/published.md). device: id of the
 * GPU, a row of devices.csv. The file is public/DEVICE.csv of a folder of datasets. The session
 * reads the file once and owns the dataset. NULL with err->status PM_OK: there is no such file. err
 * must not be NULL. */
const pm_dataset *pm_dataset_published(pm_session *session, const char *device, pm_error *err);

/* Writes the path of a dataset into path, which has path_size bytes. A name that has a '/' or ends
 * in .csv is a path already. Another name, such as h100, is looked for in folder (NULL: skipped),
 * then in $PERFMODEL_DATASETS, then in the user's folder ($XDG_DATA_HOME/perfmodel/datasets), and
 * then among the installed datasets. Models use a dataset of the user's folder only if a call names
 * it. PM_BAD_INPUT if there is no such dataset; the message suggests names. */
pm_status pm_dataset_locate(const char *name, const char *folder, char *path, size_t path_size,
                            pm_error *err);
/* Writes the path of the dataset in `folder` that pm_collect changed last. folder NULL: the user's
 * folder. PM_BAD_INPUT if no dataset in the folder has a provenance file (JSON). */
pm_status pm_dataset_locate_latest(const char *folder, char *path, size_t path_size, pm_error *err);

/* What the value of a hardware counter depends on: the code and its input, or also the GPU and
 * the run. */
typedef enum {
    /* PM_COUNTER_CODE: a property of code and input, such as the number of instructions. It is
     * known even for a variant that was never run. */
    PM_COUNTER_CODE,
    /* PM_COUNTER_RUN: is known only after a run on the GPU, such as active_cycles and active_warps
     */
    PM_COUNTER_RUN,
    PM_COUNTER_TIME,  /* PM_COUNTER_TIME: a time from the profiler, such as duration */
    PM_COUNTER_ENERGY /* PM_COUNTER_ENERGY: an energy; no model uses it as a variable */
} pm_counter_kind;

#ifdef __cplusplus
}
#endif

#endif
