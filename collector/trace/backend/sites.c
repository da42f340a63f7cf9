/* The memory instructions of a kernel. See sites.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sites.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "collector/error.h"
#include "fields.h"

enum {
    GLOBAL_SPACE = 1, /* LLVM's numbers for NVIDIA's targets */
    SHARED_SPACE = 3,
    CONSTANT_SPACE = 4,
    WIDEST = 16,       /* bytes of the widest machine access */
    MOST_ELEMENTS = 4, /* and in it */
    MOST_STEPS = 64
};

LLVMValueRef pm_site_pointer(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return LLVMGetOperand(instruction, 0);
    case LLVMStore:
        return LLVMGetOperand(instruction, 1);
    default:
        return NULL;
    }
}

LLVMTypeRef pm_site_type(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
        return LLVMTypeOf(instruction);
    case LLVMStore:
        return LLVMTypeOf(LLVMGetOperand(instruction, 0));
    default:
        return LLVMTypeOf(LLVMGetOperand(instruction, 1));
    }
}

/* ---- where a pointer points --------------------------------------------------------------- */

typedef struct {
    LLVMValueRef object;
    uint64_t offset; /* of the constant part of the way there */
    int steps;       /* that are left before giving up */
    bool unknown;    /* came to something that is no object */
    LLVMTargetDataRef layout;
} walk;

static LLVMOpcode opcode_of(LLVMValueRef value)
{
    if (LLVMIsAInstruction(value))
        return LLVMGetInstructionOpcode(value);
    return LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) : (LLVMOpcode)0;
}

/* Constant bytes that a GEP adds. */
static uint64_t gep_offset(LLVMValueRef gep, LLVMTargetDataRef layout)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    uint64_t offset = 0;

    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);
        bool constant = LLVMIsAConstantInt(index) != NULL;

        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned element = (unsigned)LLVMConstIntGetZExtValue(index);

            offset += LLVMOffsetOfElement(layout, type, element);
            type = LLVMStructGetTypeAtIndex(type, element);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        if (constant)
            offset += (uint64_t)LLVMConstIntGetSExtValue(index) * LLVMABISizeOfType(layout, type);
    }
    return offset;
}

static void find_object(LLVMValueRef pointer, walk *w);

/* All ways into a phi or select must lead to one object; the offset is the first way's. */
static void find_common(LLVMValueRef pointer, walk *w)
{
    bool phi = LLVMIsAPHINode(pointer) != NULL;
    unsigned ways = phi ? LLVMCountIncoming(pointer) : 2;
    LLVMValueRef object = NULL;
    uint64_t start = w->offset, offset = start;

    for (unsigned i = 0; i < ways; i++) {
        LLVMValueRef way = phi ? LLVMGetIncomingValue(pointer, i) : LLVMGetOperand(pointer, i + 1);
        walk one = {.steps = w->steps / 2, .offset = start, .layout = w->layout};

        if (way == pointer)
            continue;
        find_object(way, &one);
        if (one.unknown || (object && one.object && one.object != object)) {
            w->unknown = true;
            return;
        }
        if (!one.object)
            continue; /* a loop's own step led back here until the steps ran out */
        if (!object)
            offset = one.offset;
        object = one.object;
    }
    w->object = object;
    w->offset = offset;
}

static void find_object(LLVMValueRef pointer, walk *w)
{
    while (w->steps-- > 0) {
        switch (opcode_of(pointer)) {
        case LLVMGetElementPtr:
            w->offset += w->layout ? gep_offset(pointer, w->layout) : 0;
            pointer = LLVMGetOperand(pointer, 0);
            continue;
        case LLVMAddrSpaceCast:
        case LLVMBitCast:
        case LLVMFreeze:
            pointer = LLVMGetOperand(pointer, 0);
            continue;
        case LLVMPHI:
        case LLVMSelect:
            find_common(pointer, w);
            return;
        default:
            if (LLVMIsAArgument(pointer) || LLVMIsAGlobalVariable(pointer) ||
                LLVMIsAAllocaInst(pointer))
                w->object = pointer;
            else
                w->unknown = true;
            return;
        }
    }
}

LLVMValueRef pm_site_object(LLVMValueRef pointer)
{
    walk w = {.steps = MOST_STEPS};

    find_object(pointer, &w);
    return w.object;
}

/* ---- one site ----------------------------------------------------------------------------- */

static pm_space space_of(LLVMValueRef pointer, LLVMValueRef object)
{
    switch (LLVMGetPointerAddressSpace(LLVMTypeOf(pointer))) {
    case GLOBAL_SPACE:
        return PM_SPACE_GLOBAL;
    case SHARED_SPACE:
        return PM_SPACE_SHARED;
    case CONSTANT_SPACE:
        return PM_SPACE_CONSTANT;
    default:
        break;
    }
    if (!object || LLVMIsAAllocaInst(object))
        return PM_SPACE_PRIVATE;
    if (LLVMIsAArgument(object)) /* a struct that is passed by value */
        return PM_SPACE_CONSTANT;
    switch (LLVMGetPointerAddressSpace(LLVMTypeOf(object))) {
    case GLOBAL_SPACE:
        return PM_SPACE_GLOBAL;
    case SHARED_SPACE:
        return PM_SPACE_SHARED;
    default:
        return PM_SPACE_CONSTANT;
    }
}

static int argument_index(LLVMValueRef kernel, LLVMValueRef object)
{
    for (unsigned i = 0; object && i < LLVMCountParams(kernel); i++)
        if (LLVMGetParam(kernel, i) == object)
            return (int)i;
    return -1;
}

