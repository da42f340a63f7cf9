/* The frame of a block's host function. See writer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "writer.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "ir.h"
#include "module.h"

/* ---- the function ------------------------------------------------------------------------- */

static void add_function(pm_writer *w, const char *name)
{
    LLVMTypeRef parameters[] = {w->pointer, w->pointer, w->i64, w->pointer, w->pointer, w->pointer};
    LLVMContextRef context = LLVMGetModuleContext(w->lanes->module);
    LLVMAttributeRef alone =
        LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName("noalias", 7), 0);

    w->function = LLVMAddFunction(w->lanes->module, name,
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

LLVMBasicBlockRef pm_writer_block(pm_writer *w, const char *name)
{
    return LLVMAppendBasicBlockInContext(LLVMGetModuleContext(w->lanes->module), w->function, name);
}

LLVMValueRef pm_writer_load(pm_writer *w, LLVMTypeRef type, LLVMValueRef base, uint64_t offset)
{
    LLVMValueRef index = LLVMConstInt(w->i64, offset, 0);

    return LLVMBuildLoad2(w->uniform, type,
                          LLVMBuildInBoundsGEP2(w->uniform, w->i8, base, &index, 1, ""), "");
}

static LLVMValueRef from_group(pm_writer *w, LLVMTypeRef type, size_t offset)
{
    return pm_writer_load(w, type, w->group, offset);
}

/* entry -> head -> (body ->) skip -> head or done. The entry's branch to head is built at the end,
 * when all that work-items share has been put before it. */
static void open_loop(pm_writer *w)
{
    LLVMBuilderRef b = w->builder;
    LLVMValueRef bit, offset;

    LLVMPositionBuilderAtEnd(b, w->head);
    w->lane = LLVMBuildPhi(b, w->i64, "lane");
    bit = LLVMBuildTrunc(b, LLVMBuildLShr(b, w->mask, w->lane, ""),
                         LLVMInt1TypeInContext(LLVMGetModuleContext(w->lanes->module)), "");
    LLVMBuildCondBr(b, bit, w->body, w->skip);
    LLVMPositionBuilderAtEnd(b, w->body);
    offset = LLVMBuildMul(b, w->lane, LLVMConstInt(w->i64, w->lanes->values->private_bytes, 0), "");
    w->private_memory = LLVMBuildInBoundsGEP2(b, w->i8, w->private_base, &offset, 1, "");
}

static void read_group(pm_writer *w)
{
    w->shared = from_group(w, w->pointer, offsetof(pm_group_context, shared));
    w->shared_bytes = from_group(w, w->i64, offsetof(pm_group_context, shared_bytes));
    w->arena = from_group(w, w->pointer, offsetof(pm_group_context, arena));
    w->arena_bytes = from_group(w, w->i64, offsetof(pm_group_context, arena_bytes));
    w->arena_address = from_group(w, w->i64, offsetof(pm_group_context, arena_address));
    w->spare = from_group(w, w->pointer, offsetof(pm_group_context, spare));
    w->arguments = from_group(w, w->pointer, offsetof(pm_group_context, values));
}

static uint32_t first_site(const pm_lanes *lanes, uint32_t segment)
{
    const pm_segment *s = &lanes->structure->segments[segment];

    for (LLVMValueRef i = s->first;; i = LLVMGetNextInstruction(i)) {
        const pm_value *value = pm_value_of(lanes->values, i);

        if (value->sites > 0)
            return value->site;
        if (i == s->last)
            return 0;
    }
}

pm_writer *pm_writer_create(const pm_lanes *lanes, uint32_t segment, const char *name,
                            pm_error *err)
{
    LLVMContextRef context = LLVMGetModuleContext(lanes->module);
    pm_writer *w = calloc(1, sizeof *w);

    if (!w) {
        pm_fail(err, PM_FAILED, "out of memory for the code of %s", name);
        return NULL;
    }
    w->lanes = lanes;
    w->segment = segment;
    w->first_site = first_site(lanes, segment);
    w->i8 = LLVMInt8TypeInContext(context);
    w->i32 = LLVMInt32TypeInContext(context);
    w->i64 = LLVMInt64TypeInContext(context);
    w->pointer = LLVMPointerTypeInContext(context, 0);
    add_function(w, name);
    w->entry = pm_writer_block(w, "entry");
    w->head = pm_writer_block(w, "head");
    w->body = pm_writer_block(w, "body");
    w->skip = pm_writer_block(w, "skip");
    w->done = pm_writer_block(w, "done");
    w->builder = LLVMCreateBuilderInContext(context);
    w->uniform = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(w->uniform, w->entry);
    read_group(w);
    open_loop(w);
    return w;
}

void pm_writer_finish(pm_writer *w)
{
    LLVMBuilderRef b = w->builder;
    LLVMValueRef zero = LLVMConstInt(w->i64, 0, 0), after, more;

    for (unsigned k = 0; k < w->lanes->structure->segments[w->segment].successors; k++) {
        LLVMValueRef index = LLVMConstInt(w->i64, k, 0);

        LLVMBuildStore(w->uniform, zero,
                       LLVMBuildInBoundsGEP2(w->uniform, w->i64, w->next, &index, 1, ""));
    }
    LLVMBuildBr(w->uniform, w->head);
    LLVMPositionBuilderAtEnd(b, w->skip);
    after = LLVMBuildAdd(b, w->lane, LLVMConstInt(w->i64, 1, 0), "");
    more = LLVMBuildICmp(b, LLVMIntULT, after, LLVMConstInt(w->i64, w->lanes->warp_width, 0), "");
    LLVMBuildCondBr(b, more, w->head, w->done);
    LLVMAddIncoming(w->lane, (LLVMValueRef[]){zero, after},
                    (LLVMBasicBlockRef[]){w->entry, w->skip}, 2);
    LLVMPositionBuilderAtEnd(b, w->done);
    LLVMBuildRetVoid(b);
}

void pm_writer_free(pm_writer *w)
{
    LLVMDisposeBuilder(w->builder);
    LLVMDisposeBuilder(w->uniform);
    free(w->defined);
    free(w);
}

/* ---- values ------------------------------------------------------------------------------- */

/* Where value is in the table or would be: open addressing, and the table is never full. */
static pm_definition *find_place(pm_definition *table, size_t room, LLVMValueRef value)
{
    size_t i = (size_t)((uintptr_t)value * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);

    while (table[i].from && table[i].from != value)
        i = (i + 1) & (room - 1);
    return &table[i];
}

static bool grow_defined(pm_writer *w)
{
    size_t room = w->defined_room ? 2 * w->defined_room : 64;
    pm_definition *grown = calloc(room, sizeof *grown);

    if (!grown)
        return false;
    for (size_t i = 0; i < w->defined_room; i++)
        if (w->defined[i].from)
            *find_place(grown, room, w->defined[i].from) = w->defined[i];
    free(w->defined);
    w->defined = grown;
    w->defined_room = room;
    return true;
}

void pm_writer_define(pm_writer *w, LLVMValueRef from, LLVMValueRef to)
{
    pm_definition *place;

    if (2 * w->defined_count >= w->defined_room && !grow_defined(w)) {
        w->failed = "out of memory";
        return;
    }
    place = find_place(w->defined, w->defined_room, from);
    w->defined_count += !place->from;
    *place = (pm_definition){from, to};
}

static LLVMValueRef find_defined(const pm_writer *w, LLVMValueRef value)
{
    return w->defined_room ? find_place(w->defined, w->defined_room, value)->to : NULL;
}

LLVMValueRef pm_writer_slot(pm_writer *w, int64_t slot, LLVMTypeRef type)
{
    LLVMValueRef offset = LLVMConstInt(w->i64, (uint64_t)slot, 0);
    LLVMValueRef base = LLVMBuildInBoundsGEP2(w->builder, w->i8, w->frame, &offset, 1, "");

    return LLVMBuildInBoundsGEP2(w->builder, type, base, &w->lane, 1, "");
}

LLVMValueRef pm_writer_argument_slot(pm_writer *w, LLVMValueRef argument)
{
    for (unsigned i = 0; i < LLVMCountParams(w->lanes->kernel); i++)
        if (LLVMGetParam(w->lanes->kernel, i) == argument) {
            LLVMValueRef offset = LLVMConstInt(w->i64, (uint64_t)PM_ARGUMENT_BYTES * i, 0);

            return LLVMBuildInBoundsGEP2(w->uniform, w->i8, w->arguments, &offset, 1, "");
        }
    w->failed = "a pointer into no argument";
    return w->arguments;
}

bool pm_writer_is_by_value(const pm_writer *w, LLVMValueRef argument)
{
    unsigned by_value = LLVMGetEnumAttributeKindForName("byval", 5);

    for (unsigned i = 0; i < LLVMCountParams(w->lanes->kernel); i++)
        if (LLVMGetParam(w->lanes->kernel, i) == argument)
            return LLVMGetEnumAttributeAtIndex(w->lanes->kernel, i + 1, by_value) != NULL;
    return false;
}

/* A pointer to shared memory is an offset in it; other pointers and values stand as they are. */
static LLVMValueRef argument_value(pm_writer *w, LLVMValueRef argument)
{
    LLVMTypeRef type = LLVMTypeOf(argument);
    LLVMValueRef slot = pm_writer_argument_slot(w, argument), offset;

    if (pm_writer_is_by_value(w, argument))
        return LLVMBuildPointerCast(w->uniform, slot, type, "");
    if (LLVMGetTypeKind(type) != LLVMPointerTypeKind ||
        LLVMGetPointerAddressSpace(type) != SHARED_SPACE)
        return LLVMBuildLoad2(w->uniform, type, slot, "");
    offset = LLVMBuildLoad2(w->uniform, w->i64, slot, "");
    return LLVMBuildPointerCast(
        w->uniform, LLVMBuildInBoundsGEP2(w->uniform, w->i8, w->shared, &offset, 1, ""), type, "");
}

/* Ids and sizes; the kernel's type of them may be 32 or 64 bits wide. */
LLVMValueRef pm_writer_call(pm_writer *w, LLVMValueRef call)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    unsigned d = 0;
    LLVMValueRef value = NULL;

    switch (pm_call_kind(call, &d)) {
    case PM_CALL_LOCAL_ID:
        value = LLVMBuildLoad2(
            w->builder, w->i32,
            pm_writer_slot(w, (int64_t)d * w->lanes->warp_width * (int64_t)sizeof(uint32_t),
                           w->i32),
            "");
        break;
    case PM_CALL_GROUP_ID:
        value = from_group(w, w->i32, offsetof(pm_group_context, group) + 4 * d);
        break;
    case PM_CALL_LOCAL_SIZE:
        value = from_group(w, w->i32, offsetof(pm_group_context, local_size) + 4 * d);
        break;
    case PM_CALL_GROUPS:
        value = from_group(w, w->i32, offsetof(pm_group_context, groups) + 4 * d);
        break;
    case PM_CALL_DIMENSIONS:
        value = from_group(w, w->i32, offsetof(pm_group_context, dimensions));
        break;
    default: { /* a global offset, of a dimension that need not be constant or be one */
        LLVMValueRef at =
            LLVMBuildFreeze(w->builder, pm_writer_value(w, LLVMGetOperand(call, 0)), "");
        LLVMValueRef three = LLVMConstInt(LLVMTypeOf(at), 3, 0);
        LLVMValueRef first = LLVMConstInt(w->i64, offsetof(pm_group_context, offset), 0);
        LLVMValueRef base = LLVMBuildInBoundsGEP2(w->builder, w->i8, w->group, &first, 1, "");

        at = LLVMBuildZExt(w->builder, LLVMBuildURem(w->builder, at, three, ""), w->i64, "");
        value = LLVMBuildLoad2(w->builder, w->i64,
                               LLVMBuildInBoundsGEP2(w->builder, w->i64, base, &at, 1, ""), "");
    }
    }
    return LLVMBuildIntCast2(w->builder, value, type, 0, "");
}

