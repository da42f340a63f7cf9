/* Creates an LLVM variable for each variable of a PTX module (global, constant, shared and local).
 * See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "compiler/ptx/emit/emitter.h"

unsigned pm_ptx_address_space(pm_ptx_space space)
{
    /* Numbers of address spaces in LLVM. Private variables and parameters have number 0, as in
     * clang's code. */
    static const unsigned spaces[PM_PTX_SPACES] = {
        [PM_PTX_GLOBAL] = 1, [PM_PTX_SHARED] = 3, [PM_PTX_CONST] = 4};

    return spaces[space];
}

LLVMTypeRef pm_ptx_variable_type(const pm_ptx_emitter *e, const pm_ptx_variable *variable)
{
    const pm_ptx_type *type = variable->type;
    LLVMTypeRef element = type->number == PM_PTX_FLOAT && type->bits >= 32
                              ? pm_ptx_llvm_type(e, type)
                              : pm_ptx_integer_type(e, pm_ptx_type_bits(type));

    return variable->is_array ? LLVMArrayType2(element, variable->elements) : element;
}

/* ---- initial values -------------------------------------------------------------------------- */

static LLVMValueRef initial_address(pm_ptx_emitter *e, const pm_ptx_variable *variable,
                                    const pm_ptx_initial *initial)
{
    (void)initial;
    pm_leave(e->memory, PM_BAD_INPUT,
             "%s:%u: the variable %.100s begins as the address of %.100s, which is not known in a "
             "trace; pass the address as an argument",
             e->tree->path, variable->line, variable->name, initial->symbol);
}

static LLVMValueRef initial_element(pm_ptx_emitter *e, const pm_ptx_variable *variable,
                                    const pm_ptx_initial *initial, LLVMTypeRef type)
{
    LLVMValueRef bits;

    if (initial->symbol)
        return initial_address(e, variable, initial);
    bits = LLVMConstInt(pm_ptx_integer_type(e, pm_ptx_type_bits(variable->type)), initial->bits, 0);
    return LLVMConstBitCast(bits, type);
}

enum { MOST_LISTED = 1 << 22 };

static LLVMValueRef initial_value(pm_ptx_emitter *e, const pm_ptx_variable *variable)
{
    LLVMTypeRef type = pm_ptx_variable_type(e, variable);
    LLVMTypeRef element = variable->is_array ? LLVMGetElementType(type) : type;
    LLVMValueRef *values;

    if (variable->initial_count == 0)
        return LLVMConstNull(type);
    if (!variable->is_array)
        return initial_element(e, variable, &variable->initial[0], element);
    if (variable->elements > MOST_LISTED)
        pm_leave(
            e->memory, PM_BAD_INPUT,
            "%s:%u: %.100s has initial values and more than %d elements; pass it as an argument",
            e->tree->path, variable->line, variable->name, MOST_LISTED);
    values = pm_take(e->memory, variable->elements + 1, sizeof(LLVMValueRef));
    for (uint64_t k = 0; k < variable->elements; k++)
        values[k] = LLVMConstNull(element);
    for (size_t k = 0; k < variable->initial_count; k++)
        if (variable->initial[k].index < variable->elements)
            values[variable->initial[k].index] =
                initial_element(e, variable, &variable->initial[k], element);
    return LLVMConstArray2(element, values, variable->elements);
}

/* ---- variables ------------------------------------------------------------------------------- */

/* Makes a variable in shared, constant or global memory. */
static LLVMValueRef add_global(pm_ptx_emitter *e, const pm_ptx_variable *variable)
{
    LLVMTypeRef type = pm_ptx_variable_type(e, variable);
    LLVMValueRef made = LLVMAddGlobalInAddressSpace(e->module, type, variable->name,
                                                    pm_ptx_address_space(variable->space));
    const bool is_shared = variable->space == PM_PTX_SHARED;

    LLVMSetAlignment(made, (unsigned)pm_ptx_variable_align(variable));
    if (is_shared && !variable->is_unsized) {
        LLVMSetInitializer(made, LLVMGetUndef(type));
        LLVMSetLinkage(made, LLVMInternalLinkage);
    } else if (!is_shared && !variable->is_extern) {
        LLVMSetInitializer(made, initial_value(e, variable));
        LLVMSetExternallyInitialized(made, 1);
    }
    return made;
}

/* Makes a variable of the current function: one in private memory, or a parameter of a call. */
static LLVMValueRef add_local(pm_ptx_emitter *e, const pm_ptx_variable *variable)
{
    if (variable->space == PM_PTX_LOCAL || variable->space == PM_PTX_PARAM)
        return pm_ptx_variable_of(e, pm_ptx_variable_type(e, variable),
                                  pm_ptx_variable_align(variable));
    return add_global(e, variable);
}

static bool is_of_module(const pm_ptx_emitter *e, const pm_ptx_variable *variable)
{
    return variable->number < e->tree->variable_count &&
           e->tree->variables[variable->number] == variable;
}

/* Returns where the emitter stores the address of a variable of the current function. NULL: the
 * variable belongs to another function. */
static LLVMValueRef *place_of(pm_ptx_emitter *e, const pm_ptx_variable *variable)
{
    const pm_ptx_function *f = e->f;
    const size_t n = variable->number;

    if (variable->is_result)
        return n < f->result_count && f->results[n] == variable ? &e->result[n] : NULL;
    if (n < f->parameter_count && f->parameters[n] == variable)
        return &e->parameters[n];
    return n < f->variable_count && f->variables[n] == variable ? &e->locals[n] : NULL;
}

LLVMValueRef pm_ptx_symbol(pm_ptx_emitter *e, const pm_ptx_instruction *i,
                           const pm_ptx_variable *variable)
{
    LLVMValueRef *place;

    if (is_of_module(e, variable)) {
        place = &e->variables[variable->number];
        if (!*place && variable->space == PM_PTX_LOCAL)
            pm_ptx_refuse(e, i, "private memory outside of functions cannot be traced");
        *place = *place ? *place : add_global(e, variable);
        return *place;
    }
    place = place_of(e, variable);
    if (!place)
        pm_ptx_refuse(e, i, "the variable %.100s belongs to another function", variable->name);
    *place = *place ? *place : add_local(e, variable);
    return *place;
}
