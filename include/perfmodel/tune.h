/* Search for the fastest values of a kernel's tuning parameters on a GPU. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A version of a workload has one value for each parameter. To examine a version is to compile it,
 * trace it and predict its time from its counters. A surrogate model, which is fitted to examined
 * versions, predicts the times of the others.
 */
#ifndef PERFMODEL_TUNE_H
#define PERFMODEL_TUNE_H

#include "perfmodel/collect.h"
#include "perfmodel/predict.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A parameter of a workload's [tune] section, and its effect on the predicted time. */
typedef struct {
    const char *name;
    size_t count;
    const int64_t *values; /* `count` values of the parameter */
    /* Statistics for each value, over the predicted times of all versions that have the value.
     * mean_s: geometric mean. best_s: minimum. NaN: there is no such version. */
    const double *mean_s, *best_s;
    /* Fraction (0 ... 1) of the variance of the logarithm of the predicted times that the values of
     * this parameter explain. */
    double share;
    uint64_t reserved[4];
} pm_tune_parameter;

/* A version of a kernel's program, which has one value for each tuning parameter, with its
 * predicted time. */
typedef struct {
    const char *variant; /* text that --variant takes */
    /* value of each tuning parameter, in the order of pm_tuning.parameters */
    const int64_t *values;
    double predicted_s, lo_s, hi_s; /* predicted time and its 90 % interval, seconds */
    /* measured time, seconds: this call measured it, or the file pm_tune_options.space gives it;
     * NaN: unknown */
    double measured_s;
    bool was_run; /* true: this call ran the version and measured measured_s */
    /* true: this call knows the version's counters, and predicted_s is computed from them. false: a
     * surrogate model, fitted to such versions, predicted the time. */
    bool examined;
    uint64_t reserved[4];
} pm_tune_choice;

/* Quality of the proposed order of measurements. fraction: best measured time of all versions,
 * divided by the best measured time of the first `runs` versions in that order, 0 ... 1. 1 means
 * that the first `runs` versions include the fastest. No later version adds members. */
typedef struct {
    size_t runs;
    double fraction;
} pm_tune_reached;
#define PM_TUNE_REACHED 4

/* Result of a search for the fastest values of a kernel's tuning parameters on one GPU. */
typedef struct {
    const char *target, *program, *size;
    /* Measurements to which the model was fitted. "dataset": times of the target GPU itself.
     * "profile": times of other GPUs. */
    const char *basis;
    const char *kernel; /* name of the kernel that the workload launches first */
    size_t parameter_count;
    pm_tune_parameter *parameters;
    size_t space; /* number of versions that the restrictions on the tuning parameters allow */
    /* number of versions whose counters are known, from a trace of the version or of one with the
     * same code */
    size_t examined;
    /* number of traced versions; the other examined versions have the same code as a traced one */
    size_t traced;
    size_t failed;       /* number of versions that could not be compiled or run */
    const char *failure; /* reason that the first failed version failed; NULL: none failed */
    /* Parameter values of the versions that failed. failures[i * parameter_count + p] is the value
     * of parameter p in failed version i. */
    const int64_t *failures;
    size_t measured; /* number of versions whose measured time is known */
    /* Number of filled members of the array `reached`. 0 if no time is known, or if this call ran
     * versions. */
    size_t reached_count;
    pm_tune_reached reached[PM_TUNE_REACHED]; /* for 1, 5, 10 and 50 runs */
    size_t n;
    /* n versions, fastest first: by measured_s if was_run, else by predicted_s. */
    pm_tune_choice *choices;
    /* Proposed order in which to measure the versions that this call did not run, as indices into
     * choices. first_count is at most PM_TUNE_FIRST. A version that is similar to an earlier one is
     * left out, because predictions of similar versions have similar errors. */
    size_t first_count;
    const size_t *first;
    /* allocation that contains the result and all its members; pm_tuning_free frees it */
    struct pm_memory_block *memory;
    /* number of files with times on other GPUs that influenced the proposed order `first` */
    size_t known;
    /* Assumptions that perfmodel made about launches of kernels whose source has no workload file
     * (perfmodel/launch.h). NULL-terminated. Owned by the session. NULL: none. */
    const char *const *assumed;
    uint64_t reserved[6];
} pm_tuning;

