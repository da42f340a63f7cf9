/* Types and functions that the source files of the autotuner (answer/tune/) share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_TUNE_PARTS_H
#define PM_ANSWER_TUNE_PARTS_H

#include "model/transfer/learned.h"
#include "program/suite/suite.h"

typedef enum {
    PM_TUNE_NEW, /* not examined yet */
    PM_TUNE_EXAMINED,
    PM_TUNE_FAILED
} pm_tune_state;

typedef struct {
    int64_t *values; /* array with one value per parameter, in the order of the search space */
    pm_tune_state state;
    /* Predicted time of one pass (each launch once) and its 90 % interval, in seconds. If these
     * tuning parameters were examined (the kernel compiled and traced with them), the numbers come
     * from its counters, otherwise from the surrogate (a regression on examined combinations of
     * parameters). 0: no prediction. */
    double predicted_s, lo_s, hi_s;
    /* measured time in seconds, from this call or from a Kernel Tuner file; 0: unknown */
    double measured_s;
    /* true: this command ran the version (combination of tuning parameters) on the device
     * (--measure) */
    bool was_run;
    double first_s; /* the prediction before --measure ran any version, in seconds */
} pm_tune_version;

/* The pairs of compiled code and launches that were traced. Versions with equal pairs have equal
 * event counts, so only the first version of each pair is traced. */
typedef struct {
    pm_hash_index index;
    size_t count;
    struct pm_traced_code *items;
} pm_traced_codes;

/* State of one search for the fastest version (combination of tuning parameters) of a kernel. An
 * error in a function below ends pm_tune, which returns the error's status (base/memory.h). */
typedef struct {
    pm_session *session;
    const pm_tune_options *options;
    const pm_program *program;
    const pm_tune_space *space; /* search space of the program or of a Kernel Tuner file */
    const char *size;
    /* conditions of a Kernel Tuner file; they hold in addition to the workload's restrictions */
    size_t condition_count;
    const struct pm_condition **conditions;
    const pm_learned *learned;
    pm_withheld without;
    /* time after which no version (combination of tuning parameters) is started, on the clock of
     * pm_now_s; infinite without a budget in seconds */
    double deadline;
    /* largest number of versions (combinations of tuning parameters) to compile and trace */
    size_t budget;
    size_t count;
    /* combinations of tuning parameters that the restrictions allow */
    pm_tune_version *versions;
    size_t feature_count;
    /* features[version * feature_count + f]: feature f of the version (combination of tuning
     * parameters), from 0 to 1 */
    double *features;
    /* elsewhere[version]: how slow the version (combination of tuning parameters) is on other GPUs:
     * the mean of log(time / fastest time in the file) over the files of option --known. NULL
     * without --known. */
    double *elsewhere;
    /* hash index that finds a version by the values of its tuning parameters; filled only if
     * elsewhere is not NULL */
    pm_hash_index by_values;
    /* numbers of versions (combinations of tuning parameters): predicted from counters; traced;
     * failed */
    size_t examined, traced, failed;
    /* Error of the failed version (combination of tuning parameters) with the lowest index. Threads
     * finish in any order, so it need not be the error that occurred first. */
    pm_error first;
    size_t first_failed;
    pm_traced_codes codes;
    struct pm_tracer *tracer; /* NULL until pm_tracer_open */
    pm_tuning *tuning;
    pm_memory memory; /* owns all members except those with a free function */
    pm_memory kept;   /* owns `tuning`, which the caller gets and which outlives the search */
    /* name of the first kernel of the first version (combination of tuning parameters) that was
     * traced; NULL: none was traced yet */
    const char *kernel;
    struct json_t *files; /* JSON array of the Kernel Tuner files that were read; NULL: none */
} pm_tuner;

/* ---- tune.c */

/* Chooses the program and its size, and fills tuner->versions with the combinations of tuning
 * parameters. */
void pm_tune_choose(pm_tuner *tuner);

/* ---- space.c */

/* Appends every combination of the search space that restrictions and conditions allow to
 * tuner->versions. */
void pm_tune_enumerate(pm_tuner *tuner);
/* Appends a version (combination of tuning parameters) with these values to tuner->versions.
 * measured_s: its measured time in seconds; 0 if unknown. */
void pm_tune_add(pm_tuner *tuner, const int64_t *values, double measured_s);

/* ---- kernel_tuner.c */

/* Reads a Kernel Tuner file, whose search space replaces the program's. The file may list
 * combinations of parameter values with measured times. If it has only the parameters and the
 * conditions on their values, all allowed combinations are enumerated. */
