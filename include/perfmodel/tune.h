/* Which parameters of a kernel are fastest on a GPU. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_TUNE_H
#define PERFMODEL_TUNE_H

#include "perfmodel/collect.h"
#include "perfmodel/predict.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A parameter of a workload's [tune] section, and what it does to the predicted time. */
typedef struct {
    const char *name;
    size_t count;
    const int64_t *values;
    /* Of each value: over all versions that have it the geometric mean of the predicted times, and
     * the shortest; NaN: none of those that were predicted has it. */
    const double *mean_s, *best_s;
    double share; /* of the variance of log time that its values alone explain */
    uint64_t reserved[4];
} pm_tune_parameter;

typedef struct {
    const char *variant;            /* as --variant takes it */
    const int64_t *values;          /* one a parameter */
    double predicted_s, lo_s, hi_s; /* 90 % interval */
    double measured_s;              /* NaN: it was not */
    bool was_run;                   /* it was measured here, and not by whom a file is of */
    bool examined;                  /* its counters were traced; else a surrogate tells its time */
    uint64_t reserved[4];
} pm_tune_choice;

/* Of all that was measured, the best time over that of the best of those to run first: 1 where they
 * have it. Complete. */
typedef struct {
    size_t runs;
    double fraction;
} pm_tune_reached;
#define PM_TUNE_REACHED 4

typedef struct {
    const char *target, *program, *size;
    const char *basis;  /* dataset or profile, as in pm_predictions */
    const char *kernel; /* that is launched first */
    size_t parameter_count;
    pm_tune_parameter *parameters;
    size_t space;        /* versions that the restrictions allow */
    size_t examined;     /* of them those whose counters are known */
    size_t traced;       /* of these those that were traced; the others compile to the same code */
    size_t failed;       /* could not be compiled or run */
    const char *failure; /* the first one's reason; NULL: none */
    const int64_t *failures; /* their values, parameter_count for each */
    size_t measured;         /* whose time is known */
    size_t reached_count;    /* 0: nothing was measured */
    pm_tune_reached reached[PM_TUNE_REACHED];
    size_t n;
    /* Fastest first: by the time of those that were run here, by what is predicted of others. */
    pm_tune_choice *choices;
    /* The order in which to run them, as places in choices: the best of the first few is expected
     * to be fastest if they are not all of one kind. Up to PM_TUNE_FIRST of those that were not run
     * here. */
    size_t first_count;
    const size_t *first;
    struct pm_memory_block *memory; /* of all that is here, and of itself */
    size_t known; /* files of times on other GPUs that this order takes into account */
    /* What was assumed of bare sources (perfmodel/launch.h), NULL-terminated and of the session;
     * NULL: nothing. */
    const char *const *assumed;
    uint64_t reserved[6];
} pm_tuning;

typedef struct {
    const char *target;   /* as in pm_advise_options */
    const char *workload; /* a file with a [tune] section */
    const char *size;     /* NULL: the largest */
    /* A cache file of Kernel Tuner, a T1 problem or T4 results, whose versions are the space, and
     * whose times stand beside the predictions; NULL: the space is the workload's. */
    const char *space;
    pm_leave_out leave_out;
    size_t budget;   /* versions to examine; 0: all of a space of up to PM_TUNE_WHOLE, else that */
    double budget_s; /* seconds after which no version is begun; 0: no limit */
    size_t measure;  /* how many of the most promising are run; 0: none */
    const char *device; /* where, as in pm_collect_options */
    /* Cache files of Kernel Tuner or T4 results with times of versions on other GPUs, ending with
     * NULL: what is fast there is examined early, and counts as much as predictions in what to run
     * first. NULL: none. */
    const char *const *known;
    uint64_t reserved[7];
} pm_tune_options;

#define PM_TUNE_WHOLE 400
#define PM_TUNE_FIRST 50

/* Searches the versions of a workload for the fastest: compiles and traces some, predicts their
 * times, and has a surrogate tell which to trace next, and the times of the others. */
pm_tuning *pm_tune(pm_session *session, const pm_tune_options *options, pm_error *err);
void pm_tuning_free(pm_tuning *tuning);
/* Writes predicted times as a cache file that Kernel Tuner's simulation mode takes, or the values
 * of the versions as a JSON list of lists: those to run first, then the others, fastest first. */
pm_status pm_tuning_write_cache(const pm_tuning *tuning, const char *path, pm_error *err);
pm_status pm_tuning_write_ranking(const pm_tuning *tuning, const char *path, pm_error *err);

/* A share of a campaign: counts versions of workloads on targets (NULL-terminated lists, in place
 * of those of options) into the share's file, NAME-IofN.jsonl for an output of NAME.json. The
 * campaign has all versions, or those of options->budget that hashes of the seed and of their names
 * choose, whatever comes out of others; pm_shard says which are this share's. Ended at any point,
 * the same call goes on where it was. */
pm_status pm_tune_share(pm_session *session, const pm_tune_options *options,
                        const char *const *targets, const char *const *workloads,
                        const pm_shard *shard, const char *output, pm_share_result *result,
                        pm_error *err);

/* What a campaign found: of each workload a tuning for each target, in that order. */
typedef struct {
    size_t workload_count, target_count;
    pm_tuning **tunings;
    uint64_t reserved[4];
} pm_campaign;

/* Joins its shares (paths is NULL-terminated), and predicts and ranks what they counted: the same
 * bytes for any number of shares. Of a whole space it is what pm_tune finds. Errors and notices are
 * those of pm_merge. */
pm_campaign *pm_tune_join(pm_session *session, const char *const *paths, pm_error *err);
void pm_campaign_free(pm_campaign *campaign);

#ifdef __cplusplus
}
#endif

#endif
