/* Counts the machine instructions that a GPU's compiler is expected to make of IR.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The IR is that of nvptx64 after optimisation. Each function adds to *mix, for one work-item that
 * executes the instruction once.
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_COUNT_MIX_H
#define PM_COLLECTOR_TRACE_BACKEND_COUNT_MIX_H

#include <llvm-c/Core.h>

#include "costs.h"

/* Of one instruction, its part in the moves of phis included. An instruction that the counting does
 * not know is PM_FAILED; an intrinsic that it does not know counts as one machine instruction. */
pm_status pm_mix_add(const pm_costs *costs, LLVMValueRef instruction, pm_mix *mix, pm_error *err);

/* Of the start of a kernel, executed once: what reads its arguments and sets it up. */
void pm_mix_add_entry(const pm_costs *costs, LLVMValueRef kernel, pm_mix *mix);

#endif