/* matmul_tiled.a_tile is a_tile, as the source has it. */
static const char *object_name(LLVMValueRef kernel, LLVMValueRef object, pm_arena *arena)
{
    size_t length, own;
    const char *name = object ? LLVMGetValueName2(object, &length) : "";
    const char *function = LLVMGetValueName2(kernel, &own);

    if (!object)
        return "";
    if (LLVMIsAGlobalVariable(object) && length > own + 1 && name[own] == '.' &&
        strncmp(name, function, own) == 0) {
        name += own + 1;
        length -= own + 1;
    }
    return pm_arena_text(arena, name, length);
}

/* Bytes of each machine access that the instruction becomes: no wider than its alignment, and of no
 * more than four elements, as PTX has its vectors. */
static unsigned piece_bytes(LLVMValueRef instruction, uint64_t bytes, LLVMTargetDataRef layout)
{
    unsigned piece = WIDEST, alignment = LLVMGetAlignment(instruction);
    LLVMTypeRef type = pm_site_type(instruction);
    uint64_t most = bytes;

    if (alignment == 0)
        alignment = 1;
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        most = MOST_ELEMENTS * LLVMStoreSizeOfType(layout, LLVMGetElementType(type));
    while (piece > 1 && (piece > alignment || piece > bytes || piece > most))
        piece /= 2;
    return piece;
}

/* Where a variable lies: one of a work-item has its place in values, a shared one gets it later. */
static void describe_variable(LLVMValueRef object, const pm_values *values,
                              LLVMTargetDataRef layout, pm_site *site)
{
    const pm_value *place;

    if (!object)
        return;
    if (LLVMIsAGlobalVariable(object))
        site->object_bytes = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(object));
    if (!LLVMIsAAllocaInst(object) || !(place = pm_value_of(values, object)))
        return;
    site->object_offset = (uint64_t)place->slot;
    site->object_bytes = LLVMABISizeOfType(layout, LLVMGetAllocatedType(object)) *
                         LLVMConstIntGetZExtValue(LLVMGetOperand(object, 0));
}

static void describe(LLVMValueRef kernel, LLVMValueRef instruction, const pm_values *values,
                     LLVMTargetDataRef layout, pm_arena *arena, pm_site *site)
{
    LLVMValueRef pointer = pm_site_pointer(instruction);
    walk w = {.steps = MOST_STEPS, .layout = layout};
    pm_field field;

    find_object(pointer, &w);
    site->space = space_of(pointer, w.object);
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
        site->kind = PM_ACCESS_LOAD;
        break;
    case LLVMStore:
        site->kind = PM_ACCESS_STORE;
        break;
    default:
        site->kind = PM_ACCESS_ATOMIC;
    }
    site->line = LLVMGetDebugLocLine(instruction);
    site->column = LLVMGetDebugLocColumn(instruction);
    site->object = object_name(kernel, w.object, arena);
    site->argument = argument_index(kernel, w.object);
    site->structure = site->field = "";
    describe_variable(w.object, values, layout, site);
    if (site->argument >= 0 && pm_field_find(kernel, (unsigned)site->argument, w.offset, &field)) {
        site->structure = pm_arena_text(arena, field.structure, strlen(field.structure));
        site->field = pm_arena_text(arena, field.field, strlen(field.field));
    }
}

static uint64_t site_count(LLVMValueRef instruction, LLVMTargetDataRef layout, unsigned *piece)
{
    uint64_t bytes = LLVMStoreSizeOfType(layout, pm_site_type(instruction));

    *piece = LLVMIsALoadInst(instruction) || LLVMIsAStoreInst(instruction)
                 ? piece_bytes(instruction, bytes, layout)
                 : (unsigned)bytes;
    return (bytes + *piece - 1) / *piece;
}

static size_t count_all(const pm_structure *structure, LLVMTargetDataRef layout)
{
    size_t count = 0;
    unsigned piece;

    for (size_t k = 0; k < structure->count; k++)
        for (LLVMValueRef i = structure->segments[k].first;; i = LLVMGetNextInstruction(i)) {
            if (pm_site_pointer(i))
                count += site_count(i, layout, &piece);
            if (i == structure->segments[k].last)
                break;
        }
    return count;
}

static void add_sites(LLVMValueRef kernel, LLVMValueRef instruction, unsigned loop,
                      pm_values *values, LLVMTargetDataRef layout, pm_arena *arena, pm_sites *sites)
{
    pm_value *value = pm_value_of(values, instruction);
    pm_site site = {.loop = loop};
    unsigned piece;
    uint64_t count = site_count(instruction, layout, &piece);

    describe(kernel, instruction, values, layout, arena, &site);
    site.bytes = piece;
    value->site = (uint32_t)sites->count;
    value->sites = (uint32_t)count;
    for (uint64_t i = 0; i < count; i++)
        sites->sites[sites->count++] = site;
}

pm_status pm_sites_find(LLVMValueRef kernel, const pm_structure *structure, pm_values *values,
                        LLVMTargetDataRef layout, pm_arena *arena, pm_sites *sites, pm_error *err)
{
    *sites = (pm_sites){0};
    sites->sites = pm_arena_alloc(arena, (count_all(structure, layout) + 1) * sizeof *sites->sites);
    if (!sites->sites)
        return pm_fail(err, PM_FAILED, "out of memory for the memory instructions of a kernel");
    for (size_t k = 0; k < structure->count; k++)
        for (LLVMValueRef i = structure->segments[k].first;; i = LLVMGetNextInstruction(i)) {
            if (pm_site_pointer(i))
                add_sites(kernel, i, structure->segments[k].loop, values, layout, arena, sites);
            if (i == structure->segments[k].last)
                break;
        }
    return PM_OK;
}
