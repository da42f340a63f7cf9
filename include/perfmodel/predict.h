/* Models: what they predict, and what they get on programs that they have not seen. See
 * perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_PREDICT_H
#define PERFMODEL_PREDICT_H

#include "perfmodel/dataset.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the model that predicts a program has not seen: not in its parameters, not in its intervals.
 */
typedef enum {
    PM_LEAVE_NOTHING,
    PM_LEAVE_PROGRAM, /* the program with all its variants and sizes */
    PM_LEAVE_CLASS,   /* all programs of its class, which its workload file says, else classes.csv;
                       * one that neither has is a class by itself */
    PM_LEAVE_SAMPLE,  /* its variant, size and kernel alone: of pm_validate */
    /* Of pm_validate_published: all times of the GPU, or of all GPUs of its architecture. */
    PM_LEAVE_GPU,
    PM_LEAVE_ARCHITECTURE
} pm_leave_out;

typedef struct {
    const char *method;     /* auto, paper, ... (pm_method_at); NULL is auto */
    pm_leave_out leave_out; /* of pm_validate; PM_LEAVE_NOTHING is PM_LEAVE_PROGRAM */
    const char *counters;   /* all, code, or names with commas; NULL is all */
    /* Only samples of these variants and sizes, NULL-terminated; NULL: all. */
    const char *const *variants, *const *sizes;
    bool no_source_time; /* with a source: do not use its time as a variable */
    /* Of pm_validate: datasets whose rows are learned from, too, and not predicted,
     * NULL-terminated; NULL: none. Of use are rows of the target's device that have a time and
     * counters of the same source as its first row; with a source, rows with times for the target,
     * and rows of its device and source of counters for the source. */
    const pm_dataset *const *with;
    uint64_t reserved[8];
} pm_model_options;

/* The methods by name, with a sentence on each. Complete. */
typedef struct {
    const char *name, *what;
} pm_method_info;
size_t pm_method_count(void);
const pm_method_info *pm_method_at(size_t i);

/* What a unit of the GPU adds to a predicted time. Complete. */
typedef struct {
    /* issue, fp32, fp64, int, special, lsu, l1, shared, constant, requests (of lines of L2), l2,
     * atomics, dram, latency, launch */
    const char *unit;
    double alone_s; /* that it would need if it were the only one */
    double added_s; /* its part of the prediction; those of all units add up to it */
} pm_time_term;

enum { PM_MAX_TIME_TERMS = 16 };

/* Why a prediction is what it is; n is 0 where the method knows no units. */
typedef struct {
    const char *bound; /* the unit that adds most; NULL where n is 0 */
    size_t n;
    pm_time_term terms[PM_MAX_TIME_TERMS]; /* what adds most first */
    uint64_t reserved[4];
} pm_explanation;

typedef struct {
    const pm_sample *sample;        /* of the target where it is there, else of the source */
    double measured_s;              /* NaN where nobody measured it */
    double predicted_s, lo_s, hi_s; /* 90 % interval */
    pm_explanation why;
    uint64_t reserved[4];
} pm_prediction;

typedef struct {
    const char *dataset, *from; /* paths; from is NULL without a source */
    const char *method;
    const char *leave_out; /* program, class or sample */
    size_t counter_count;
    const char **counters; /* names of those that the model was offered */
    size_t n;
    pm_prediction *samples;
    double mape, median_ape, coverage90; /* fractions, over samples */
    uint64_t reserved[8];
} pm_validation;

/* What a model gets on programs (classes, samples) that it has not seen: target's times from
 * target's counters, or from source's counters (and time) where source is not NULL. The datasets
 * must outlive the result. */
pm_validation *pm_validate(pm_session *session, const pm_dataset *target, const pm_dataset *source,
                           const pm_model_options *options, pm_error *err);
