/* Loads the engine's compiler half.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_LOAD_H
#define PM_COLLECTOR_TRACE_BACKEND_LOAD_H

#include "backend.h"

/* The module stays loaded until the process ends: LLVM does not like to be unloaded. A module that
 * is not there or not this version's is PM_FAILED. */
pm_status pm_backend_load(const pm_backend **backend, pm_error *err);

#endif