static LLVMValueRef shared_variable(pm_writer *w, LLVMValueRef variable)
{
    for (size_t i = 0; i < w->lanes->shared_count; i++)
        if (w->lanes->shared[i] == variable) {
            LLVMValueRef offset = LLVMConstInt(w->i64, w->lanes->shared_offset[i], 0);

            return LLVMBuildPointerCast(
                w->uniform, LLVMBuildInBoundsGEP2(w->uniform, w->i8, w->shared, &offset, 1, ""),
                LLVMTypeOf(variable), "");
        }
    return NULL;
}

static bool mentions_shared(const pm_writer *w, LLVMValueRef constant)
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

/* A constant expression on a shared variable is none here, where each group has its own: the same
 * as instructions, in the entry. */
static LLVMValueRef shared_constant(pm_writer *w, LLVMValueRef constant)
{
    LLVMTypeRef type = LLVMTypeOf(constant);
    LLVMValueRef operands[16] = {0};
    unsigned count;

    if (!mentions_shared(w, constant))
        return constant;
    if (LLVMIsAGlobalVariable(constant)) {
        LLVMValueRef pointer = shared_variable(w, constant);

        if (!pointer)
            w->failed = "an unknown shared variable";
        return pointer ? pointer : constant;
    }
    count = (unsigned)LLVMGetNumOperands(constant);
    if (!LLVMIsAConstantExpr(constant) || count > sizeof operands / sizeof *operands) {
        w->failed = "a constant of a kind that the engine does not know";
        return constant;
    }
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
        w->failed = "a constant expression of a kind that the engine does not know";
        return constant;
    }
}

