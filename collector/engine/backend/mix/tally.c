/* Adds numbers of machine instructions to an instruction mix.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/mix/count_mix.h"

#include "collector/engine/backend/ir/ir.h"

pm_cost pm_cost_of_float(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(pm_element_type(type))) {
    case LLVMDoubleTypeKind:
        return PM_COST_double;
    case LLVMFloatTypeKind:
        return PM_COST_float;
    default:
        return PM_COST_half;
    }
}

const char *pm_float_name(LLVMTypeRef type)
{
    return pm_cost_of_float(type) == PM_COST_double ? "double" : "float";
}

void pm_tally_add(const pm_mix_tally *t, pm_cost cost, double times)
{
    pm_mix_add_row(pm_costs_row(t->costs, cost), times, t->mix);
}

void pm_tally_integer(const pm_mix_tally *t, LLVMValueRef instruction, pm_cost cost, double count)
{
    pm_tally_add(t, pm_is_uniform(instruction) ? PM_COST_uniform : cost, count);
}

void pm_tally_operations(const pm_mix_tally *t, LLVMTypeRef type)
{
    if (pm_cost_of_float(type) == PM_COST_double)
        t->mix->flop64 += pm_type_elements(type);
    else if (pm_cost_of_float(type) == PM_COST_float)
        t->mix->flop32 += pm_type_elements(type);
}

double pm_integer_words(LLVMTypeRef type)
{
    return pm_type_elements(type) * (pm_integer_bits(type) > 32 ? 2.0 : 1.0);
}
