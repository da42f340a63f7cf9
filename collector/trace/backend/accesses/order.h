/* What has to come before what.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_ACCESSES_ORDER_H
#define PM_COLLECTOR_TRACE_BACKEND_ACCESSES_ORDER_H

#include "collector/trace/backend/control_flow/slots.h"

/* Sets `waits` of all values. */
void pm_order_waits(LLVMValueRef kernel, const pm_structure *structure, pm_values *values,
                    pm_memory *memory);

/* Whether a warp waits for what it gives: a load, or an atomic whose result something uses. */
bool pm_order_is_waited_for(LLVMValueRef instruction);

/* Sets `depth` of an instruction that costs `instructions` of the machine's, and returns it: those
 * that have to be done one after the other up to its end. The operands' are set. */
double pm_order_depth(LLVMValueRef instruction, double instructions, const pm_structure *structure,
                      const pm_values *values);

/* sites[which[0]] and so on: the memory instructions of a stretch, in its order, whose loads have
 * in `wait` how many waits for other loads come before them: sets it to the number of the wait that
 * they are part of, counted for each space apart. */
void pm_waits_split(pm_site *sites, const size_t *which, size_t count);

#endif
