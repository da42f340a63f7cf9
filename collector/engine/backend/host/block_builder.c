/* Each basic block of a kernel becomes a function of host code, which executes it for all
 * work-items of a warp. Generates what these functions have in common: their arguments, the loop
 * over work-items, and access to values of other blocks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/host/block_builder.h"

#include <stddef.h>

#include "collector/engine/backend/ir/intrinsics.h"
#include "collector/engine/backend/ir/ir.h"

/* ---- the function ------------------------------------------------------------------------- */

static void add_function(pm_block_builder *w, const char *name)
{
    LLVMTypeRef parameters[] = {w->pointer, w->pointer, w->i64, w->pointer, w->pointer, w->pointer};
    LLVMContextRef context = LLVMGetModuleContext(w->lanes->r.module);
    LLVMAttributeRef alone = LLVMCreateEnumAttribute(context, pm_attribute_kind("noalias"), 0);

    w->function = LLVMAddFunction(w->lanes->r.module, name,
                                  LLVMFunctionType(LLVMVoidTypeInContext(context), parameters,
                                                   sizeof parameters / sizeof *parameters, 0));
    for (unsigned i = 0; i < sizeof parameters / sizeof *parameters; i++)
        if (i != 2)
            LLVMAddAttributeAtIndex(w->function, i + 1, alone);
    w->frame = LLVMGetParam(w->function, 0);
    w->private_base = LLVMGetParam(w->function, 1);
    w->mask = LLVMGetParam(w->function, 2);
    w->group = LLVMGetParam(w->function, 3);
    w->addresses = LLVMGetParam(w->function, 4);
    w->next = LLVMGetParam(w->function, 5);
}

LLVMBasicBlockRef pm_block_builder_block(const pm_block_builder *w, const char *name)
{
    return LLVMAppendBasicBlockInContext(LLVMGetModuleContext(w->lanes->r.module), w->function,
                                         name);
}

LLVMValueRef pm_number(const pm_block_builder *w, uint64_t value)
{
    return LLVMConstInt(w->i64, value, 0);
}

LLVMValueRef pm_member(LLVMBuilderRef builder, LLVMTypeRef type, LLVMValueRef base,
                       LLVMValueRef index)
{
    return LLVMBuildInBoundsGEP2(builder, type, base, &index, 1, "");
}

LLVMValueRef pm_block_builder_load(pm_block_builder *w, LLVMTypeRef type, LLVMValueRef base,
                                   uint64_t offset)
{
    LLVMValueRef place = pm_member(w->uniform, w->i8, base, pm_number(w, offset));

    return LLVMBuildLoad2(w->uniform, type, place, "");
}

static LLVMValueRef from_group(pm_block_builder *w, LLVMTypeRef type, size_t offset)
{
    return pm_block_builder_load(w, type, w->group, offset);
}

/* Generates the start of the host function's loop over work-items. The loop's basic blocks are
 * executed in the order entry, then head, body and skip for each iteration, and done after the last
 * iteration. Work-items that do not execute the code go from head to skip. The branch from entry to
 * head is built last, because until then values that all work-items have in common are added to
 * entry. */
static void open_loop(pm_block_builder *w)
{
    LLVMBuilderRef b = w->builder;
    LLVMValueRef bits, offset;

    LLVMPositionBuilderAtEnd(b, w->head);
    w->lane = LLVMBuildPhi(b, w->i64, "lane");
    bits = LLVMBuildAnd(b, LLVMBuildLShr(b, w->mask, w->lane, ""),
                        pm_number(w, (UINT64_C(1) << w->step) - 1), "");
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, bits, pm_number(w, 0), ""), w->body, w->skip);
    LLVMPositionBuilderAtEnd(b, w->body);
    offset = LLVMBuildMul(b, w->lane, pm_number(w, w->lanes->values.private_bytes), "");
    w->private_memory = pm_member(b, w->i8, w->private_base, offset);
}

static void read_group(pm_block_builder *w)
{
    w->shared = from_group(w, w->pointer, offsetof(pm_group_context, shared));
    w->shared_bytes = from_group(w, w->i64, offsetof(pm_group_context, shared_bytes));
    w->arena = from_group(w, w->pointer, offsetof(pm_group_context, arena));
    w->arena_bytes = from_group(w, w->i64, offsetof(pm_group_context, arena_bytes));
    w->arena_address = from_group(w, w->i64, offsetof(pm_group_context, arena_address));
    w->spare = from_group(w, w->pointer, offsetof(pm_group_context, spare));
    w->arguments = from_group(w, w->pointer, offsetof(pm_group_context, values));
}

