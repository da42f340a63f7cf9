/* Executes barriers of kernels in the trace engine: those in shared memory (PTX: mbarrier), and
 * those for a part of a work-group (bar.sync with a number of threads).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_BARRIERS_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_BARRIERS_H

#include "collector/engine/backend/host/fragments.h"

/* Returns the function with a name such as pm.barrier.arrive; NULL: there is none. */
pm_group_fragment_code pm_barrier_function_of(const char *name);

#endif
