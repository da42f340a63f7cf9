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

/* The units model (model/units/units.h), fitted to the measured times of some GPUs. Parameters
 * are fitted when a prediction first needs them, or read from the cache. The GPUs' datasets are
 * read only for a fit. Only one thread at a time may use it. */
typedef struct pm_trained pm_trained;

/* Makes a model of `count` GPUs, which each have a profile, measured times and traced counters.
 * gpus and classes (may be NULL) must outlive it. It uses the session's cache; session NULL: no
 * cache. PM_BAD_INPUT: too few programs to learn from. */
pm_status pm_trained_create(pm_session *session, pm_known_gpu *gpus, size_t count,
                            const pm_classes *classes, pm_trained **out, pm_error *err);
void pm_trained_free(pm_trained *trained);

/* A trained model with which times on one target GPU are predicted. */
typedef struct pm_transfer pm_transfer;

/* Makes a predictor for the target GPU from a trained model. The target must have a profile and may
 * be one of the trained GPUs. trained and target must outlive the result. */
pm_status pm_transfer_create_on(pm_trained *trained, const pm_known_gpu *target, pm_transfer **out,
                                pm_error *err);
/* Does the same as pm_transfer_create_on with a model that it trains itself on the GPUs `gpus`,
 * without a cache. The result owns that model. */
pm_status pm_transfer_create(pm_known_gpu *gpus, size_t count, const pm_known_gpu *target,
                             const pm_classes *classes, pm_transfer **out, pm_error *err);
void pm_transfer_free(pm_transfer *carry);

/* Makes predictions use a model of many GPUs (model/hierarchy/hierarchy.h), which has parameters of
 * each GPU, in place of one set of parameters for all GPUs. The model may have learned from the
 * target's own samples. Call this function before any prediction. owned: true if carry becomes the
 * owner of `pooled`; else `pooled` must outlive carry. */
void pm_transfer_pool(pm_transfer *carry, pm_pooled *pooled, bool owned);

/* Fitted parameters of the units model (times of a GPU's functional units), for which one
 * program, or its class of similar programs, was left out of the training rows. */
typedef struct pm_transfer_set pm_transfer_set;
/* Sets *set to the parameters that were fitted without a program or without its class (a group of
 * similar programs). `without` says which of the two is left out. carry owns the parameters.
 * PM_BAD_INPUT: too few programs remain. */
pm_status pm_transfer_find(pm_transfer *carry, const char *program, pm_withheld without,
                           const pm_transfer_set **set, pm_error *err);

typedef struct {
    /* false: a counter is missing, and all other members are unset */
    bool known;
    bool from_source; /* true: the prediction contains the residual of the time on the source GPU */
    /* log of the median predicted time; use it for ratios of predictions */
    double center;
    double predicted_s; /* predicted time with the least expected relative error */
    double lo_s, hi_s;  /* 90 % interval */
    /* derivatives of `center` with respect to the model's parameters */
    double slope[PM_UNITS_PARAMETERS];
    pm_explanation why; /* terms of predicted_s */
} pm_transferred;

/* Predicts the times of all rows of `counters`, which were traced for the target. Each row is
 * predicted with the parameters that pm_transfer_find returns for its program. out[row]: its
 * prediction. source: GPU whose known times improve the prediction; NULL: none. A row without a
 * time on that GPU is predicted without it. No prediction is less than the target's peak bandwidths
 * and arithmetic rates allow. */
pm_status pm_transfer_predict(pm_transfer *carry, const pm_dataset *counters, pm_withheld without,
                              const pm_known_gpu *source, pm_transferred *out, pm_error *err);

/* Returns the part of the variance of the logarithm of a gain that comes from uncertain parameters
 * of the model. The gain is the time of a base variant over the time of a version. base, version:
 * derivatives of log time of each of them by the parameters (mean over the kernels, weighted by
 * their time). */
double pm_transfer_gain_variance(const pm_transfer_set *set, const double *base,
                                 const double *version);

/* Predicts the training rows of the GPU number `gpu` of the trained GPUs. Each is predicted by
 * parameters that were fitted neither to the fold that `set` leaves out nor to the class (group of
 * similar programs) of the row. The result has a prediction for each traced row with a measured
 * time, except rows of the left-out fold. Free it with pm_validation_free. It points into the
 * dataset, which must outlive it. */
pm_validation *pm_transfer_unseen(pm_transfer *carry, const pm_transfer_set *set, size_t gpu,
                                  pm_error *err);

#endif
