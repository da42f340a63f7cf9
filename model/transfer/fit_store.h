/* A cache of fitted models. The keys are digests of the training data.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_FIT_STORE_H
#define PM_MODEL_TRANSFER_FIT_STORE_H

#include "base/cache/cache.h"
#include "model/samples/classes.h"
#include "model/transfer/known.h"

/* Keys under which the data of one model are cached on disk, such as its training rows and its
 * fitted parameters. All zero: nothing is cached. */
typedef struct {
    pm_session *session;
    pm_cache *cache; /* cache of the session; NULL: nothing is cached */
    pm_digest from;  /* digest of the GPUs, their datasets and the table of classes */
} pm_fit_store;

/* Returns where the cache stores the training rows and fits of a model that learns from `count`
 * GPUs. model: name of the type of model. Nothing is cached in three cases: the session has no
 * cache; a GPU's datasets do not come from files; or a file has an incomplete last row, which each
 * reading must report. classes may be NULL. */
pm_fit_store pm_fit_store_of(pm_session *session, const char *model, const pm_known_gpu *gpus,
                             size_t count, const pm_classes *classes);

/* Reads the model's training rows ("rows") or one of its fits from the cache. part: name of what to
 * read. Returns false if it is not cached. If true, the caller reads `entry` and frees it with
 * pm_wire_free. */
bool pm_fit_load(const pm_fit_store *store, const char *part, pm_wire *entry);
/* Writes the model's training rows or one of its fits, which are in `entry`, to the cache. part:
 * name under which pm_fit_load finds it. Writes nothing if a dataset's file has changed since
 * pm_fit_store_of was called. Frees the entry. */
void pm_fit_save(const pm_fit_store *store, const char *part, const pm_known_gpu *gpus,
                 size_t count, pm_wire *entry);

#endif