/* What the model of many GPUs (method auto; units: one set of parameters for all, of the GPUs that
 * perfmodel measured alone) gets on the times that others published, in the folder `public` of
 * datasets: of each GPU without its times, without those of its architecture, or, with
 * PM_LEAVE_PROGRAM and PM_LEAVE_CLASS, with all but those of the program or its class. Of options
 * method and leave_out count; PM_LEAVE_NOTHING is PM_LEAVE_GPU. Samples are the published rows. */
pm_validation *pm_validate_published(pm_session *session, const pm_model_options *options,
                                     pm_error *err);
void pm_validation_free(pm_validation *validation);

/* All kernels of a program's variant and size together: one after another, as they run. */
typedef struct {
    const char *program, *variant, *size;
    size_t kernels;
    double measured_s;              /* NaN where one's is */
    double predicted_s, lo_s, hi_s; /* NaN where one could not be predicted. The ends of the 90 %
                                     * intervals are added up: a model tends to be wrong the same
                                     * way on all kernels of a program */
    pm_explanation why;
    uint64_t reserved[4];
} pm_predicted_total;

typedef struct {
    const char *method;
    const char *basis; /* dataset: learned from the target's times; profile: from those of other
                          GPUs, transferred by the target's row of devices.csv */
    const char *registers_source; /* of what was traced for it: estimate, or a version of ptxas that
                                     told all of them; NULL: nothing was traced now */
    size_t n;
    pm_prediction *predictions; /* a member a kernel */
    size_t total_count;
    pm_predicted_total *totals; /* in the order of the first kernel of each */
    pm_dataset *rows;           /* samples that are its own; NULL: none is */
    /* What was assumed of bare sources (perfmodel/launch.h), NULL-terminated and of the session;
     * NULL: nothing. */
    const char *const *assumed;
    const char *from;        /* path of the dataset that the samples are of, or that has their times
                              * on another GPU; NULL: none. The session's. */
    const char *const *with; /* of pm_session_options */
    uint64_t reserved[5];
} pm_predictions;

/* Target's times for source's samples (of the programs named, NULL-terminated; NULL: all) by a
 * model fitted on the samples that both have. The datasets must outlive the result. */
pm_predictions *pm_predict(pm_session *session, const pm_dataset *target, const pm_dataset *source,
                           const char *const *programs, pm_leave_out leave_out,
                           const pm_model_options *options, pm_error *err);
void pm_predictions_free(pm_predictions *predictions);

typedef struct {
    const char *target; /* a GPU: a name, or the path of its dataset */
    const char *from;   /* the samples to predict, and their counters and times: a dataset's
                         * name or path; NULL: the suite's programs, as they were traced for the
                         * target, or are now */
    /* Files, captures and folders of them, NULL-terminated: their programs are predicted, from what
     * is traced of them now. from (NULL: nothing) then only has times of theirs on another GPU.
     * NULL: what from has. */
    const char *const *workloads;
    /* Of them; NULL-terminated; NULL: all. */
    const char *const *programs, *const *variants, *const *sizes;
    const char *basis;      /* dataset or profile; NULL: dataset where the target's has enough */
    pm_leave_out leave_out; /* of each program */
    pm_model_options model; /* of basis dataset, but for variants and sizes; profile takes its
                             * no_source_time */
    uint64_t reserved[8];
} pm_predict_options;

/* Predicts for a GPU that need not be here nor have been measured. Basis dataset is pm_predict.
 * Basis profile: the target's row of devices.csv, with counters by its rules (those of the datasets
 * TARGET-trace and TARGET-shared-trace, else traced now), and what the units model learned on the
 * measured GPUs; the target's own samples recalibrate it. Times of the samples on a source GPU
 * count too, where that has a profile and traced counters.
 *
 * Of workloads, and of samples none of whose programs the target's dataset has, basis NULL is what
 * the units model learned on the target where that was measured enough, else profile. Samples of
 * programs that are not of the suite are predicted from their own counters. */
pm_predictions *pm_predict_on(pm_session *session, const pm_predict_options *options,
                              pm_error *err);

#ifdef __cplusplus
}
#endif

#endif
