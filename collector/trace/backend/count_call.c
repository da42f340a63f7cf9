/* What calls cost: intrinsics by kind and type, mathematical builtins by their row of the table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "count_parts.h"

#include <string.h>

#include "ir.h"

typedef enum {
    ARITHMETIC, /* floating point or integer, by the type of the result */
    NOTHING,
    ROW,    /* cost, for each element */
    BUILTIN /* as the builtin of the same name */
} intrinsic_kind;

/* The first that the name starts with. */
static const struct {
    const char *name;
    intrinsic_kind kind;
    pm_cost cost;
} intrinsics[] = {
    {"llvm.dbg.", NOTHING, 0},
    {"llvm.lifetime.", NOTHING, 0},
    {"llvm.assume", NOTHING, 0},
    {"llvm.experimental.noalias.", NOTHING, 0},
    {"llvm.invariant.", NOTHING, 0},
    {"llvm.expect.", NOTHING, 0},
    {"llvm.fabs.", NOTHING, 0}, /* a modifier of the operand */
    {"llvm.fmuladd.", ARITHMETIC, 0},
    {"llvm.fma.", ARITHMETIC, 0},
    {"llvm.minnum.", ARITHMETIC, 0},
    {"llvm.maxnum.", ARITHMETIC, 0},
    {"llvm.minimum.", ARITHMETIC, 0},
    {"llvm.maximum.", ARITHMETIC, 0},
    {"llvm.smin.", ARITHMETIC, 0},
    {"llvm.smax.", ARITHMETIC, 0},
    {"llvm.umin.", ARITHMETIC, 0},
    {"llvm.umax.", ARITHMETIC, 0},
    {"llvm.abs.", ARITHMETIC, 0},
    {"llvm.copysign.", ROW, PM_COST_integer},
    {"llvm.fshl.", ARITHMETIC, 0},
    {"llvm.fshr.", ARITHMETIC, 0},
    {"llvm.bswap.", ROW, PM_COST_permute},
    {"llvm.bitreverse.", ROW, PM_COST_bit_count},
    {"llvm.ctpop.", ROW, PM_COST_bit_count},
    {"llvm.ctlz.", ROW, PM_COST_bit_count},
    {"llvm.cttz.", ROW, PM_COST_bit_count},
    {"llvm.floor.", ROW, PM_COST_round},
    {"llvm.ceil.", ROW, PM_COST_round},
    {"llvm.trunc.", ROW, PM_COST_round},
    {"llvm.round", ROW, PM_COST_round},
    {"llvm.rint.", ROW, PM_COST_round},
    {"llvm.nearbyint.", ROW, PM_COST_round},
    {"llvm.sqrt.", BUILTIN, 0},
    {"llvm.sin.", BUILTIN, 0},
    {"llvm.cos.", BUILTIN, 0},
    {"llvm.exp.", BUILTIN, 0},
    {"llvm.exp2.", BUILTIN, 0},
    {"llvm.exp10.", BUILTIN, 0},
    {"llvm.log.", BUILTIN, 0},
    {"llvm.log2.", BUILTIN, 0},
    {"llvm.log10.", BUILTIN, 0},
    {"llvm.pow.", BUILTIN, 0},
    {"llvm.nvvm.barrier", ROW, PM_COST_barrier},
    {"llvm.nvvm.membar.", ROW, PM_COST_fence},
    {"llvm.nvvm.read.ptx.sreg.ntid.", ROW, PM_COST_constant},
    {"llvm.nvvm.read.ptx.sreg.nctaid.", ROW, PM_COST_constant},
    {"llvm.nvvm.read.ptx.sreg.", ROW, PM_COST_id},
    {"llvm.nvvm.mulhi.", ROW, PM_COST_integer},
};

void pm_mix_add_row(const pm_mix *row, double times, pm_mix *mix)
{
    mix->total += times * row->total;
    mix->fp32 += times * row->fp32;
    mix->fp64 += times * row->fp64;
    mix->integer += times * row->integer;
    mix->special += times * row->special;
    mix->conversion += times * row->conversion;
    mix->control += times * row->control;
    mix->memory += times * row->memory;
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

static void add_arithmetic(const pm_costs *costs, LLVMTypeRef type, pm_mix *mix)
{
    double elements = pm_type_elements(type);

    if (pm_integer_bits(type) > 32)
        elements *= 2.0;
    pm_mix_add_row(
        pm_costs_row(costs, pm_integer_bits(type) ? PM_COST_integer : pm_cost_of_float(type)),
        elements, mix);
}

/* llvm.sqrt.v4f32 is four of sqrt.float. */
static void add_builtin(const pm_costs *costs, const char *name, LLVMTypeRef type, pm_mix *mix)
{
    const char *start = name + strlen("llvm.");
    size_t length = strcspn(start, ".");
    char plain[16] = "";
    const pm_mix *row;

    if (length < sizeof plain)
        memcpy(plain, start, length);
    row =
        pm_costs_named(costs, plain, pm_cost_of_float(type) == PM_COST_double ? "double" : "float");
    pm_mix_add_row(row ? row : pm_costs_row(costs, PM_COST_call), pm_type_elements(type), mix);
}

static void add_intrinsic(const pm_costs *costs, LLVMValueRef call, size_t i, pm_mix *mix)
{
    LLVMTypeRef type = LLVMTypeOf(call);

    switch (intrinsics[i].kind) {
    case NOTHING:
        break;
    case ARITHMETIC:
        add_arithmetic(costs, type, mix);
        break;
    case ROW:
        pm_mix_add_row(pm_costs_row(costs, intrinsics[i].cost), pm_type_elements(type), mix);
        break;
    case BUILTIN:
        add_builtin(costs, intrinsics[i].name, type, mix);
        break;
    }
}

void pm_count_call(const pm_tally *t, LLVMValueRef call)
{
    const pm_costs *costs = t->costs;
    pm_mix *mix = t->mix;
    const char *name = pm_callee_name(call);
    const pm_mix *row = pm_costs_builtin(costs, name);

    if (row) {
        pm_mix_add_row(row, 1.0, mix);
        return;
    }
    if (strstr(name, "pm_global_offset") || strstr(name, "pm_work_dim")) {
        pm_mix_add_row(pm_costs_row(costs, PM_COST_constant), 1.0, mix);
        return;
    }
    for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
        if (pm_starts(name, intrinsics[i].name)) {
            add_intrinsic(costs, call, i, mix);
            return;
        }
    pm_mix_add_row(pm_costs_row(costs, PM_COST_call), 1.0, mix);
}
