/* What a compiler for CPUs can vectorise of a kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_CPU_WORK_LOOPS_H
#define PM_COLLECTOR_TRACE_BACKEND_CPU_WORK_LOOPS_H

#include "collector/trace/backend/control_flow/structure.h"

/* For each segment of the structure, whether the loop over work-items that a CPU's compiler puts
 * around it, from barrier to barrier, stays a loop over single work-items. It does where the source
 * has a loop without a barrier inside (compilers vectorise innermost loops alone), atomics, or
 * arithmetic of vectors of the source's own, which are as wide as a core's already. */
const bool *pm_find_serial_segments(const pm_structure *structure, pm_memory *memory);

#endif
