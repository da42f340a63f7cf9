/* Counts the machine instructions that a GPU's compiler is expected to make of IR.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The IR is that of nvptx64 after optimisation. Each function adds to *mix, for one work-item that
 * executes the instruction once.
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_MIX_COUNT_MIX_H
#define PM_COLLECTOR_TRACE_BACKEND_MIX_COUNT_MIX_H

#include <llvm-c/Core.h>

#include "collector/trace/backend/control_flow/structure.h"
#include "collector/trace/backend/costs/costs.h"

/* Of one instruction, its part in the moves of phis included. An instruction that the counting does
 * not know is PM_FAILED; an intrinsic that it does not know counts as one machine instruction. */
pm_status pm_mix_add(const pm_costs *costs, LLVMValueRef instruction, pm_mix *mix, pm_error *err);

/* Whether a block only ends the kernel: a branch there is an exit under a predicate. */
bool pm_is_exit(LLVMBasicBlockRef block);

/* Of the start of a kernel, executed once: what reads its arguments and sets it up. */
void pm_mix_add_entry(const pm_costs *costs, LLVMValueRef kernel, const pm_structure *structure,
                      pm_mix *mix);

/* ---- the parts, each for one kind of instruction ----------------------------------------- */

typedef struct {
    const pm_costs *costs;
    pm_mix *mix; /* added to */
} pm_mix_tally;

/* Adds times what row says. */
void pm_mix_add_row(const pm_mix *row, double times, pm_mix *mix);
void pm_tally_add(const pm_mix_tally *t, pm_cost cost, double times);

/* One operation of floating point for each element, of no instruction of its own. */
void pm_tally_operations(const pm_mix_tally *t, LLVMTypeRef type);

/* Integer work of `count` machine instructions, on the uniform pipe if all work-items share it. */
void pm_tally_integer(const pm_mix_tally *t, LLVMValueRef instruction, pm_cost cost, double count);

/* Machine instructions for one operation on integers of the type. */
double pm_integer_words(LLVMTypeRef type);

/* Floating-point arithmetic by type. */
pm_cost pm_cost_of_float(LLVMTypeRef type);
/* As the rows of builtins have it: "float" or "double". */
const char *pm_float_name(LLVMTypeRef type);

/* Whether it is the absolute difference of two integers (VABSDIFF), which its comparison and both
 * its sums are part of. */
bool pm_is_difference(LLVMValueRef select);

void pm_count_sum(const pm_mix_tally *t, LLVMValueRef sum);
void pm_count_product(const pm_mix_tally *t, LLVMValueRef product);
void pm_count_shift(const pm_mix_tally *t, LLVMValueRef shift);
void pm_count_logic(const pm_mix_tally *t, LLVMValueRef logic);
void pm_count_division(const pm_mix_tally *t, LLVMValueRef division);
/* A load or store. */
void pm_count_access(const pm_mix_tally *t, LLVMValueRef access);
void pm_count_atomic(const pm_mix_tally *t, LLVMValueRef access);
void pm_count_extracted(const pm_mix_tally *t, LLVMValueRef extract);
void pm_count_fence(const pm_mix_tally *t, LLVMValueRef fence);
void pm_count_address(const pm_mix_tally *t, LLVMValueRef gep);
void pm_count_call(const pm_mix_tally *t, LLVMValueRef call);

#endif
