/* Predictions of kernel times, and errors of models on programs that they were not fitted to. See
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

/* Which samples (measured kernel runs) are left out when the model is fitted that predicts a
 * given sample. The left-out samples affect neither the model's parameters nor its intervals. */
typedef enum {
    PM_LEAVE_NOTHING,
    PM_LEAVE_PROGRAM, /* PM_LEAVE_PROGRAM: all variants and sizes of the sample's program */
    /* PM_LEAVE_CLASS: all programs of the same class of algorithms. The workload file names a
     * program's class, else classes.csv does. A program without a class is a class of its own. */
    PM_LEAVE_CLASS,
    /* PM_LEAVE_SAMPLE: only the sample with the same program, variant, size and kernel. Only for
     * pm_validate. */
    PM_LEAVE_SAMPLE,
    /* PM_LEAVE_GPU: all times measured on the GPU. PM_LEAVE_ARCHITECTURE: all times measured on
     * GPUs of its architecture. Both are only for pm_validate_published. */
    PM_LEAVE_GPU,
    PM_LEAVE_ARCHITECTURE
} pm_leave_out;

/* Options of the model that predicts kernel times from counters. Lists are NULL-terminated. */
typedef struct {
    /* name of the method that fits the model, one of those that pm_method_at lists; NULL: "auto" */
    const char *method;
    /* Samples that are excluded from the fit of the model that predicts a sample. Only pm_validate
     * uses it; there PM_LEAVE_NOTHING means PM_LEAVE_PROGRAM. */
    pm_leave_out leave_out;
    /* Counters that the model may use: all, code, or names separated by commas. NULL: for method
     * `paper` the counters that its paper uses, for other methods all. */
    const char *counters;
    /* Names of the variants and sizes of the samples to use. NULL: all. */
    const char *const *variants, *const *sizes;
    /* true: the model does not use the kernel's time on the source dataset's GPU as a variable */
    bool no_source_time;
    /* Additional training datasets, only for pm_validate. Their rows are not predicted. If there is
     * no source, a row is used if it has a time on the target's device and the same counter_source
     * as the target's first row. If there is a source, a row is used if it has a time on the
     * target's device, or the device and counter_source of the source's first row. NULL: none. */
    const pm_dataset *const *with;
    uint64_t reserved[8];
} pm_model_options;

/* A method that predicts kernel times from counters by a model fitted to measured kernels (for
 * example a random forest): its name, and a sentence that describes it. The texts are static. No
 * later version adds members. */
typedef struct {
    const char *name, *what;
} pm_method_info;
size_t pm_method_count(void);
/* Returns a method; NULL if i >= pm_method_count(). */
const pm_method_info *pm_method_at(size_t i);

/* Contribution of one functional unit of the GPU (such as the L1 cache) to a predicted kernel
 * time. No later version adds members. */
typedef struct {
    /* Name of the unit: issue, fp32, fp64, int, special, lsu, l1, shared, constant, requests (for
     * lines of L2), l2, atomics, dram, latency or launch. The text is static. */
    const char *unit;
    double alone_s; /* seconds that the kernel would take if this unit were its only limit */
    /* Seconds that this unit contributes to the predicted time. The prediction is the sum of
     * added_s of all units. */
    double added_s;
} pm_time_term;

enum { PM_MAX_TIME_TERMS = 16 };

/* A predicted time, broken down by functional unit of the GPU. n is 0 if the model's method does
 * not distinguish functional units. */
typedef struct {
    const char *bound; /* name of the functional unit with the largest added_s; NULL if n is 0 */
    size_t n;
    pm_time_term terms[PM_MAX_TIME_TERMS]; /* by decreasing added_s */
    uint64_t reserved[4];
} pm_explanation;

/* Predicted time of a kernel. */
typedef struct {
    /* Sample of the kernel. It is from the target's dataset if the dataset has the kernel, else
     * from the source's dataset. */
    const pm_sample *sample;
    double measured_s;              /* measured time on the target, seconds; NaN: not measured */
    double predicted_s, lo_s, hi_s; /* predicted time and its 90 % interval, seconds */
    pm_explanation why;
    uint64_t reserved[4];
} pm_prediction;

/* Errors of a model of kernel times on measured kernel runs (samples) that were left out of its
 * fit. */
typedef struct {
    /* Paths of the target's and the source's dataset. `from` is NULL if there is no source.
     * `dataset` is "public" if published times were predicted. */
    const char *dataset, *from;
    const char *method; /* name of the method */
    /* samples that were excluded from the fit: those of the same program, class, sample, gpu or
     * architecture */
    const char *leave_out;
    size_t counter_count;
    const char **counters; /* names of the variables that the model was allowed to use */
    size_t n;
    pm_prediction *samples; /* n predictions */
    /* Mean and median over the samples of the error |predicted_s / measured_s - 1|. coverage90:
     * fraction of the samples whose measured time is in the 90 % interval. */
    double mape, median_ape, coverage90;
    uint64_t reserved[8];
} pm_validation;

/* Predicts each sample of target with a model that was fitted without the sample's program, class
 * or the sample itself, as options->leave_out says. source NULL: times are predicted from the
 * target's counters. Otherwise they are predicted from the source's counters and, unless options
 * say otherwise, the source's times. Free the result with pm_validation_free and before the
 * datasets, because it points into them. NULL on failure; PM_BAD_INPUT if there are too few
 * samples. */
pm_validation *pm_validate(pm_session *session, const pm_dataset *target, const pm_dataset *source,
                           const pm_model_options *options, pm_error *err);
