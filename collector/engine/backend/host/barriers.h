/* Barriers in shared memory (PTX: mbarrier) and barriers for parts of a work-group.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_BARRIERS_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_BARRIERS_H

#include "collector/engine/backend/host/fragments.h"

/* Returns the function with a name such as pm.barrier.arrive; NULL: there is none. */
pm_group_fragment_code pm_barrier_function_of(const char *name);

#endif
