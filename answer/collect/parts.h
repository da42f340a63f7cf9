/* Types and functions that the source files of answer/collect/ share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_COLLECT_PARTS_H
#define PM_ANSWER_COLLECT_PARTS_H

#include <limits.h>
#include <stddef.h>

#include "answer/counts/counts.h"
#include "collector/energy/energy.h"
#include "collector/executor.h"
#include "perfmodel.h"
#include "program/program.h"
#include "program/workload.h"

/* ---- collect_counters.c: source and columns of the counters ---------------------------------- */

typedef struct {
    pm_session *session;
    const pm_collect_options *options;
    /* executor that counts on the device; NULL: the trace engine counts, or no counters are
     * wanted */
    pm_executor *executor;
    const char *source; /* counter_source of the rows, such as "cupti", "trace" or "none" */
    /* name of the tool that counts the events, for messages; NULL: no tool counts */
    const char *tool;
    /* origin of the trace engine's register counts: "estimate" or a version of ptxas; NULL: the
     * trace engine does not count the events */
    const char *registers_source;
    /* GPU that the trace engine simulates; "": the trace engine does not count the events */
    char target[64];
    const pm_count_columns *columns; /* columns of the counters; owned by the session */
} pm_counting;

/* Chooses the source of counters by the options. timer: executor that runs workloads on the device;
 * NULL without a device, where only the trace engine can count. Call pm_counting_close also after a
 * failure. */
pm_status pm_counting_open(pm_counting *counting, pm_session *session,
                           const pm_collect_options *options, const pm_device *device,
                           pm_executor *timer, pm_error *err);
void pm_counting_close(pm_counting *counting);

/* Counts the events of a workload of `program`. The workload is already loaded by the executor that
 * measures times. The value of counter column c for kernel number `kernel` of the workload is
 * stored in cells[kernel * columns->count + c]. */
pm_status pm_counting_workload(const pm_counting *counting, const pm_program *program,
                               const pm_workload *workload, const pm_timing *timing, double *cells,
                               pm_error *err);

/* ---- collect_energy.c: energy (--energy) ----------------------------------------------------- */

/* State while the energy of a workload's launches is measured. All members zero: energy is not
 * measured. */
typedef struct {
    pm_session *session;
    pm_energy *meter; /* energy meter of the device; NULL: it has none */
    /* index of the counter energy_j among the counter columns of a row */
    size_t column;
    bool told; /* true: the notice about workloads that cannot be metered was given */
} pm_metering;

/* Opens the energy meter of a device. If the device has none, gives a notice, and energy stays
 * unknown in all rows. device NULL is PM_BAD_INPUT. */
pm_status pm_metering_open(pm_metering *metering, pm_session *session, const pm_device *device,
                           const pm_count_columns *columns, pm_error *err);
void pm_metering_close(pm_metering *metering);
/* Measures the energy of a workload that the executor has loaded and that has been timed and
 * counted. Writes it in joules to the energy column of the workload's first kernel in `cells`
 * (counter values of the new rows, one row per kernel). If the energy cannot be measured, gives a
 * notice, and the value stays unknown. PM_FAILED: the user cancelled. */
pm_status pm_metering_workload(pm_metering *metering, pm_executor *executor,
                               const pm_workload *workload, const pm_timing *timing, double *cells,
                               pm_error *err);

/* ---- output.c: path and source of the dataset ------------------------------------------------ */

/* Writes the path of the dataset: options->output if given, otherwise a name after the device or,
 * without a device, after the target. The suites "corpus" and "cuda" have their own datasets.
 * timed: whether the rows have times. */
pm_status pm_collect_path(const pm_collect_options *options, const pm_device *device, bool timed,
                          char path[PATH_MAX], pm_error *err);
/* Returns PM_BAD_INPUT if the dataset at path has counters of another source. A dataset holds
 * counters either from the trace engine or from profilers, because their columns differ and a model
 * would mix them. */
pm_status pm_collect_check_source(const pm_counting *counting, const char *path, pm_error *err);

/* ---- cpu_row.c: counting rules of the measured CPU ------------------------------------------- */

/* If the trace engine counts for the measured CPU, makes the session simulate that CPU by the CPU's
 * row of devices.csv. If the dataset exists, the row is read from its JSON file. PM_BAD_INPUT then
 * means that the file is of another CPU. If the dataset is new, micro-benchmarks (a probe) measure
 * the row. *probed gets the measured row, which the caller frees; NULL: nothing was measured. */
pm_status pm_cpu_row_have(pm_session *session, const pm_collect_options *options,
                          const pm_device *device, const char *path, pm_probe_row **probed,
                          pm_error *err);

/* ---- collect_stored.c: rows that the dataset already has ------------------------------------- */

/* Those rows of a dataset that were measured on the device `device`, with counters from the tool
 * `source`. */
typedef struct {
    const pm_dataset *rows;
    const char *device, *source;
} pm_stored;

/* Returns the row of a workload's kernel; NULL if there is none. */
const pm_sample *pm_stored_kernel(const pm_stored *stored, const pm_workload *workload,
                                  const char *kernel);
/* Returns true if the dataset has a row for each kernel of a workload. *pass_s is then the time in
 * seconds of one pass (each launch of the workload once). */
bool pm_stored_workload(const pm_stored *stored, const pm_workload *workload, double *pass_s);
/* Returns true if any row of this program, variant and size exists. Does not need the workload to
 * be built, because building takes long. */
bool pm_stored_any(const pm_stored *stored, const char *program, const char *variant,
                   const char *size);

/* ---- eta.c: remaining time ------------------------------------------------------------------- */

/* Estimates the remaining time of a collection. The rank of a workload is the index of its size
 * among the sizes of the program, smallest first. Workloads of equal rank are assumed to take equal
 * time. Workloads that the dataset already has are not part of the estimate. If a workload is
 * skipped after it was begun, it counts as done, with the short time until it was skipped. */
enum { PM_ETA_RANKS = 16 }; /* larger ranks count as PM_ETA_RANKS - 1 */

/* Numbers and times of the workloads that are measured and that remain, from which the remaining
 * time of a collection is estimated. Initialise the struct with zeros. */
typedef struct {
    struct {
        size_t left, done;
        double seconds; /* total seconds of the finished workloads of this rank */
    } ranks[PM_ETA_RANKS];
} pm_eta;

/* Notes that one more workload of this rank (index of its size) has to be done. */
void pm_eta_expect(pm_eta *eta, size_t rank);
/* Notes that a workload of this rank, which pm_eta_expect has noted, was done and took
 * `seconds`. */
void pm_eta_done(pm_eta *eta, size_t rank, double seconds);
/* Notes that a workload of this rank, which pm_eta_expect has noted, will not be done. */
void pm_eta_drop(pm_eta *eta, size_t rank);
/* Returns the estimated remaining seconds; NaN until the first workload is done. Each remaining
 * workload is assumed to take the mean time of the finished workloads of its rank. If no workload
 * of the rank is finished, the mean of the next lower rank with finished workloads is used, or else
 * the mean over all ranks. */
double pm_eta_left(const pm_eta *eta);

#endif
