/* What a compiler for CPUs can vectorise of a kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_WORK_LOOPS_H
#define PM_COLLECTOR_TRACE_BACKEND_WORK_LOOPS_H

#include "collector/trace/backend/structure.h"

/* For each segment, whether the loop over work-items that it is in stays one over single
 * work-items. Such a loop goes from barrier to barrier. It is vectorised if it is an innermost one:
 * without a loop of the source that has no barrier. Nor may it have atomics, or arithmetic of the
 * source's own vectors, which are as wide as a core's already. */
const bool *pm_work_loops_serial(const pm_structure *structure, pm_memory *memory);

#endif
