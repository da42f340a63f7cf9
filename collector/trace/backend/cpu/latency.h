/* How long the arithmetic of a kernel takes on a CPU's core, which starts instructions as soon as
 * what they need is there.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_CPU_LATENCY_H
#define PM_COLLECTOR_TRACE_BACKEND_CPU_LATENCY_H

#include "collector/trace/backend/control_flow/slots.h"

/* For each segment what passing it adds to the time that a work-item takes at least, in latencies
 * of a floating-point operation. The rounds of a loop are under way side by side, but for what a
 * round needs of the one before it: the head of a loop has the longest way from a value of one
 * round to the same of the next, and other segments of loops nothing. Outside of loops it is the
 * longest way through the segment. */
const double *pm_latency_find(const pm_structure *structure, const pm_values *values,
                              pm_memory *memory);

#endif
