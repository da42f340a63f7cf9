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

/* Returns the address on the host of `bytes` bytes of a work-group's shared memory; NULL: they are
 * not all inside of it. address: low bits of their address on the host, as generated code computes
 * it. */
uint8_t *pm_group_place(const pm_group_context *group, uint32_t address, uint64_t bytes);
/* Counts bytes of a bulk copy that have arrived at a barrier in shared memory. Returns false if the
 * barrier is outside of shared memory. */
bool pm_barrier_receive(const pm_group_context *group, uint32_t address, uint32_t bytes);

#endif
