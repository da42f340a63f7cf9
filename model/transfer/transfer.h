/* The units model, fitted on the GPUs that were measured and carried to one that was not.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One set of parameters (model/units/units.h) is fitted to the times of all measured GPUs, each
 * with the work that its own profile makes of the counters by its own rules. On another GPU the
 * parameters are other ones, and nobody has seen by how much: each is taken to differ from the
 * fitted one like a random walk that has come half of the way to a new GPU's prior after
 * FORGET_YEARS of development between the two.
 *
 * What the model does not know of a program is the same on every GPU in part: where the program's
 * time on a source GPU is known, what the model got wrong there is taken over, the less the less
 * the two are alike.
 *
 * An interval joins two spreads: what the model got wrong of classes of programs that it had not
 * seen, and what the parameters may differ by (the delta method: slopes of log T times their
 * covariance).
 */
#ifndef PM_MODEL_TRANSFER_TRANSFER_H
#define PM_MODEL_TRANSFER_TRANSFER_H

#include "model/transfer/known.h"
#include "model/transfer/pooled.h"
#include "model/units/units.h"
#include "samples/classes.h"

/* The units model as learned from some GPUs. It fits parameters when a prediction first needs them,
 * or takes them from the cache. It reads the GPUs' datasets only for a fit. Only one thread at a
 * time may use it. */
typedef struct pm_trained pm_trained;

/* Makes a model of `count` whole GPUs. gpus and classes (may be NULL) must outlive it. It uses the
 * session's cache; session NULL: no cache. PM_BAD_INPUT: too few programs to learn from. */
pm_status pm_trained_create(pm_session *session, pm_known_gpu *gpus, size_t count,
                            const pm_classes *classes, pm_trained **out, pm_error *err);
void pm_trained_free(pm_trained *trained);

/* A trained model, transferred to a target. */
typedef struct pm_transfer pm_transfer;

/* target: GPU to predict. It has a profile and may be one of the trained GPUs. trained and target
 * must outlive the result. */
pm_status pm_transfer_create_on(pm_trained *trained, const pm_known_gpu *target, pm_transfer **out,
                                pm_error *err);
/* Like pm_transfer_create_on, with a pm_trained of its own and without a cache. */
pm_status pm_transfer_create(pm_known_gpu *gpus, size_t count, const pm_known_gpu *target,
                             const pm_classes *classes, pm_transfer **out, pm_error *err);
void pm_transfer_free(pm_transfer *carry);

/* Has predictions be made by a model of many GPUs (model/hierarchy/hierarchy.h) in place of one set
 * of parameters for all, in which the target's own samples are. To be called before any prediction.
 * owned: it is carry's from then on; else it must outlive carry. */
void pm_transfer_pool(pm_transfer *carry, pm_pooled *pooled, bool owned);

/* What has been learned without a program, or its class. */
typedef struct pm_transfer_set pm_transfer_set;
/* It is carry's. PM_BAD_INPUT: too few programs are left. */
pm_status pm_transfer_find(pm_transfer *carry, const char *program, pm_withheld without,
                           const pm_transfer_set **set, pm_error *err);

typedef struct {
    bool known;                        /* false: a counter is missing, and nothing else is filled */
    bool from_source;                  /* the time on the source had its part */
    double center;                     /* log of the median, as ratios of predictions need it */
    double predicted_s;                /* of the least expected relative error */
    double lo_s, hi_s;                 /* 90 % interval */
    double slope[PM_UNITS_PARAMETERS]; /* of center by the parameters */
    pm_explanation why;                /* of predicted_s */
} pm_transferred;

/* Predicts all rows of counters (traced by the target's rules) into out, which has a member a row,
 * each by the set that pm_transfer_find finds. source: NULL, or the GPU whose times are known; a
 * row without one there is predicted without. No prediction is less than what the target's peak
 * DRAM bandwidth and arithmetic rates allow. */
pm_status pm_transfer_predict(pm_transfer *carry, const pm_dataset *counters, pm_withheld without,
                              const pm_known_gpu *source, pm_transferred *out, pm_error *err);

/* Variance of the log of a gain from what the parameters may differ by: slopes of base and version,
 * each the sum over its kernels weighted by their share of its time. */
double pm_transfer_gain_variance(const pm_transfer_set *set, const double *base,
                                 const double *version);

/* What models that had seen neither what the set leaves out nor the program's class said of a GPU
 * that was learned from: a member a traced row of gpus[gpu] with a measured time, of what is not
 * left out; freed with pm_validation_free. The rows are the dataset's and must outlive it. */
pm_validation *pm_transfer_unseen(pm_transfer *carry, const pm_transfer_set *set, size_t gpu,
                                  pm_error *err);

#endif
