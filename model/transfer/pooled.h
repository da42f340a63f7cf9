/* All GPUs of which times are known, measured or published, as one model of many. See
 * model/hierarchy/hierarchy.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_POOLED_H
#define PM_MODEL_TRANSFER_POOLED_H

#include "model/hierarchy/hierarchy.h"
#include "model/transfer/known.h"
#include "samples/classes.h"

/* What a prediction must not have been learned from. */
typedef struct {
    pm_leave_out unit; /* a sample is left out with its program */
    const char *class; /* of all that is predicted; NULL: as the table of classes has it */
} pm_withheld;

typedef struct pm_pooled pm_pooled;

/* Of the times of count GPUs; they and classes (may be NULL) must outlive it. What was learned is
 * looked for in the session's cache first, and datasets are read only to learn; session NULL: there
 * is no cache. */
pm_status pm_pooled_create(pm_session *session, pm_known_gpu *gpus, size_t count,
                           const pm_classes *classes, pm_pooled **out, pm_error *err);
void pm_pooled_free(pm_pooled *pooled);

/* What was learned without a program or its class; found when it is first asked for, and the
 * pooled's. */
pm_status pm_pooled_find(pm_pooled *pooled, const char *program, pm_withheld without,
                         const pm_hierarchy **out, pm_error *err);

/* The number of a GPU by its name: PM_NO_NAME where it is none of them. */
size_t pm_pooled_gpu(const pm_pooled *pooled, const char *name);

/* What the model gets wrong of the samples of a dataset on a GPU, which need not be one of them: a
 * member a row, of which those that are not wanted are not touched. shape: rows x PM_UNITS_SHAPE,
 * of those that are. */
pm_status pm_pooled_effects(pm_pooled *pooled, const pm_hierarchy *h, const pm_known_gpu *gpu,
                            const pm_dataset *samples, const bool *wanted, const double *shape,
                            pm_hierarchy_effect *out, pm_error *err);

#endif
