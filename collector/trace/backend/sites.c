/* The memory instructions of a kernel. See sites.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sites.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "collector/error.h"
#include "fields.h"
#include "ir.h"
#include "order.h"
#include "waits.h"

enum {
    MOST_ELEMENTS = 4, /* of a machine access */
    MOST_WAYS = 128
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
    LLVMValueRef pointer; /* a phi, a select, or what is the way's end */
    uint64_t offset;      /* of the constant part of the way there */
} way;

typedef struct {
    way ways[MOST_WAYS];
    unsigned count;
    LLVMTargetDataRef layout; /* NULL: offsets are not wanted */
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

/* Adds where a pointer comes from, once. False: there are too many. */
static bool add_way(walk *w, LLVMValueRef pointer, uint64_t offset)
{
    for (LLVMOpcode opcode;
         (opcode = opcode_of(pointer)) == LLVMGetElementPtr || opcode == LLVMAddrSpaceCast ||
         opcode == LLVMBitCast || opcode == LLVMFreeze;
         pointer = LLVMGetOperand(pointer, 0))
        if (opcode == LLVMGetElementPtr && w->layout)
            offset += gep_offset(pointer, w->layout);
    if (LLVMIsUndef(pointer))
        return true;
    for (unsigned i = 0; i < w->count; i++)
        if (w->ways[i].pointer == pointer)
            return true;
    if (w->count == MOST_WAYS)
        return false;
    w->ways[w->count++] = (way){pointer, offset};
    return true;
}

static bool add_ways(walk *w, const way *from)
{
    LLVMValueRef value = from->pointer;
    bool phi = LLVMIsAPHINode(value) != NULL, ok = true;
    unsigned ways = phi ? LLVMCountIncoming(value) : 2;

    for (unsigned i = 0; ok && i < ways; i++)
        ok = add_way(w, phi ? LLVMGetIncomingValue(value, i) : LLVMGetOperand(value, i + 1),
                     from->offset);
    return ok;
}

/* The one object that all ways lead to, NULL if there is none; the offset is the first way's. */
static LLVMValueRef find_object(LLVMValueRef pointer, LLVMTargetDataRef layout, uint64_t *offset)
{
    LLVMValueRef object = NULL;
    walk w = {.layout = layout};

    add_way(&w, pointer, 0);
    for (unsigned i = 0; i < w.count; i++) {
        LLVMValueRef at = w.ways[i].pointer;
        LLVMOpcode opcode = opcode_of(at);

        if (opcode == LLVMPHI || opcode == LLVMSelect) {
            if (!add_ways(&w, &w.ways[i]))
                return NULL;
            continue;
        }
        if (object || !(LLVMIsAArgument(at) || LLVMIsAGlobalVariable(at) || LLVMIsAAllocaInst(at)))
            return NULL;
        object = at;
        *offset = w.ways[i].offset;
    }
    return object;
}

LLVMValueRef pm_site_object(LLVMValueRef pointer)
{
    uint64_t offset;

    return find_object(pointer, NULL, &offset);
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

static bool argument_is(LLVMValueRef kernel, int argument, const char *attribute)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));

    return LLVMGetEnumAttributeAtIndex(kernel, (unsigned)argument + 1, kind);
}

/* What LLVM and NVIDIA's compilers make a load through the read-only cache (PTX: ld.global.nc). */
static bool is_read_only(LLVMValueRef kernel, LLVMValueRef instruction, const pm_site *site)
{
    return site->space == PM_SPACE_GLOBAL && site->kind == PM_ACCESS_LOAD && site->argument >= 0 &&
           !LLVMGetVolatile(instruction) && argument_is(kernel, site->argument, "noalias") &&
           argument_is(kernel, site->argument, "readonly");
}

static void describe(LLVMValueRef kernel, LLVMValueRef instruction, const pm_values *values,
                     LLVMTargetDataRef layout, pm_arena *arena, pm_site *site)
{
    LLVMValueRef pointer = pm_site_pointer(instruction);
    uint64_t offset = 0;
    LLVMValueRef object = find_object(pointer, layout, &offset);
    pm_field field;

    site->space = space_of(pointer, object);
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
    site->object = object_name(kernel, object, arena);
    site->argument = argument_index(kernel, object);
    site->read_only = is_read_only(kernel, instruction, site);
    site->structure = site->field = "";
    describe_variable(object, values, layout, site);
    if (site->argument >= 0 && pm_field_find(kernel, (unsigned)site->argument, offset, &field)) {
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
    site.wait = LLVMIsALoadInst(instruction) ? value->waits - 1 : 0;
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
        pm_order_waits(&structure->segments[k], (uint32_t)k, values);
    for (size_t k = 0; k < structure->count; k++) {
        size_t before = sites->count;

        for (LLVMValueRef i = structure->segments[k].first;; i = LLVMGetNextInstruction(i)) {
            if (pm_site_pointer(i))
                add_sites(kernel, i, structure->segments[k].loop, values, layout, arena, sites);
            if (i == structure->segments[k].last)
                break;
        }
        pm_waits_split(sites->sites + before, sites->count - before);
    }
    return PM_OK;
}