/* Predicts run times that other authors published, in the folder `public` of datasets, with a model
 * of many GPUs. Method auto: a model with parameters for each GPU. Method units: one set of
 * parameters for all GPUs, fitted to perfmodel's own measurements alone. Each GPU is predicted
 * without its own published and measured times, or without all times of its architecture. If
 * leave_out is PM_LEAVE_PROGRAM or PM_LEAVE_CLASS, only the times of the program or its class are
 * left out. Only `method` and `leave_out` of options are used; PM_LEAVE_NOTHING means PM_LEAVE_GPU.
 * `samples` of the result are the published rows. NULL on failure. */
pm_validation *pm_validate_published(pm_session *session, const pm_model_options *options,
                                     pm_error *err);
void pm_validation_free(pm_validation *validation);

/* Predicted and measured time of a program in one variant and size: the sum over all of its
 * kernels, which run one after another. */
typedef struct {
    const char *program, *variant, *size;
    size_t kernels;    /* number of kernels in the sum */
    double measured_s; /* sum of the measured times; NaN if one of them is NaN */
    /* Sums of the predicted times and of the ends of the 90 % intervals. The ends are added because
     * a model tends to err in the same direction on all kernels of a program. NaN if a kernel could
     * not be predicted. */
    double predicted_s, lo_s, hi_s;
    pm_explanation why; /* contributions of the functional units, summed over the kernels */
    uint64_t reserved[4];
} pm_predicted_total;

/* Predicted times of kernels and programs on a target GPU. */
typedef struct {
    const char *method; /* name of the method */
    /* Data that the model was fitted to. "dataset": the target's own measured times. "profile":
     * times of other GPUs, transferred to the target with its row of devices.csv. */
    const char *basis;
    /* Tool that gave the register counts of kernels that this call traced: a version of ptxas, or
     * "estimate" if they were estimated without ptxas. NULL: the call traced no kernel. */
    const char *registers_source;
    size_t n;
    pm_prediction *predictions; /* n members, one for each kernel */
    size_t total_count;
    /* one member for each program in a variant and size, ordered by the first kernel of each;
     * total_count members */
    pm_predicted_total *totals;
    /* dataset to which predictions[].sample points, if this result owns it; NULL: the samples
     * belong to another dataset */
    pm_dataset *rows;
    /* Assumptions that perfmodel made about launches of kernels whose source has no workload file
     * (perfmodel/launch.h). NULL-terminated. Owned by the session. NULL: none. */
    const char *const *assumed;
    /* Path of the dataset that the caller named in pm_predict_options.from. Owned by the session.
     * NULL: none. */
    const char *from;
    /* Names or paths of the user's own datasets to which the model was fitted, too
     * (pm_session_options.with). NULL: none. */
    const char *const *with;
    uint64_t reserved[5];
} pm_predictions;

/* Predicts target's times for source's samples, with a model that was fitted to the samples that
 * both datasets have. programs: names of programs to predict, NULL-terminated; NULL: all. leave_out
 * PM_LEAVE_NOTHING: no sample of both datasets is left out of the fit. Free the result with
 * pm_predictions_free and before the datasets, because it points into them. NULL on failure. */
pm_predictions *pm_predict(pm_session *session, const pm_dataset *target, const pm_dataset *source,
                           const char *const *programs, pm_leave_out leave_out,
                           const pm_model_options *options, pm_error *err);
void pm_predictions_free(pm_predictions *predictions);

/* Options of pm_predict_on. Lists are NULL-terminated. */
typedef struct {
    const char *target; /* GPU to predict for: its name, or the path of its dataset */
    /* Name or path of a dataset with the samples to predict, their counters and times. NULL: the
     * suite's programs, with counters that this call or an earlier call traced for the target. */
    const char *from;
    /* Paths of workload files, captures, sources and folders, which are traced and predicted. If
     * given, `from` only provides the workloads' times on another GPU, and may be NULL. workloads
     * NULL: the samples of `from` are predicted. */
    const char *const *workloads;
    /* Names of programs, variants and sizes to predict, NULL-terminated. NULL: all. */
    const char *const *programs, *const *variants, *const *sizes;
    /* Measurements to which the model is fitted. "dataset": times of the target GPU itself.
     * "profile": times of other GPUs. NULL: "dataset" if the target's dataset has enough samples,
     * else "profile". */
    const char *basis;
    /* samples of each predicted program that are excluded from the fit of the model */
    pm_leave_out leave_out;
    /* Options of the model. With basis "dataset" all are used except its variants and sizes. With
     * basis "profile" only no_source_time is used. */
    pm_model_options model;
    uint64_t reserved[8];
} pm_predict_options;

/* Predicts times for a GPU that may be absent from this machine and may have no measurements. Basis
 * "dataset": predicts as pm_predict does. Basis "profile": uses the method `units`, fitted to the
 * measured GPUs, with the target's row of devices.csv. Its variables are counters that were traced
 * for the target: from the datasets TARGET-trace and TARGET-shared-trace, else from this call.
 * Times that were measured on the target recalibrate the model. Times of the samples on another GPU
 * (`from`) are used, too, if that GPU has a profile and traced counters.
 *
 * If basis is NULL, the method `units` predicts workloads, and samples of programs that the
 * target's dataset does not have. The model is fitted to the target's times if there are enough of
 * them, else it is transferred as for basis "profile". Programs that are not of the suite are
 * predicted from their own counters.
 *
 * Free the result with pm_predictions_free before the session. NULL on failure: PM_BAD_INPUT if a
 * name is wrong, or if the basis or the model cannot predict the samples. */
pm_predictions *pm_predict_on(pm_session *session, const pm_predict_options *options,
                              pm_error *err);

#ifdef __cplusplus
}
#endif

#endif
