/* Fits in the cache, by what they were learned from.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_FIT_STORE_H
#define PM_MODEL_TRANSFER_FIT_STORE_H

#include "cache/cache.h"
#include "model/transfer/known.h"
#include "samples/classes.h"

/* Where parts of a model are kept. All zero: nowhere. */
typedef struct {
    pm_session *session;
    pm_cache *cache; /* NULL: nothing is found and nothing is kept */
    pm_digest from;  /* of the GPUs, their datasets and the table of classes */
} pm_fit_store;

/* The store of a model that learns from these GPUs. Without a cache, or where a GPU's datasets are
 * of no files or have a torn row of which readers tell, it keeps nothing. classes may be NULL. */
pm_fit_store pm_fit_store_of(pm_session *session, const char *model, const pm_known_gpu *gpus,
                             size_t count, const pm_classes *classes);

/* Finds a part by its name, such as "rows". true: pm_wire_free frees the entry. */
bool pm_fit_load(const pm_fit_store *store, const char *part, pm_wire *entry);
/* Keeps a part, unless a file has changed since the store was made. Frees the entry. */
void pm_fit_save(const pm_fit_store *store, const char *part, const pm_known_gpu *gpus,
                 size_t count, pm_wire *entry);

#endif
