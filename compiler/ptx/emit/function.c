/* Translates a PTX function to an LLVM function: its variables, basic blocks and predicated
 * instructions. See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The LLVM function of a kernel has the parameters that the PTX declares. The LLVM function of any
 * other PTX function gets addresses: of the variable for its result, and of its parameters, which
 * are all variables of the caller. Such functions are inlined.
 */
#include <string.h>

#include "compiler/ptx/emit/compile.h"
#include "compiler/ptx/emit/emitter.h"

/* value of LLVM's function attribute "memory": the function reads and writes only memory that code
 * of this module cannot access */
enum { INACCESSIBLE_MEMORY = 3 << 2 };

/* ---- declarations ---------------------------------------------------------------------------- */

static LLVMAttributeRef attribute_of(const pm_ptx_emitter *e, const char *name, uint64_t value)
{
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

    return LLVMCreateEnumAttribute(e->context, kind, value);
}

static void add_attribute(pm_ptx_emitter *e, LLVMValueRef function, const char *name)
{
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute_of(e, name, 0));
}

LLVMValueRef pm_ptx_function_of(pm_ptx_emitter *e, const pm_ptx_function *f)
{
    LLVMValueRef *made = &e->functions[f->number];
    const size_t count = f->result_count + f->parameter_count;
    LLVMTypeRef *types;

    if (*made)
        return *made;
    types = pm_take(e->memory, count + 1, sizeof(LLVMTypeRef));
    for (size_t k = 0; k < count; k++)
        types[k] = LLVMPointerTypeInContext(e->context, 0);
    *made = LLVMAddFunction(
        e->module, f->name,
        LLVMFunctionType(LLVMVoidTypeInContext(e->context), types, (unsigned)count, 0));
    LLVMSetLinkage(*made, LLVMInternalLinkage);
    add_attribute(e, *made, "alwaysinline");
    *pm_add(e->memory, e->waiting, e->waiting_count) = f;
    return *made;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void begin_lines(pm_ptx_emitter *e)
{
    LLVMMetadataRef type =
        LLVMDIBuilderCreateSubroutineType(e->lines, e->file, NULL, 0, LLVMDIFlagZero);

    e->scope = LLVMDIBuilderCreateFunction(e->lines, e->file, e->f->name, strlen(e->f->name),
                                           e->f->name, strlen(e->f->name), e->file, e->f->line,
                                           type, 0, 1, e->f->line, LLVMDIFlagZero, 1);
    LLVMSetSubprogram(e->function, e->scope);
}

static void set_line(pm_ptx_emitter *e, unsigned line)
{
    LLVMMetadataRef at = LLVMDIBuilderCreateDebugLocation(e->context, line, 1, e->scope, NULL);

    LLVMSetCurrentDebugLocation2(e->b, at);
    LLVMSetCurrentDebugLocation2(e->entry, at);
}

/* ---- parameters ------------------------------------------------------------------------------ */

/* Stores a kernel's scalar parameter to a variable, from which the code loads it. A pointer is
 * stored as a number. */
static LLVMValueRef store_parameter(pm_ptx_emitter *e, LLVMValueRef parameter)
{
    LLVMTypeRef type = LLVMTypeOf(parameter);
    LLVMValueRef place;

    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        parameter = LLVMBuildPtrToInt(e->b, parameter, pm_ptx_integer_type(e, 64), "");
    place = pm_ptx_variable_of(e, LLVMTypeOf(parameter), 8);
    LLVMBuildStore(e->b, parameter, place);
    return place;
}

static void begin_parameters(pm_ptx_emitter *e)
{
    const pm_ptx_function *f = e->f;
    unsigned next = 0;

    for (size_t k = 0; k < f->result_count; k++)
        e->result[k] = LLVMGetParam(e->function, next++);
    for (size_t k = 0; k < f->parameter_count; k++) {
        LLVMValueRef parameter = LLVMGetParam(e->function, next++);

        e->parameters[k] =
            f->is_kernel && !f->parameters[k]->is_array ? store_parameter(e, parameter) : parameter;
    }
}

/* ---- basic blocks ---------------------------------------------------------------------------- */

/* Makes a basic block for each label at which an instruction starts. */
static void begin_blocks(pm_ptx_emitter *e)
{
    const pm_ptx_function *f = e->f;

    for (size_t k = 0; k < f->label_count; k++)
        if (!f->labels[k].targets && !e->targets[f->labels[k].at])
            e->targets[f->labels[k].at] = pm_ptx_add_block(e);
}

/* Starts emitting into the basic block of instruction k, if the instruction has a label. If it has
 * none, but follows a jump, starts a new basic block. */
static void continue_at(pm_ptx_emitter *e, size_t k)
{
    LLVMBasicBlockRef next = e->targets[k];

    if (!next && !e->ended)
        return;
    pm_ptx_continue_in(e, next ? next : pm_ptx_add_block(e));
}

/* ---- marks ----------------------------------------------------------------------------------- */

/* Returns the function PM_PTX_MARK, whose calls count the executions of basic blocks. LLVM does not
 * remove its calls or change their order, but may move memory accesses across them. */
static LLVMValueRef mark_function(pm_ptx_emitter *e)
{
    LLVMTypeRef word = pm_ptx_integer_type(e, 32);
    LLVMValueRef function = LLVMGetNamedFunction(e->module, PM_PTX_MARK);

    if (function)
        return function;
    function = LLVMAddFunction(e->module, PM_PTX_MARK,
                               LLVMFunctionType(LLVMVoidTypeInContext(e->context), &word, 1, 0));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            attribute_of(e, "memory", INACCESSIBLE_MEMORY));
    add_attribute(e, function, "nounwind");
    add_attribute(e, function, "willreturn");
    return function;
}

