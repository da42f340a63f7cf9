/* Bulk copies (PTX: cp.async.bulk) between global and shared memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_BULK_COPIES_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_BULK_COPIES_H

#include "collector/engine/backend/host/fragments.h"

/* Returns the function for a bulk copy with a name such as pm.bulk.load (machine/bulk_copy.h).
 * is_slice: true for slices (code that computes only addresses and branches), in which copies do
 * not change global memory. The function's description is allocated from `kept`. All members are
 * NULL if there is no such copy. */
pm_fragment_function pm_bulk_function_of(const char *name, bool is_slice, pm_memory *kept);

#endif