typedef struct {
    const char *target;   /* GPU to tune for: a row of devices.csv */
    const char *workload; /* path of a workload file with a [tune] section */
    const char *size;     /* size of the workload to tune for; NULL: the largest */
    /* File with the versions to search and their measured times: a Kernel Tuner cache file, or a T1
     * problem or T4 results file. NULL: the versions of the [tune] section. */
    const char *space;
    /* samples of the tuned program that are excluded from the fit of the model */
    pm_leave_out leave_out;
    /* Largest number of versions to examine, which means to trace them and predict their times from
     * counters. 0: no limit if budget_s > 0, else PM_TUNE_WHOLE. */
    size_t budget;
    double budget_s; /* time after which no further version is examined, seconds; 0: no limit */
    /* number of versions to measure on `device`, the most promising first; 0: none */
    size_t measure;
    /* device to run versions on, as `perfmodel devices` lists it; NULL: the first GPU, or the first
     * device if there is no GPU */
    const char *device;
    /* Paths of files with measured times on other GPUs: Kernel Tuner cache files or T4 results,
     * NULL-terminated. Versions that are fast on those GPUs are examined early. These times have
     * the same weight as predictions in the proposed order pm_tuning.first. NULL: none. */
    const char *const *known;
    uint64_t reserved[7];
} pm_tune_options;

#define PM_TUNE_WHOLE 400 /* default number of versions to trace and predict */
#define PM_TUNE_FIRST 50  /* largest pm_tuning.first_count */

/* Searches the versions of a workload for the fastest one. Examines some versions by tracing them.
 * A surrogate model chooses the next versions to examine, and predicts the times of versions that
 * were not examined. Free the result with pm_tuning_free before the session. NULL on failure. */
pm_tuning *pm_tune(pm_session *session, const pm_tune_options *options, pm_error *err);
void pm_tuning_free(pm_tuning *tuning);
/* Writes predicted times to a cache file for Kernel Tuner's simulation mode. A version that could
 * not be compiled or run is marked as failed. */
pm_status pm_tuning_write_cache(const pm_tuning *tuning, const char *path, pm_error *err);
/* Writes the parameter values of the versions as a JSON list of lists, in the proposed order of
 * measurements (pm_tuning.first). All further versions follow, fastest first. */
pm_status pm_tuning_write_ranking(const pm_tuning *tuning, const char *path, pm_error *err);

/* Traces the versions of one shard (part) of a campaign that is divided among machines. A campaign
 * searches several workloads on several targets. Writes the counters to the shard's file:
 * NAME-IofN.jsonl if output is NAME.json. The arguments targets and workloads are NULL-terminated
 * and replace the members of options. All versions are traced, or options->budget versions of each
 * workload, chosen by a hash of the seed and their names. The choice therefore does not depend on
 * results. If a call is interrupted, the same call resumes it. PM_BAD_INPUT if options has
 * budget_s, known or measure. */
pm_status pm_tune_share(pm_session *session, const pm_tune_options *options,
                        const char *const *targets, const char *const *workloads,
                        const pm_shard *shard, const char *output, pm_share_result *result,
                        pm_error *err);

/* Result of a tuning campaign: the searches for the fastest version of several workloads on
 * several GPUs. */
typedef struct {
    size_t workload_count, target_count;
    /* tunings[w * target_count + t]: result of the search for workload w and target t. Owned by the
     * campaign. */
    pm_tuning **tunings;
    uint64_t reserved[4];
} pm_campaign;

/* Merges the files of the shards of a campaign, predicts times and ranks versions. paths: the files
 * of all shards, NULL-terminated. The number of shards does not change the result. If all versions
 * were traced, pm_tune would give the same result. Free it with pm_campaign_free. NULL on failure.
 * Errors and notices are those of pm_merge. */
pm_campaign *pm_tune_join(pm_session *session, const char *const *paths, pm_error *err);
void pm_campaign_free(pm_campaign *campaign);

#ifdef __cplusplus
}
#endif

#endif
