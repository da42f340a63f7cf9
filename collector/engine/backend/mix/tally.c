/* Adds numbers of machine instructions to an instruction mix.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/mix/count_mix.h"

#include "collector/engine/backend/ir/ir.h"

void pm_mix_add_row(const pm_mix *row, double times, pm_mix *mix)
{
    mix->total += times * row->total;
    mix->fp32 += times * row->fp32;
    mix->fp64 += times * row->fp64;
    mix->flop32 += times * row->flop32;
    mix->flop64 += times * row->flop64;
    mix->beside += times * row->beside;
    mix->integer += times * row->integer;
    mix->special += times * row->special;
    mix->conversion += times * row->conversion;
    mix->conversion64 += times * row->conversion64;
    mix->control += times * row->control;
    mix->memory += times * row->memory;
    mix->branches += times * row->branches;
    mix->alu += times * row->alu;
    mix->fma += times * row->fma;
    mix->fmaheavy += times * row->fmaheavy;
    mix->either += times * row->either;
    mix->tensor += times * row->tensor;
}

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