/* In the work-item's own memory. */
static LLVMValueRef private_variable(pm_writer *w, LLVMValueRef variable)
{
    LLVMValueRef offset =
        LLVMConstInt(w->i64, (uint64_t)pm_value_of(w->lanes->values, variable)->slot, 0);

    return LLVMBuildPointerCast(
        w->builder, LLVMBuildInBoundsGEP2(w->builder, w->i8, w->private_memory, &offset, 1, ""),
        LLVMTypeOf(variable), "");
}

LLVMValueRef pm_writer_value(pm_writer *w, LLVMValueRef value)
{
    LLVMValueRef here = find_defined(w, value);
    const pm_value *known;

    if (here)
        return here;
    if (LLVMIsAArgument(value)) {
        here = argument_value(w, value);
    } else if (LLVMIsAConstant(value)) {
        here = shared_constant(w, value);
    } else if (!LLVMIsAInstruction(value)) {
        return value; /* metadata */
    } else if (LLVMIsAAllocaInst(value)) {
        here = private_variable(w, value);
    } else if (pm_value_is_free(value)) {
        here = pm_writer_call(w, value);
    } else {
        known = pm_value_of(w->lanes->values, value);
        if (!known || known->slot == PM_NO_SLOT) {
            w->failed = "a value that was not kept";
            return LLVMGetUndef(LLVMTypeOf(value));
        }
        here = LLVMBuildLoad2(w->builder, LLVMTypeOf(value),
                              pm_writer_slot(w, known->slot, LLVMTypeOf(value)), "");
    }
    pm_writer_define(w, value, here);
    return here;
}
