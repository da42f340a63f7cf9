/* One model of kernel times for all GPUs that have measured or published times, with parameters of
 * each GPU. It is the units model: the time of a kernel follows from the times of the GPU's
 * functional units. See model/hierarchy/hierarchy.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PM_MODEL_TRANSFER_POOLED_H
#define PM_MODEL_TRANSFER_POOLED_H

#include "model/hierarchy/hierarchy.h"
#include "model/samples/classes.h"
#include "model/transfer/known.h"

/* Which measured kernels the model of a prediction must not have learned from, so that the
 * prediction can be compared with a measured time. */
typedef struct {
    /* kind of group that is left out of the training data together with a predicted sample, such as
     * its program or its class; a sample is left out with its whole program */
    pm_leave_out unit;
    /* class of the predicted programs, instead of their classes in classes.csv; NULL: as in
     * classes.csv */
    const char *class;
} pm_withheld;

typedef struct pm_pooled pm_pooled;

/* Makes a model of the times of `count` GPUs. gpus and classes (may be NULL) must outlive it. It
 * takes fits from the session's cache if it can, and reads datasets only for a new fit. session
 * NULL: no cache. */
pm_status pm_pooled_create(pm_session *session, pm_known_gpu *gpus, size_t count,
                           const pm_classes *classes, pm_pooled **out, pm_error *err);
void pm_pooled_free(pm_pooled *pooled);

/* Sets *out to the fit of the model without a program or without its class (a group of similar
 * programs). `without` says which of the two is left out. The fit is computed on the first request;
 * `pooled` owns it. */
pm_status pm_pooled_find(pm_pooled *pooled, const char *program, pm_withheld without,
                         const pm_hierarchy **out, pm_error *err);

/* Returns the number of the GPU with this name in the model; PM_NO_NAME: the model does not have
 * it. */
size_t pm_pooled_gpu(const pm_pooled *pooled, const char *name);

/* Predicts the residuals (random effects) of a dataset's samples on a GPU, which need not be one of
 * the model's. wanted[row]: whether to predict the row. out[row]: prediction of the row; not
 * changed if wanted[row] is false. shape[row * PM_UNITS_SHAPE], ...: numbers that describe the
 * row's bottlenecks (pm_units_shape); read only if wanted[row] is true. */
pm_status pm_pooled_effects(pm_pooled *pooled, const pm_hierarchy *h, const pm_known_gpu *gpu,
                            const pm_dataset *samples, const bool *wanted, const double *shape,
                            pm_hierarchy_effect *out, pm_error *err);

#endif
