/* What has to come before what inside a segment.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_ORDER_H
#define PM_COLLECTOR_TRACE_BACKEND_ORDER_H

#include "collector/trace/backend/slots.h"

/* Sets `waits` of the segment's values. number: of the segment. */
void pm_order_waits(const pm_code_segment *segment, uint32_t number, pm_values *values);

/* Whether a warp waits for what it gives: a load, or an atomic whose result something uses. */
bool pm_order_is_waited_for(LLVMValueRef instruction);

/* Sets `depth` of an instruction that costs `instructions` of the machine's, and returns it: those
 * that have to be done one after the other up to its end. The operands' are set. */
double pm_order_depth(LLVMValueRef instruction, double instructions, const pm_values *values);

/* The memory instructions of a segment, in its order, whose loads have in `wait` how many waits for
 * other loads come before them: sets it to the number of the wait that they are part of, counted
 * for each space apart. */
void pm_waits_split(pm_site *sites, size_t count);

#endif
