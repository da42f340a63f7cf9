/* What a search through the versions of a workload is made of.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TUNE_PARTS_H
#define PM_TUNE_PARTS_H

#include "model/transfer/learned.h"
#include "suite/suite.h"

typedef enum {
    PM_TUNE_NEW, /* nothing is known of it */
    PM_TUNE_EXAMINED,
    PM_TUNE_FAILED
} pm_tune_state;

typedef struct {
    int64_t *values; /* one a parameter */
    pm_tune_state state;
    /* Of one that was examined by its counters, else by the surrogate. */
    double predicted_s, lo_s, hi_s;
    double measured_s; /* 0: it was not */
    bool was_run;      /* here, by --measure */
    double first_s;    /* what was predicted before any was run */
} pm_tune_version;

/* Codes that were traced, with their launches, and by which version. */
typedef struct {
    pm_hash_index index;
    size_t count;
    struct pm_traced_code *items;
} pm_traced_codes;

/* What fails below pm_tune ends its attempt. */
typedef struct {
    pm_session *session;
    const pm_tune_options *options;
    const pm_program *program;
    const pm_tune_space *space; /* the program's, or that of a file */
    const char *size;
    size_t condition_count; /* of a file's problem, beside those of the workload */
    const struct pm_condition **conditions;
    const pm_learned *learned;
    pm_withheld without;
    double deadline; /* by pm_now_s; infinite: none */
    size_t budget;   /* versions to examine */
    size_t count;
    pm_tune_version *versions; /* that the restrictions allow */
    size_t feature_count;
    double *features; /* of each version, from 0 to 1: what surrogates see of it */
    /* What the versions took on other GPUs, as the mean logarithm of times over the fastest of each
     * file; NULL: nobody said. */
    double *elsewhere;
    pm_hash_index by_values; /* of versions, where elsewhere is known */
    size_t examined, traced, failed;
    pm_error first; /* why the first one failed, of the list and not in time */
    size_t first_failed;
    pm_traced_codes codes;
    struct pm_tracer *tracer; /* NULL: not opened yet */
    pm_tuning *tuning;
    pm_memory memory;     /* of all that is not freed otherwise */
    pm_memory kept;       /* of the tuning */
    const char *kernel;   /* that is launched first; NULL: none was traced yet */
    struct json_t *files; /* a list of those that were read; NULL: none */
} pm_tuner;

/* ---- tune.c */

/* Finds the program, its size, and the versions. */
void pm_tune_choose(pm_tuner *tuner);

/* ---- space.c */

/* Fills versions: those of the space that the restrictions allow. */
void pm_tune_enumerate(pm_tuner *tuner);
/* Adds one; measured_s 0: its time is not known. */
void pm_tune_add(pm_tuner *tuner, const int64_t *values, double measured_s);

/* ---- kernel_tuner.c */

/* The space of a file of Kernel Tuner, with what was measured there, in place of the program's. */
void pm_tune_read_space(pm_tuner *tuner, const char *path);
/* A version of a file; time_s 0: its time is not known, or it failed. */
typedef void pm_tune_take(void *user, const int64_t *values, double time_s);
/* Gives all that a file has of the space's parameters to take. */
void pm_tune_read_times(pm_tuner *tuner, const char *path, pm_tune_take *take, void *user);

/* ---- known.c */

/* Fills elsewhere by the files of the options, and counts them in the tuning. */
void pm_tune_read_known(pm_tuner *tuner);

/* ---- trace.c */

/* Opens the trace engine, once for each thread. A missing compiler is told here. */
void pm_tracer_open(pm_tuner *tuner);
/* Versions that it examines at once. */
size_t pm_tracer_threads(const pm_tuner *tuner);
/* Examines versions, numbers of the list: compiles them, traces those whose code is new, and
 * predicts their times. One that cannot be compiled or run has failed. What has not begun when the
 * time is over stays new. */
void pm_tune_examine(pm_tuner *tuner, const size_t *list, size_t count);
/* Notes that a version cannot be compiled or run. */
void pm_tune_fail(pm_tuner *tuner, size_t version, const pm_error *why);
/* Takes the time of a version from predictions for its kernels. */
void pm_tune_predicted(pm_tuner *tuner, size_t version, const pm_sample *kernels, size_t count,
                       const pm_transferred *carried);
/* Takes it from a version with the same code. */
void pm_tune_take_over(pm_tuner *tuner, size_t version, size_t twin);
void pm_tracer_close(pm_tuner *tuner);

/* ---- search.c */

/* Examines versions as the budget allows, and has the surrogate tell the times of the others. */
void pm_tune_search(pm_tuner *tuner);

/* ---- features.c */

/* The range of a version's first launch; false: it cannot be launched. */
bool pm_tune_range(const pm_tuner *tuner, size_t version, pm_launch_range *range);
/* Fills what surrogates see of the versions. */
void pm_tune_features(pm_tuner *tuner);
/* The same by their ranges; one of zeros cannot be launched, and is filled in. */
void pm_tune_features_of(pm_tuner *tuner, pm_launch_range *ranges);

/* ---- first.c */

/* The versions to run, of those that were not, if so many are: the most promising first, and no two
 * of one kind while there are others. How many: no more than wanted or than there are. */
size_t pm_tune_first(pm_tuner *tuner, size_t wanted, size_t *chosen);

/* ---- measure.c */

/* Runs the most promising, as many as the options say, and moves predictions by what came out. */
void pm_tune_measure(pm_tuner *tuner);

/* ---- rank.c */

/* Fills the tuning of what is known. */
void pm_tune_rank(pm_tuner *tuner);

#endif
