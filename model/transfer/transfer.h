/* The units model (times of a GPU's functional units), fitted to measured GPUs and transferred to a
 * GPU without measurements.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One set of parameters (model/units/units.h) is fitted to the times of all measured GPUs. Each
 * GPU's work comes from its own profile and from counters that were traced for it. On another GPU
 * the parameters differ by an unknown amount. Each parameter is assumed to differ from the fitted
 * one with a variance that grows with the years between the GPUs. Half of the prior variance of a
 * new GPU is reached after FORGET_YEARS.
 *
 * A program's residual is partly the same on every GPU. If its time on a source GPU is known, a
 * fraction of its residual there is added to the prediction. The fraction decreases with the
 * distance of the two GPUs.
 *
 * An interval combines two uncertainties. One is the distribution of residuals of unseen classes of
 * programs. The other is the variance from the parameters by the delta method: derivatives of log T
 * times the parameters' covariance.
 */
#ifndef PM_MODEL_TRANSFER_TRANSFER_H
#define PM_MODEL_TRANSFER_TRANSFER_H

#include "model/samples/classes.h"
#include "model/transfer/known.h"
#include "model/transfer/pooled.h"
#include "model/units/units.h"

/* The units model (model/units/units.h), fitted to some GPUs. Parameters are fitted when a
 * prediction first needs them, or read from the cache. The GPUs' datasets are read only for a fit.
 * Only one thread at a time may use it. */
typedef struct pm_trained pm_trained;

/* Makes a model of `count` GPUs, which each have a profile, measured times and traced counters.
 * gpus and classes (may be NULL) must outlive it. It uses the session's cache; session NULL: no
 * cache. PM_BAD_INPUT: too few programs to learn from. */
pm_status pm_trained_create(pm_session *session, pm_known_gpu *gpus, size_t count,
                            const pm_classes *classes, pm_trained **out, pm_error *err);
void pm_trained_free(pm_trained *trained);

/* A trained model that is transferred to a target. */
typedef struct pm_transfer pm_transfer;

/* Transfers a trained model to the target GPU, for which it then predicts. The target has a profile
 * and may be one of the trained GPUs. trained and target must outlive the result. */
pm_status pm_transfer_create_on(pm_trained *trained, const pm_known_gpu *target, pm_transfer **out,
                                pm_error *err);
/* Does the same as pm_transfer_create_on, but first trains a model of its own on `gpus`, without a
 * cache. */
pm_status pm_transfer_create(pm_known_gpu *gpus, size_t count, const pm_known_gpu *target,
                             const pm_classes *classes, pm_transfer **out, pm_error *err);
void pm_transfer_free(pm_transfer *carry);

/* Lets predictions use a model of many GPUs (model/hierarchy/hierarchy.h) in place of one set of
 * parameters for all GPUs. That model may contain the target's own samples. Call this function
 * before any prediction. owned: true if carry takes ownership of `pooled`; else `pooled` must
 * outlive carry. */
void pm_transfer_pool(pm_transfer *carry, pm_pooled *pooled, bool owned);

/* Parameters fitted without a program or its class. */
typedef struct pm_transfer_set pm_transfer_set;
/* Returns the parameters that were fitted without a program or its class, which carry owns.
 * PM_BAD_INPUT: too few programs remain. */
pm_status pm_transfer_find(pm_transfer *carry, const char *program, pm_withheld without,
                           const pm_transfer_set **set, pm_error *err);

typedef struct {
    /* false: a counter is missing, and all other members are unset */
    bool known;
    bool from_source; /* true: the prediction uses the time on the source GPU */
    /* log of the median predicted time; use it for ratios of predictions */
    double center;
    double predicted_s; /* predicted time with the least expected relative error */
    double lo_s, hi_s;  /* 90 % interval */
    /* derivatives of `center` with respect to the model's parameters */
    double slope[PM_UNITS_PARAMETERS];
    pm_explanation why; /* terms of predicted_s */
} pm_transferred;

/* Predicts all rows of `counters`, which were traced for the target. Each row is predicted with the
 * parameters that pm_transfer_find returns for its program. out[row]: the prediction of a row.
 * source: GPU with known times, or NULL; rows without a time there are predicted without it. No
 * prediction is less than the target's peak DRAM bandwidth and arithmetic rates allow. */
pm_status pm_transfer_predict(pm_transfer *carry, const pm_dataset *counters, pm_withheld without,
                              const pm_known_gpu *source, pm_transferred *out, pm_error *err);

/* Returns the variance of the log of a gain that comes from uncertain parameters. base, version:
 * derivatives of log time of both variants, each the mean over its kernels weighted by their
 * fraction of the time. */
double pm_transfer_gain_variance(const pm_transfer_set *set, const double *base,
                                 const double *version);

/* Predicts the training samples of gpus[gpu] by models that have seen neither the set's left-out
 * fold nor the sample's class. The result has one member per traced row with a measured time,
 * except left-out rows. Free it with pm_validation_free. It points into the dataset's rows, so the
 * dataset must outlive it. */
pm_validation *pm_transfer_unseen(pm_transfer *carry, const pm_transfer_set *set, size_t gpu,
                                  pm_error *err);

#endif