static uint32_t first_site(const pm_warp_builder *lanes, uint32_t segment)
{
    PM_EACH_OF_SEGMENT(i, &lanes->structure.segments[segment]) {
        const pm_code_value *value = pm_code_value_of(&lanes->values, i);

        if (value->sites > 0)
            return value->site;
    }
    return 0;
}

pm_block_builder pm_block_builder_start(const pm_warp_builder *lanes, uint32_t segment,
                                        unsigned step, const char *name)
{
    LLVMContextRef context = LLVMGetModuleContext(lanes->r.module);
    pm_block_builder w = {.lanes = lanes,
                          .segment = segment,
                          .step = step,
                          .first_site = first_site(lanes, segment),
                          .name = name,
                          .builder = lanes->builder,
                          .uniform = lanes->uniform,
                          .i8 = LLVMInt8TypeInContext(context),
                          .i32 = LLVMInt32TypeInContext(context),
                          .i64 = LLVMInt64TypeInContext(context),
                          .pointer = LLVMPointerTypeInContext(context, 0)};

    add_function(&w, name);
    w.entry = pm_block_builder_block(&w, "entry");
    w.head = pm_block_builder_block(&w, "head");
    w.body = pm_block_builder_block(&w, "body");
    w.skip = pm_block_builder_block(&w, "skip");
    w.done = pm_block_builder_block(&w, "done");
    LLVMPositionBuilderAtEnd(w.uniform, w.entry);
    read_group(&w);
    open_loop(&w);
    return w;
}

/* Raises an error for kernel code that the trace engine cannot translate. */
static _Noreturn void give_up(const pm_block_builder *w, const char *why)
{
    pm_leave(w->lanes->r.memory, PM_FAILED, "%s: %s", w->name, why);
}

void pm_block_builder_finish(pm_block_builder *w)
{
    LLVMBuilderRef b = w->builder;
    LLVMValueRef zero = pm_number(w, 0), after, more;

    for (unsigned k = 0; k < w->lanes->structure.segments[w->segment].successors; k++)
        LLVMBuildStore(w->uniform, zero, pm_member(w->uniform, w->i64, w->next, pm_number(w, k)));
    LLVMBuildBr(w->uniform, w->head);
    LLVMPositionBuilderAtEnd(b, w->skip);
    after = LLVMBuildAdd(b, w->lane, pm_number(w, w->step), "");
    more = LLVMBuildICmp(b, LLVMIntULT, after, pm_number(w, w->lanes->r.warp_width), "");
    LLVMBuildCondBr(b, more, w->head, w->done);
    LLVMAddIncoming(w->lane, (LLVMValueRef[]){zero, after},
                    (LLVMBasicBlockRef[]){w->entry, w->skip}, 2);
    LLVMPositionBuilderAtEnd(b, w->done);
    LLVMBuildRetVoid(b);
}

/* ---- values ------------------------------------------------------------------------------- */

/* Returns the entry of a value in the hash table `table`, or the free entry for it. The table has
 * `room` entries, uses open addressing and is never full. */
static pm_definition *find_place(pm_definition *table, size_t room, LLVMValueRef value)
{
    size_t i = (size_t)((uintptr_t)value * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);

    while (table[i].from && table[i].from != value)
        i = (i + 1) & (room - 1);
    return &table[i];
}

static void grow_defined(pm_block_builder *w)
{
    size_t room = w->defined_room ? 2 * w->defined_room : 64;
    pm_definition *grown = pm_take(w->lanes->r.memory, room, sizeof *grown);

    for (size_t i = 0; i < w->defined_room; i++)
        if (w->defined[i].from)
            *find_place(grown, room, w->defined[i].from) = w->defined[i];
    w->defined = grown;
    w->defined_room = room;
}

void pm_block_builder_define(pm_block_builder *w, LLVMValueRef from, LLVMValueRef to)
{
    pm_definition *place;

    if (2 * w->defined_count >= w->defined_room)
        grow_defined(w);
    place = find_place(w->defined, w->defined_room, from);
    w->defined_count += !place->from;
    *place = (pm_definition){from, to};
}

LLVMValueRef pm_block_builder_find(const pm_block_builder *w, LLVMValueRef value)
{
    return w->defined_room ? find_place(w->defined, w->defined_room, value)->to : NULL;
}

LLVMValueRef pm_block_builder_slot(pm_block_builder *w, int64_t slot, LLVMTypeRef type)
{
    LLVMValueRef base = pm_member(w->builder, w->i8, w->frame, pm_number(w, (uint64_t)slot));

    return pm_member(w->builder, type, base, w->lane);
}

