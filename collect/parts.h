/* What a collection is made of. See collect.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECT_PARTS_H
#define PM_COLLECT_PARTS_H

#include <limits.h>
#include <stddef.h>

#include "collector/energy/energy.h"
#include "collector/executor.h"
#include "counts/counts.h"
#include "perfmodel.h"
#include "program/program.h"
#include "program/workload.h"

/* ---- collect_counters.c: where the counters come from, and the columns that they fill ------- */

typedef struct {
    pm_session *session;
    const pm_collect_options *options;
    pm_executor *executor; /* that counts on the device; NULL: the trace engine does, or nothing */
    const char *source;    /* counter_source of the rows */
    const char *tool;      /* what counts, for people; NULL: nothing */
    const char *registers_source;    /* of the trace engine; NULL: something else counts */
    char target[64];                 /* of the trace engine; "" where something else counts */
    const pm_count_columns *columns; /* the session's */
} pm_counting;

/* Chooses the source for a device as options say. timer runs workloads on it; NULL where there is
 * no device, and the trace engine is all there is. On failure, too, close what there is. */
pm_status pm_counting_open(pm_counting *counting, pm_session *session,
                           const pm_collect_options *options, const pm_device *device,
                           pm_executor *timer, pm_error *err);
void pm_counting_close(pm_counting *counting);

/* Counts a workload of the program, which the timer has loaded: cells[kernel * columns->count +
 * column]. */
pm_status pm_counting_workload(const pm_counting *counting, const pm_program *program,
                               const pm_workload *workload, const pm_timing *timing, double *cells,
                               pm_error *err);

/* ---- collect_energy.c: joules, where they are asked for ------------------------------------- */

/* All zero: they are not. */
typedef struct {
    pm_session *session;
    pm_energy *meter; /* NULL: none can be read */
    size_t column;    /* of the cells */
    bool told;        /* that it does not fit a workload */
} pm_metering;

/* A device without a meter leaves the column empty, with a notice; device NULL is PM_BAD_INPUT. */
pm_status pm_metering_open(pm_metering *metering, pm_session *session, const pm_device *device,
                           const pm_count_columns *columns, pm_error *err);
void pm_metering_close(pm_metering *metering);
/* Of a workload that the executor has loaded and that was timed and counted; cells are its first
 * kernel's. What cannot be measured leaves its cell empty, with a notice; PM_FAILED: stopped. */
pm_status pm_metering_workload(pm_metering *metering, pm_executor *executor,
                               const pm_workload *workload, const pm_timing *timing, double *cells,
                               pm_error *err);

/* ---- output.c: the dataset that the rows go to ----------------------------------------------- */

/* Where it is: as asked for, else by the device's name, or the target's where there is no device;
 * the corpus and the programs in CUDA go to datasets of their own. */
pm_status pm_collect_path(const pm_collect_options *options, const pm_device *device, bool timed,
                          char path[PATH_MAX], pm_error *err);
/* A dataset has counters of one source: a GPU, the trace engine, or none. Their columns differ, and
 * a model would mix them up. */
pm_status pm_collect_check_source(const pm_counting *counting, const char *path, pm_error *err);

/* ---- cpu_row.c: rules of counting of the CPU at hand ----------------------------------------- */

/* Where the trace engine is to count for the CPU that is measured, the session counts by its row
 * from here on: by that of the JSON file beside the dataset at path, which is to be of this CPU,
 * or, for a new dataset, by one that is made by the probe. That is *probed, the caller's; else
 * NULL. */
pm_status pm_cpu_row_have(pm_session *session, const pm_collect_options *options,
                          const pm_device *device, const char *path, pm_probe_row **probed,
                          pm_error *err);

/* ---- collect_stored.c: what the dataset had already ----------------------------------------- */

/* The rows of one device and one source of counters; those of others are as if not there. */
typedef struct {
    const pm_dataset *rows;
    const char *device, *source;
} pm_stored;

/* The row of a workload's kernel; NULL: none. */
const pm_sample *pm_stored_kernel(const pm_stored *stored, const pm_workload *workload,
                                  const char *kernel);
/* Whether all kernels of a workload have a row; *pass_s is then the time of a pass. */
bool pm_stored_workload(const pm_stored *stored, const pm_workload *workload, double *pass_s);
/* Whether there is any row of it. Says less than pm_stored_workload, but needs no workload, which
 * takes long to build. */
bool pm_stored_any(const pm_stored *stored, const char *program, const char *variant,
                   const char *size);

/* ---- eta.c: how long the rest will take ----------------------------------------------------- */

/* Workloads of the same rank (place of the size among its program's sizes) cost alike: the mean of
 * those done stands for those that are left. What is in the dataset already is not counted. A
 * workload that turns out to be left out counts with the little time that it took. */
enum { PM_ETA_RANKS = 16 }; /* larger ranks count as the last */

/* Starts as zeros. */
typedef struct {
    struct {
        size_t left, done;
        double seconds; /* of those done */
    } ranks[PM_ETA_RANKS];
} pm_eta;

/* One more workload of that rank is to be done. */
void pm_eta_expect(pm_eta *eta, size_t rank);
/* One of those expected took that long. */
void pm_eta_done(pm_eta *eta, size_t rank, double seconds);
/* One of those expected will not be done. */
void pm_eta_drop(pm_eta *eta, size_t rank);
/* Seconds for those left; NaN while nothing is done. A rank of which none is done is taken for the
 * one below, or, lacking that, for the mean of all. */
double pm_eta_left(const pm_eta *eta);

#endif
