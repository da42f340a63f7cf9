/* Datasets: kernel runs with their times and counters. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_DATASET_H
#define PERFMODEL_DATASET_H

#include "perfmodel/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One kernel run: identity, time, counters. Owned by its dataset. */
typedef struct {
    const char *device, *program, *variant, *size, *kernel, *counter_source;
    double time_s;     /* median over the runs; NaN where only counters are known */
    double time_mad_s; /* median absolute deviation */
    double runs;
    double work_items;      /* of all launches together */
    double work_group;      /* work-items of one work-group */
    const double *counters; /* pm_dataset_counters() values; NaN is unknown */
    size_t line;            /* line of the file that it came from, 1 is the header; 0: none */
    const char *origin;     /* who published the time, such as "ktt"; "": perfmodel measured it.
                             * NULL will do in a sample that is written or added. */
    bool cuda;              /* its source is CUDA's, and it is launched by CUDA, not by OpenCL */
    uint64_t reserved[4];
} pm_sample;

typedef struct pm_dataset pm_dataset;

/* Reads a dataset CSV. A torn last row (no newline at its end) is dropped with a notice; every
 * other fault is PM_BAD_INPUT, naming file and line. */
pm_dataset *pm_dataset_read(const char *path, const pm_log *log, pm_error *err);
void pm_dataset_free(pm_dataset *dataset);
const char *pm_dataset_path(const pm_dataset *dataset);
size_t pm_dataset_rows(const pm_dataset *dataset);
size_t pm_dataset_counters(const pm_dataset *dataset);
const char *pm_dataset_counter_name(const pm_dataset *dataset, size_t counter);
/* Whether that column is no counter but the standard error of one: NAME_se beside NAME. */
bool pm_dataset_counter_is_error(const pm_dataset *dataset, size_t counter);
const pm_sample *pm_dataset_sample(const pm_dataset *dataset, size_t row);
/* The row with the same program, variant, size and kernel; NULL if there is none. */
const pm_sample *pm_dataset_find(const pm_dataset *dataset, const pm_sample *like);

/* The dataset of that name or path (as pm_dataset_locate finds it in the session's folder), read
 * once. */
const pm_dataset *pm_dataset_open(pm_session *session, const char *name, pm_error *err);

/* The rows of several such datasets of one device as one, in which the first of several rows of a
 * key counts; the counters are those of the first. names is NULL-terminated and has one at least.
 */
const pm_dataset *pm_dataset_open_all(pm_session *session, const char *const *names, pm_error *err);

/* Times that others published of a GPU with this row of devices.csv (docs/published.md), from the
 * folder `public` of a folder of datasets, read once. NULL with err->status PM_OK: there are none.
 */
const pm_dataset *pm_dataset_published(pm_session *session, const char *device, pm_error *err);

/* Finds a dataset by name (h100) or by path (anything with a '/' in it or ending in .csv): in
 * folder (may be NULL), then $PERFMODEL_DATASETS, then the user's folder
 * ($XDG_DATA_HOME/perfmodel/datasets), then the shipped ones. A wrong name is PM_BAD_INPUT and
 * lists the right ones. Models learn from those of the user's folder only if a call names them. */
pm_status pm_dataset_locate(const char *name, const char *folder, char *path, size_t path_size,
                            pm_error *err);
/* The dataset in the user's folder that was collected last. */
pm_status pm_dataset_locate_latest(const char *folder, char *path, size_t path_size, pm_error *err);

/* Run counters only exist after a run (active_cycles, active_warps); code counters are all the
 * others, and can be known for a variant that never ran. Profiled time (duration) and energy are
 * neither, and no model learns from energy. */
typedef enum {
    PM_COUNTER_CODE,
    PM_COUNTER_RUN,
    PM_COUNTER_TIME,
    PM_COUNTER_ENERGY
} pm_counter_kind;

#ifdef __cplusplus
}
#endif

#endif
