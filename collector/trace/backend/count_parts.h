/* The parts of the instruction mix (count_mix.h): each counts one kind of instruction.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_COUNT_PARTS_H
#define PM_COLLECTOR_TRACE_BACKEND_COUNT_PARTS_H

#include <llvm-c/Core.h>

#include "costs.h"

typedef struct {
    const pm_costs *costs;
    pm_mix *mix; /* added to */
} pm_tally;

/* Adds times what row says. */
void pm_mix_add_row(const pm_mix *row, double times, pm_mix *mix);
void pm_tally_add(const pm_tally *t, pm_cost cost, double times);

/* Integer work of `count` machine instructions, on the uniform pipe if all work-items share it. */
void pm_tally_integer(const pm_tally *t, LLVMValueRef instruction, double count);

/* Machine instructions for one operation on integers of the type. */
double pm_integer_words(LLVMTypeRef type);

/* Floating-point arithmetic by type. */
pm_cost pm_cost_of_float(LLVMTypeRef type);

/* false: not integer arithmetic. */
bool pm_count_integer(const pm_tally *t, LLVMValueRef instruction);
void pm_count_call(const pm_tally *t, LLVMValueRef call);

#endif
