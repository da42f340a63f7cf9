/* What has to come before what inside a segment.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_ORDER_H
#define PM_COLLECTOR_TRACE_BACKEND_ORDER_H

#include "slots.h"

/* Sets `waits` of the segment's values. number: of the segment. */
void pm_order_waits(const pm_segment *segment, uint32_t number, pm_values *values);

/* Sets `depth` of an instruction that costs `instructions` of the machine's, and returns it: those
 * that have to be done one after the other up to its end. The operands' are set. */
double pm_order_depth(LLVMValueRef instruction, double instructions, const pm_values *values);

#endif