LLVMValueRef pm_block_builder_argument_slot(pm_block_builder *w, LLVMValueRef argument)
{
    int i = pm_parameter_index(w->lanes->r.kernel, argument);

    if (i < 0)
        give_up(w, "a pointer into no argument");
    return pm_member(w->uniform, w->i8, w->arguments, pm_number(w, w->lanes->parameters[i].slot));
}

bool pm_block_builder_is_by_value(const pm_block_builder *w, LLVMValueRef argument)
{
    LLVMValueRef kernel = w->lanes->r.kernel;
    int i = pm_parameter_index(kernel, argument);

    return i >= 0 && pm_parameter_attribute(kernel, (unsigned)i, "byval");
}

/* Generates a pointer of type `type` to the byte at `offset` in the work-group's shared memory. */
static LLVMValueRef in_shared(pm_block_builder *w, LLVMValueRef offset, LLVMTypeRef type)
{
    return LLVMBuildPointerCast(w->uniform, pm_member(w->uniform, w->i8, w->shared, offset), type,
                                "");
}

/* Generates the load of a kernel argument. A pointer to shared memory is stored as an offset, to
 * which the start of shared memory is added. Other pointers and values are used as they are
 * stored. */
static LLVMValueRef argument_value(pm_block_builder *w, LLVMValueRef argument)
{
    LLVMTypeRef type = LLVMTypeOf(argument);
    LLVMValueRef slot = pm_block_builder_argument_slot(w, argument);

    if (pm_block_builder_is_by_value(w, argument))
        return LLVMBuildPointerCast(w->uniform, slot, type, "");
    if (LLVMGetTypeKind(type) != LLVMPointerTypeKind ||
        LLVMGetPointerAddressSpace(type) != SHARED_SPACE)
        return LLVMBuildLoad2(w->uniform, type, slot, "");
    return in_shared(w, LLVMBuildLoad2(w->uniform, w->i64, slot, ""), type);
}

/* Generates the load of the global offset of the dimension that is the call's argument. A dimension
 * that is not a constant may be out of range. It is therefore replaced by its remainder modulo 3,
 * with which the load is always valid. */
static LLVMValueRef global_offset(pm_block_builder *w, LLVMValueRef call)
{
    LLVMBuilderRef b = w->builder;
    LLVMValueRef at = LLVMBuildFreeze(b, pm_block_builder_value(w, LLVMGetOperand(call, 0)), "");
    LLVMValueRef three = LLVMConstInt(LLVMTypeOf(at), 3, 0);
    LLVMValueRef base =
        pm_member(b, w->i8, w->group, pm_number(w, offsetof(pm_group_context, offset)));

    at = LLVMBuildZExt(b, LLVMBuildURem(b, at, three, ""), w->i64, "");
    return LLVMBuildLoad2(b, w->i64, pm_member(b, w->i64, base, at), "");
}

static LLVMValueRef local_id(pm_block_builder *w, unsigned dimension)
{
    int64_t slot = (int64_t)dimension * w->lanes->r.warp_width * (int64_t)sizeof(uint32_t);

    return LLVMBuildLoad2(w->builder, w->i32, pm_block_builder_slot(w, slot, w->i32), "");
}

static LLVMValueRef answer(pm_block_builder *w, LLVMValueRef call)
{
    unsigned d = pm_call_dimension(call);

    switch (pm_call_kind(call)) {
    case PM_CALL_LOCAL_ID:
        return local_id(w, d);
    case PM_CALL_GROUP_ID:
        return from_group(w, w->i32, offsetof(pm_group_context, group) + 4 * d);
    case PM_CALL_LOCAL_SIZE:
        return from_group(w, w->i32, offsetof(pm_group_context, local_size) + 4 * d);
    case PM_CALL_GROUPS:
        return from_group(w, w->i32, offsetof(pm_group_context, groups) + 4 * d);
    case PM_CALL_DIMENSIONS:
        return from_group(w, w->i32, offsetof(pm_group_context, dimensions));
    case PM_CALL_CLOCK:
        return LLVMConstNull(w->i32);
    default:
        return global_offset(w, call);
    }
}

/* Generates the result of a call that reads an id or a size of the launch, converted to the type of
 * the call (an integer of 32 or 64 bits). */
LLVMValueRef pm_block_builder_call(pm_block_builder *w, LLVMValueRef call)
{
    return LLVMBuildIntCast2(w->builder, answer(w, call), LLVMTypeOf(call), 0, "");
}

static LLVMValueRef shared_variable(pm_block_builder *w, LLVMValueRef variable)
{
    for (size_t i = 0; i < w->lanes->shared_count; i++)
        if (w->lanes->shared[i].variable == variable)
            return in_shared(w, pm_number(w, w->lanes->shared[i].offset), LLVMTypeOf(variable));
    give_up(w, "an unknown shared variable");
}

