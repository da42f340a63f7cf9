/* Finds the parts of a kernel that a CPU's compiler cannot vectorise over work-items.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_CPU_WORK_LOOPS_H
#define PM_COLLECTOR_ENGINE_BACKEND_CPU_WORK_LOOPS_H

#include "collector/engine/backend/control_flow/structure.h"

/* A CPU's compiler puts a loop over work-items around the code between two barriers. Returns for
 * each segment (basic block, cut at barriers) whether that loop stays scalar. It does if the source
 * has a loop without a barrier inside, because compilers vectorise only innermost loops. It also
 * does for atomics, and for arithmetic on vector types of the source (float4), which already fill a
 * core's vector registers. The array is allocated from `memory`. */
const bool *pm_find_serial_segments(const pm_structure *structure, pm_memory *memory);

#endif
