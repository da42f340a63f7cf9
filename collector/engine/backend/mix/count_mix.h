/* Counts the machine instructions that a GPU's compiler is expected to generate from LLVM IR.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The IR must be optimised for LLVM's target nvptx64. Each function adds to *mix the machine
 * instructions of one work-item that executes an IR instruction once.
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_MIX_COUNT_MIX_H
#define PM_COLLECTOR_ENGINE_BACKEND_MIX_COUNT_MIX_H

#include <llvm-c/Core.h>

#include "collector/engine/backend/control_flow/structure.h"
#include "collector/engine/backend/costs/costs.h"

/* Adds the machine instructions of one IR instruction, including the register moves for phis that
 * it causes. PM_FAILED if the opcode is unknown. An unknown intrinsic counts as one machine
 * instruction. */
pm_status pm_mix_add(const pm_costs *costs, LLVMValueRef instruction, pm_mix *mix, pm_error *err);

/* Returns whether a basic block contains only the return from the kernel. A branch to such a block
 * becomes a predicated exit instruction. */
bool pm_is_exit(LLVMBasicBlockRef block);

/* Adds to *mix the machine instructions at a kernel's entry, which each work-item executes once:
 * reading arguments and initialisation. */
void pm_mix_add_entry(const pm_costs *costs, LLVMValueRef kernel, const pm_structure *structure,
                      pm_mix *mix);

/* ---- functions for one kind of instruction each ------------------------------------------ */

typedef struct {
    const pm_costs *costs;
    pm_mix *mix; /* destination */
} pm_mix_tally;

void pm_tally_add(const pm_mix_tally *t, pm_cost cost, double times);

/* Adds one floating-point operation for each element of `type`, without adding a machine
 * instruction. */
void pm_tally_operations(const pm_mix_tally *t, LLVMTypeRef type);

/* Adds `count` integer instructions of the kind `cost` (row of instructions.ini). They count for
 * the uniform pipe if `instruction` has the same result for all work-items. */
void pm_tally_integer(const pm_mix_tally *t, LLVMValueRef instruction, pm_cost cost, double count);

/* Returns the number of machine instructions of one operation on integers of the type. */
double pm_integer_words(LLVMTypeRef type);

/* Returns the row of instructions.ini for floating-point arithmetic on the type. */
pm_cost pm_cost_of_float(LLVMTypeRef type);
/* Returns the type's name in instructions.ini's rows of builtin functions: "float" or "double". */
const char *pm_float_name(LLVMTypeRef type);

/* Returns whether a select computes the absolute difference of two integers. NVIDIA GPUs then
 * execute the comparison, both subtractions and the select by one instruction, VABSDIFF. */
bool pm_is_difference(LLVMValueRef select);

void pm_count_sum(const pm_mix_tally *t, LLVMValueRef sum);
void pm_count_product(const pm_mix_tally *t, LLVMValueRef product);
void pm_count_shift(const pm_mix_tally *t, LLVMValueRef shift);
void pm_count_logic(const pm_mix_tally *t, LLVMValueRef logic);
void pm_count_division(const pm_mix_tally *t, LLVMValueRef division);
void pm_count_access(const pm_mix_tally *t, LLVMValueRef access);
void pm_count_atomic(const pm_mix_tally *t, LLVMValueRef access);
void pm_count_extracted(const pm_mix_tally *t, LLVMValueRef extract);
void pm_count_fence(const pm_mix_tally *t, LLVMValueRef fence);
void pm_count_address(const pm_mix_tally *t, LLVMValueRef gep);
void pm_count_call(const pm_mix_tally *t, LLVMValueRef call);

#endif
