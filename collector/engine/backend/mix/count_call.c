/* Counts the machine instructions of calls: of LLVM intrinsics by kind and type, of mathematical
 * builtin functions by their row of instructions.ini.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/mix/count_mix.h"

#include <stdio.h>
#include <string.h>

#include "collector/engine/backend/ir/intrinsics.h"
#include "collector/engine/backend/ir/ir.h"
#include "machine/matrix_product.h"

/* Returns whether an intrinsic is the minimum or maximum of two integers. If the integers have 64
 * bits, it takes two comparisons and two selections. */
static bool is_choice(const char *name)
{
    return pm_starts(name, "llvm.smax.") || pm_starts(name, "llvm.smin.") ||
           pm_starts(name, "llvm.umax.") || pm_starts(name, "llvm.umin.");
}

static void add_arithmetic(const pm_mix_tally *t, const char *name, LLVMTypeRef type)
{
    if (pm_integer_bits(type) > 32 && is_choice(name)) {
        pm_tally_add(t, PM_COST_compare_int, pm_integer_words(type));
        pm_tally_add(t, PM_COST_select, pm_integer_words(type));
    } else if (pm_integer_bits(type)) {
        pm_tally_add(t, PM_COST_integer, pm_integer_words(type));
    } else { /* the row counts one floating-point operation, but a fused multiply-add is two */
        pm_tally_add(t, pm_cost_of_float(type), pm_type_elements(type));
        pm_tally_operations(t, type);
    }
}

/* Adds the cost of a mathematical intrinsic once for each element of its type. An example is
 * llvm.sqrt.v4f32, which counts as four times row sqrt.float. */
static void add_builtin(const pm_mix_tally *t, const char *name, LLVMTypeRef type)
{
    const char *start = name + strlen("llvm.");
    char plain[16];
    const pm_mix *row;

    snprintf(plain, sizeof plain, "%.*s", (int)strcspn(start, "."), start);
    row = pm_costs_named(t->costs, plain, pm_float_name(type));
    pm_mix_add_row(row ? row : pm_costs_row(t->costs, PM_COST_call), pm_type_elements(type),
                   t->mix);
}

/* Returns the member of a mix that counts multiply-adds of tensor cores with the element type of A
 * and B. */
static double *products_of(pm_mix *mix, pm_element element)
{
    switch (element) {
    case PM_ELEMENT_F64:
        return &mix->tensor64;
    case PM_ELEMENT_F32:
    case PM_ELEMENT_TF32:
        return &mix->tensor32;
    case PM_ELEMENT_F16:
    case PM_ELEMENT_BF16:
        return &mix->tensor16;
    case PM_ELEMENT_E4M3:
    case PM_ELEMENT_E5M2:
        return &mix->tensor8;
    default:
        return &mix->tensor_integer;
    }
}

/* Counts a matrix product of a warp: one instruction, and its multiply-adds. */
static void add_product(const pm_mix_tally *t, pm_cost cost, LLVMValueRef call)
{
    pm_matrix_product product;
    pm_group_product group;

    pm_tally_add(t, cost, 1.0);
    if (pm_group_product_read(pm_callee_name(call), &group))
        product = group.of_warp;
    else if (!pm_matrix_product_read(pm_callee_name(call), &product))
        return;
    *products_of(t->mix, product.a) +=
        (pm_product_has_quads(&product) ? 4.0 : 1.0) * product.m * product.n * product.k;
}

static void add_intrinsic(const pm_mix_tally *t, const pm_intrinsic *intrinsic, LLVMValueRef call)
{
    LLVMTypeRef type = LLVMTypeOf(call);

    switch (intrinsic->counted) {
    case PM_COUNTED_CALL:
        pm_tally_add(t, PM_COST_call, 1.0);
        break;
    case PM_COUNTED_NOTHING:
        break;
    case PM_COUNTED_ARITHMETIC:
        add_arithmetic(t, intrinsic->name, type);
        break;
    case PM_COUNTED_ROW:
        pm_tally_add(t, intrinsic->cost, pm_type_elements(type));
        break;
    case PM_COUNTED_ONCE:
        pm_tally_add(t, intrinsic->cost, 1.0);
        break;
    case PM_COUNTED_PRODUCT:
        add_product(t, intrinsic->cost, call);
        break;
    case PM_COUNTED_BUILTIN:
        add_builtin(t, intrinsic->name, type);
        break;
    }
}

void pm_count_call(const pm_mix_tally *t, LLVMValueRef call)
{
    const char *name = pm_callee_name(call);
    const pm_mix *row = pm_costs_builtin(t->costs, name, pm_is_fast(call));
    const pm_intrinsic *intrinsic = pm_intrinsic_of(name);
    pm_call kind = pm_call_kind(call);

    if (row)
        pm_mix_add_row(row, 1.0, t->mix);
    else if (intrinsic)
        add_intrinsic(t, intrinsic, call);
    else
        pm_tally_add(t, kind == PM_CALL_ORDINARY ? PM_COST_call : PM_COST_constant, 1.0);
}
