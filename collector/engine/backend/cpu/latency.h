/* The latency of a kernel's arithmetic on a CPU core with out-of-order execution.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_CPU_LATENCY_H
#define PM_COLLECTOR_ENGINE_BACKEND_CPU_LATENCY_H

#include "collector/engine/backend/control_flow/slots.h"

/* Returns the time that each segment (basic block, cut at barriers) adds to the shortest possible
 * time of a work-item, in units of the latency of a floating-point operation. Outside of loops this
 * is the latency of the segment's longest dependency chain. Iterations of a loop overlap except for
 * loop-carried dependencies. The time of a loop's header is therefore the latency of the longest
 * chain from a value of one iteration to the same value of the next. The loop's other segments have
 * the time 0. The array is allocated from `memory`. */
const double *pm_latency_find(const pm_structure *structure, const pm_values *values,
                              pm_memory *memory);

#endif