/* Emits a call of PM_PTX_MARK, by which the trace engine counts the executions of a basic block. k:
 * index of the block's first instruction. The call is marked so that LLVM does not merge the calls
 * of several blocks. */
static void emit_mark(pm_ptx_emitter *e, size_t k)
{
    LLVMValueRef function = mark_function(e);
    LLVMValueRef number =
        pm_ptx_constant(pm_ptx_integer_type(e, 32), pm_ptx_first_number(e->tree, e->f) + k);

    LLVMValueRef call =
        LLVMBuildCall2(e->b, LLVMGlobalGetValueType(function), function, &number, 1, "");

    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, attribute_of(e, "nomerge", 0));
}

/* ---- predicated instructions ----------------------------------------------------------------- */

static bool mentions(const pm_ptx_operand *operand, const pm_ptx_register *reg)
{
    if (operand->kind == PM_PTX_REGISTER && operand->reg == reg)
        return true;
    for (size_t k = 0; k < operand->part_count; k++)
        if (mentions(&operand->parts[k], reg))
            return true;
    return false;
}

/* Returns whether instruction k + 1 is executed under the same condition as instruction k: it has
 * the same predicate, and instruction k does not write the predicate. */
static bool joins_next(const pm_ptx_emitter *e, size_t k)
{
    const pm_ptx_function *f = e->f;
    const pm_ptx_instruction *i = &f->instructions[k];

    return k + 1 < f->instruction_count && !e->targets[k + 1] && !e->ended &&
           i[1].guard == i->guard && i[1].guard_negated == i->guard_negated &&
           !(i->operand_count > 0 && mentions(&i->operands[0], i->guard));
}

/* Emits instruction k, which is executed only if its predicate is set, and the following
 * instructions with the same predicate. Returns the index of the last one. */
static size_t emit_guarded(pm_ptx_emitter *e, size_t k)
{
    const pm_ptx_instruction *i = &e->f->instructions[k];
    LLVMBasicBlockRef then, next = pm_ptx_add_block(e);
    const pm_ptx_operand guard = {.kind = PM_PTX_REGISTER, .reg = i->guard};
    LLVMValueRef condition = pm_ptx_value(e, i, &guard, pm_ptx_type_named("pred"));

    if (strcmp(i->opcode, "bra") == 0 && i->operand_count == 1) {
        pm_ptx_emit_jump(e, i, condition, next);
        pm_ptx_continue_in(e, next);
        return k;
    }
    then = pm_ptx_add_block(e);
    LLVMBuildCondBr(e->b, condition, i->guard_negated ? next : then,
                    i->guard_negated ? then : next);
    LLVMPositionBuilderAtEnd(e->b, then);
    for (;; k++) {
        set_line(e, e->f->instructions[k].line);
        pm_ptx_emit_instruction(e, &e->f->instructions[k]);
        if (!joins_next(e, k))
            break;
    }
    pm_ptx_continue_in(e, next);
    return k;
}

/* ---- functions ------------------------------------------------------------------------------- */

static void emit_body(pm_ptx_emitter *e)
{
    const pm_ptx_function *f = e->f;
    const size_t *first = e->marks ? pm_ptx_find_blocks(e->memory, f) : NULL;

    for (size_t k = 0; k < f->instruction_count; k++) {
        continue_at(e, k);
        set_line(e, f->instructions[k].line);
        if (first && first[k] == k)
            emit_mark(e, k);
        if (f->instructions[k].guard)
            k = emit_guarded(e, k);
        else
            pm_ptx_emit_instruction(e, &f->instructions[k]);
    }
    continue_at(e, f->instruction_count);
    if (!e->ended)
        LLVMBuildRetVoid(e->b);
}

static LLVMValueRef *take_values(pm_ptx_emitter *e, size_t count)
{
    return pm_take(e->memory, count + 1, sizeof(LLVMValueRef));
}

/* Refuses a kernel whose clusters have several blocks. */
static void check_cluster(const pm_ptx_emitter *e, const pm_ptx_function *f)
{
    if (f->cluster[0] && (uint64_t)f->cluster[0] * f->cluster[1] * f->cluster[2] > 1)
        pm_leave(e->memory, PM_BAD_INPUT,
                 "%s:%u: clusters of several blocks (.reqnctapercluster) cannot be traced; compile "
                 "the kernel for clusters of one block",
                 e->tree->path, f->line);
}

void pm_ptx_emit_function(pm_ptx_emitter *e, const pm_ptx_function *f)
{
    LLVMBasicBlockRef variables, start;

    check_cluster(e, f);
    e->f = f;
    e->function = e->functions[f->number];
    e->registers = take_values(e, f->register_count);
    e->locals = take_values(e, f->variable_count);
    e->parameters = take_values(e, f->parameter_count);
    e->result = take_values(e, f->result_count);
    e->targets = pm_take(e->memory, f->instruction_count + 1, sizeof(LLVMBasicBlockRef));
    e->carry = NULL;
    e->ended = false;
    variables = pm_ptx_add_block(e);
    start = pm_ptx_add_block(e);
    LLVMPositionBuilderAtEnd(e->entry, variables);
    LLVMPositionBuilderAtEnd(e->b, start);
    begin_lines(e);
    set_line(e, f->line);
    begin_parameters(e);
    begin_blocks(e);
    emit_body(e);
    LLVMBuildBr(e->entry, start);
}
