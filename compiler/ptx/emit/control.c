/* Emits LLVM IR for PTX instructions that jump, call, return, or order memory accesses (fences and
 * barriers). See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/strings.h"
#include "compiler/ptx/emit/emitter.h"

/* ---- jumps ----------------------------------------------------------------------------------- */

static LLVMBasicBlockRef target_of(const pm_ptx_emitter *e, const pm_ptx_instruction *i,
                                   const char *name)
{
    const pm_ptx_label *label = name ? pm_ptx_find_label(e->f, i->scope, name) : NULL;

    if (!label || label->targets)
        pm_ptx_refuse(e, i, "there is no label %.60s", name ? name : "here");
    return e->targets[label->at];
}

void pm_ptx_emit_jump(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef condition,
                      LLVMBasicBlockRef next)
{
    LLVMBasicBlockRef to = target_of(e, i, i->operands[0].text);

    if (!condition)
        LLVMBuildBr(e->b, to);
    else if (i->guard_negated)
        LLVMBuildCondBr(e->b, condition, next, to);
    else
        LLVMBuildCondBr(e->b, condition, to, next);
    e->ended = true;
}

void pm_ptx_emit_bra(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    pm_ptx_emit_jump(e, i, NULL, NULL);
}

/* Emits brx.idx: a jump to the label at an index of a list. PTX does not allow an index beyond the
 * list; here such an index leads to the last label. */
void pm_ptx_emit_brx(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const char *name = i->operands[1].text;
    const pm_ptx_label *list = name ? pm_ptx_find_label(e->f, i->scope, name) : NULL;
    LLVMValueRef index = pm_ptx_source_as(e, i, 0, "u32"), jump;

    if (!list || !list->targets)
        pm_ptx_refuse(e, i, "there is no list of labels %.60s", name ? name : "here");
    jump = LLVMBuildSwitch(e->b, index, target_of(e, i, list->targets[list->target_count - 1]),
                           (unsigned)list->target_count);
    for (size_t k = 0; k + 1 < list->target_count; k++)
        LLVMAddCase(jump, pm_ptx_constant(LLVMTypeOf(index), k), target_of(e, i, list->targets[k]));
    e->ended = true;
}

void pm_ptx_emit_ret(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    (void)i;
    LLVMBuildRetVoid(e->b);
    e->ended = true;
}

/* Emits exit, which ends the thread, and trap, which aborts the whole launch with an error. Traces
 * assume that no error happens, so trap ends the thread, too. */
void pm_ptx_emit_exit(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    if (!e->f->is_kernel && strcmp(i->opcode, "exit") == 0)
        pm_ptx_refuse(e, i,
                      "an exit in a function that is no kernel cannot be traced; let nvcc "
                      "inline the function (__forceinline__)");
    pm_ptx_emit_ret(e, i);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Functions of CUDA's run-time system that print or report errors. Calls of them are left out. */
static bool is_left_out(const char *name)
{
    static const char *const names[] = {"vprintf", "__assertfail", "__assert_fail", NULL};

    return pm_listed(names, name);
}

/* Adds the addresses of the variables in a list, such as (param0, param1), to `arguments`. */
static void add_arguments(pm_ptx_emitter *e, const pm_ptx_instruction *i,
                          const pm_ptx_operand *list, pm_ptx_variable *const *declared,
                          size_t count, LLVMValueRef **arguments, size_t *used)
{
    if ((list ? list->part_count : 0) != count)
        pm_ptx_refuse(e, i, "the call gives another number of values than the function has");
    for (size_t k = 0; k < count; k++) {
        const pm_ptx_operand *part = &list->parts[k];

        if (part->kind != PM_PTX_SYMBOL || part->variable->space != PM_PTX_PARAM || part->bits != 0)
            pm_ptx_refuse(e, i, "its arguments and results must be variables declared with .param");
        if (pm_ptx_variable_bytes(part->variable) < pm_ptx_variable_bytes(declared[k]))
            pm_ptx_refuse(e, i, "%.60s has fewer bytes than the function's %.60s",
                          part->variable->name, declared[k]->name);
        *pm_add(e->memory, *arguments, *used) = pm_ptx_symbol(e, i, part->variable);
    }
}

void pm_ptx_emit_call(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const bool has_result = i->operands[0].kind == PM_PTX_LIST;
    const pm_ptx_operand *callee =
        i->operand_count > (has_result ? 1 : 0) ? &i->operands[has_result] : NULL;
    const pm_ptx_operand *given =
        callee && i->operand_count > (has_result ? 2 : 1) ? callee + 1 : NULL;
    LLVMValueRef *arguments = NULL, function;
    size_t used = 0;

    if (!callee || callee->kind != PM_PTX_CALLEE)
        pm_ptx_refuse(e, i,
                      "calls by the address of a function cannot be traced; call the "
                      "function by its name");
    if (is_left_out(callee->function->name))
        return;
    if (!callee->function->has_body || callee->function->is_kernel)
        pm_ptx_refuse(e, i, "the function %.100s has no code in this file", callee->function->name);
    add_arguments(e, i, has_result ? &i->operands[0] : NULL, callee->function->results,
                  callee->function->result_count, &arguments, &used);
    add_arguments(e, i, given, callee->function->parameters, callee->function->parameter_count,
                  &arguments, &used);
    function = pm_ptx_function_of(e, callee->function);
    LLVMBuildCall2(e->b, LLVMGlobalGetValueType(function), function, arguments, (unsigned)used, "");
}

/* ---- fences -----------------------------------------------------------------------------------
 */

void pm_ptx_emit_fence(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const char *name = pm_ptx_has(i, "cta")   ? "llvm.nvvm.membar.cta"
                       : pm_ptx_has(i, "sys") ? "llvm.nvvm.membar.sys"
                                              : "llvm.nvvm.membar.gl";

    pm_ptx_intrinsic(e, name, NULL, NULL, 0);
}
