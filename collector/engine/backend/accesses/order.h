/* Finds properties of a kernel that depend on the order of its instructions: the lengths of
 * dependency chains, and how often a warp must wait for loads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_ACCESSES_ORDER_H
#define PM_COLLECTOR_ENGINE_BACKEND_ACCESSES_ORDER_H

#include "collector/engine/backend/control_flow/slots.h"

/* Sets `waits` of all instructions' values: the number of waits for loads, one after the other,
 * that must precede the computation of each value. */
void pm_order_waits(LLVMValueRef kernel, const pm_structure *structure, pm_values *values,
                    pm_memory *memory);

/* Returns whether a warp must wait for an instruction's result, because the instruction is a load,
 * or an atomic whose result is used. */
bool pm_order_is_waited_for(LLVMValueRef instruction);

/* Sets `depth` of an instruction that becomes `instructions` machine instructions, and returns it.
 * depth: number of machine instructions on the longest dependency chain that ends with the
 * instruction. The operands' depths must be set already. */
double pm_order_depth(LLVMValueRef instruction, double instructions, const pm_structure *structure,
                      const pm_values *values);

/* Finds the loads of a scheduling region that are in flight together, so that a warp waits once for
 * all of them (a wait). The compiler reorders the code of a region as one sequence.
 * sites[which[k]], k < count, are the region's memory instructions in program order. On entry, the
 * member `wait` of a load is the number of waits for other loads that must come before the load. On
 * return, it is the number of the wait for this load, counted from 0 separately for each address
 * space. A wait is split if its loads need too many registers in flight. */
void pm_waits_split(pm_site *sites, const size_t *which, size_t count);

#endif