void pm_tune_read_space(pm_tuner *tuner, const char *path);
/* Callback that receives one combination of parameter values from a file. time_s: measured time in
 * seconds; 0 if it is unknown or if the kernel failed. */
typedef void pm_tune_take(void *user, const int64_t *values, double time_s);
/* Calls the callback `take` for each combination of parameter values in the file. PM_BAD_INPUT if
 * the file only has the parameters and conditions of a search space, without results. */
void pm_tune_read_times(pm_tuner *tuner, const char *path, pm_tune_take *take, void *user);

/* ---- file_size.c */

/* Gives a notice if the measured times in the Kernel Tuner file of option --space are far from the
 * predicted times of most versions (combinations of tuning parameters). The file was then probably
 * measured with another input size or on another GPU. */
void pm_tune_tell_size(pm_tuner *tuner);

/* ---- known.c */

/* Reads the Kernel Tuner files of options->known, which contain times of the same combinations of
 * parameter values on other GPUs. Stores the mean slowness of each in tuner->elsewhere, and sets
 * tuning->known to the number of files. */
void pm_tune_read_known(pm_tuner *tuner);

/* ---- trace.c */

/* Opens one trace engine per thread. Raises an error if the compiler is missing. */
void pm_tracer_open(pm_tuner *tuner);
/* Returns the number of threads, which is the number of versions (combinations of tuning
 * parameters) that are examined at once. */
size_t pm_tracer_threads(const pm_tuner *tuner);
/* Examines the versions (combinations of tuning parameters) whose indices are in `list`: compiles
 * each of them, traces it if no earlier version has the same code and launches, and predicts its
 * time. A version that cannot be compiled or run gets the state PM_TUNE_FAILED. A version that was
 * not begun before the deadline keeps the state PM_TUNE_NEW. */
void pm_tune_examine(pm_tuner *tuner, const size_t *list, size_t count);
/* Marks a version (combination of tuning parameters) as PM_TUNE_FAILED and removes its prediction.
 * why: the reason. */
void pm_tune_fail(pm_tuner *tuner, size_t version, const pm_error *why);
/* Sets a version's predicted time to the sum of the predicted times of its kernels. kernels:
 * counters of the kernels; carried: predictions of the kernels; both arrays have `count` entries.
 * Marks the version (combination of tuning parameters) as PM_TUNE_FAILED if a kernel's prediction
 * is unknown. */
void pm_tune_predicted(pm_tuner *tuner, size_t version, const pm_sample *kernels, size_t count,
                       const pm_transferred *carried);
/* Copies state and predicted time from the version (combination of tuning parameters) `twin` to
 * `version`. Both have the same compiled code and launches, so that only `twin` was traced. */
void pm_tune_take_over(pm_tuner *tuner, size_t version, size_t twin);
void pm_tracer_close(pm_tuner *tuner);

/* ---- search.c */

/* Examines versions (compiles, traces and predicts combinations of tuning parameters) within the
 * budget. Then the surrogate (surrogate.h), a regression on the examined versions, predicts the
 * times of the versions that were not examined. */
void pm_tune_search(pm_tuner *tuner);

/* ---- features.c */

/* Gets the global and local size of a version's first launch. False: the version (combination of
 * tuning parameters) cannot be launched. */
bool pm_tune_range(const pm_tuner *tuner, size_t version, pm_launch_range *range);
/* Fills features and feature_count with the inputs of the surrogate. */
void pm_tune_features(pm_tuner *tuner);
/* Does the same as pm_tune_features(). ranges[version]: global and local size of the version's
 * first launch. Zeros mean that the version (combination of tuning parameters) cannot be launched;
 * the function replaces them by the range of a version that can. */
void pm_tune_features_of(pm_tuner *tuner, pm_launch_range *ranges);

/* ---- first.c */

/* Chooses up to `wanted` versions (combinations of tuning parameters) to run next, and writes their
 * indices to `chosen`. Versions that have run already are not chosen. The fastest predictions come
 * first, except versions whose features are close to those of a chosen version. Returns the number
 * of chosen versions. */
size_t pm_tune_first(pm_tuner *tuner, size_t wanted, size_t *chosen);

/* ---- measure.c */

/* Runs options->measure versions (combinations of tuning parameters) on the device in several
 * rounds. After each round, corrects the predictions of all versions by the ratio of measured to
 * predicted times. */
void pm_tune_measure(pm_tuner *tuner);

/* ---- rank.c */

/* Fills the result of the search with the versions (combinations of tuning parameters) in the order
 * of their times, the versions that failed, and the effect of each parameter. */
void pm_tune_rank(pm_tuner *tuner);

#endif