static bool mentions_shared(const pm_block_builder *w, LLVMValueRef constant)
{
    if (LLVMIsAGlobalVariable(constant))
        return LLVMGetPointerAddressSpace(LLVMTypeOf(constant)) == SHARED_SPACE;
    if (!LLVMIsAConstantExpr(constant) && !LLVMIsAConstantVector(constant))
        return false;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(constant); i++)
        if (mentions_shared(w, LLVMGetOperand(constant, i)))
            return true;
    return false;
}

static LLVMValueRef shared_constant(pm_block_builder *w, LLVMValueRef constant);

/* Translates a constant vector that has an element with the address of a shared variable. */
static LLVMValueRef shared_vector(pm_block_builder *w, LLVMValueRef constant)
{
    LLVMValueRef vector = LLVMGetPoison(LLVMTypeOf(constant));

    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(constant); i++)
        vector = LLVMBuildInsertElement(w->uniform, vector,
                                        shared_constant(w, LLVMGetOperand(constant, i)),
                                        LLVMConstInt(w->i32, i, 0), "");
    return vector;
}

/* Translates a constant expression that contains the address of a shared variable. This address
 * differs between work-groups, so the expression becomes instructions in the function's entry basic
 * block. */
static LLVMValueRef shared_constant(pm_block_builder *w, LLVMValueRef constant)
{
    LLVMTypeRef type = LLVMTypeOf(constant);
    LLVMValueRef operands[16] = {0};
    unsigned count;

    if (!mentions_shared(w, constant))
        return constant;
    if (LLVMIsAGlobalVariable(constant))
        return shared_variable(w, constant);
    if (LLVMIsAConstantVector(constant))
        return shared_vector(w, constant);
    count = (unsigned)LLVMGetNumOperands(constant);
    if (!LLVMIsAConstantExpr(constant) || count > sizeof operands / sizeof *operands)
        give_up(w, "a constant of a kind that the engine does not know");
    for (unsigned i = 0; i < count; i++)
        operands[i] = shared_constant(w, LLVMGetOperand(constant, i));
    switch (LLVMGetConstOpcode(constant)) {
    case LLVMGetElementPtr:
        return LLVMBuildGEP2(w->uniform, LLVMGetGEPSourceElementType(constant), operands[0],
                             operands + 1, count - 1, "");
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
        return LLVMBuildPointerCast(w->uniform, operands[0], type, "");
    case LLVMPtrToInt:
        return LLVMBuildPtrToInt(w->uniform, operands[0], type, "");
    case LLVMIntToPtr:
        return LLVMBuildIntToPtr(w->uniform, operands[0], type, "");
    case LLVMTrunc:
        return LLVMBuildTrunc(w->uniform, operands[0], type, "");
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMXor:
        return LLVMBuildBinOp(w->uniform, LLVMGetConstOpcode(constant), operands[0], operands[1],
                              "");
    default:
        give_up(w, "a constant expression of a kind that the engine does not know");
    }
}

/* Generates a pointer to a private variable in the current work-item's private memory. */
static LLVMValueRef private_variable(pm_block_builder *w, LLVMValueRef variable)
{
    uint64_t offset = (uint64_t)pm_code_value_of(&w->lanes->values, variable)->slot;
    LLVMValueRef place = pm_member(w->builder, w->i8, w->private_memory, pm_number(w, offset));

    return LLVMBuildPointerCast(w->builder, place, LLVMTypeOf(variable), "");
}

LLVMValueRef pm_block_builder_value(pm_block_builder *w, LLVMValueRef value)
{
    LLVMValueRef here = pm_block_builder_find(w, value);
    const pm_code_value *known;

    if (here)
        return here;
    if (LLVMIsAArgument(value)) {
        here = argument_value(w, value);
    } else if (LLVMIsAConstant(value)) {
        here = shared_constant(w, value);
    } else if (!LLVMIsAInstruction(value)) {
        return value; /* metadata is used unchanged in the host function */
    } else if (LLVMIsAAllocaInst(value)) {
        here = private_variable(w, value);
    } else if (pm_value_is_free(value)) {
        here = pm_block_builder_call(w, value);
    } else {
        known = pm_code_value_of(&w->lanes->values, value);
        if (!known || known->slot == PM_NO_SLOT)
            give_up(w, "a value that was not kept");
        here = LLVMBuildLoad2(w->builder, LLVMTypeOf(value),
                              pm_block_builder_slot(w, known->slot, LLVMTypeOf(value)), "");
    }
    pm_block_builder_define(w, value, here);
    return here;
}
