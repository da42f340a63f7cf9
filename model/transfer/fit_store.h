/* A cache of fitted models. The keys are digests of the training data.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_FIT_STORE_H
#define PM_MODEL_TRANSFER_FIT_STORE_H

#include "base/cache/cache.h"
#include "model/samples/classes.h"
#include "model/transfer/known.h"

/* Cache for the parts of one model, such as its rows and its fits. All zero: nothing is cached. */
typedef struct {
    pm_session *session;
    pm_cache *cache; /* cache of the session; NULL: nothing is cached */
    pm_digest from;  /* digest of the GPUs, their datasets and the table of classes */
} pm_fit_store;

/* Returns the cache for the parts of a model that learns from these GPUs. model: name of the type
 * of model. Nothing is cached if the session has no cache, if a GPU's datasets do not come from
 * files, or if they have a torn last row, because every reading must report it. classes may be
 * NULL. */
pm_fit_store pm_fit_store_of(pm_session *session, const char *model, const pm_known_gpu *gpus,
                             size_t count, const pm_classes *classes);

/* Reads a part of the model by its name, such as "rows". Returns false if it is not cached. If
 * true, free the entry with pm_wire_free. */
bool pm_fit_load(const pm_fit_store *store, const char *part, pm_wire *entry);
/* Caches a part of the model, except if a dataset's file has changed since pm_fit_store_of. Frees
 * the entry. */
void pm_fit_save(const pm_fit_store *store, const char *part, const pm_known_gpu *gpus,
                 size_t count, pm_wire *entry);

#endif
