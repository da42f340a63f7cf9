/* The memory instructions of a kernel. See sites.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/trace/backend/sites.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "base/numbers.h"
#include "collector/trace/backend/addresses.h"
#include "collector/trace/backend/cuda.h"
#include "collector/trace/backend/fields.h"
#include "collector/trace/backend/ir.h"
#include "collector/trace/backend/order.h"

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
    uint64_t stride;          /* greatest common divisor of all that ways differ by */
} walk;

static void widen(walk *w, uint64_t apart)
{
    w->stride = pm_gcd((long long)w->stride, (long long)apart);
}

static uint64_t multiple_of(LLVMValueRef index, unsigned depth);

/* Shifted by a constant; to the right no bits that may be set are lost. */
static uint64_t multiple_of_shift(LLVMValueRef shift, unsigned depth)
{
    LLVMValueRef by = LLVMGetOperand(shift, 1);
    uint64_t of = multiple_of(LLVMGetOperand(shift, 0), depth), bits;

    if (!LLVMIsAConstantInt(by) || (bits = LLVMConstIntGetZExtValue(by)) > 32)
        return 1;
    if (pm_is_opcode(shift, LLVMShl))
        return of < UINT64_C(1) << 31 ? of << bits : 1;
    return of % (UINT64_C(1) << bits) == 0 ? of >> bits : 1;
}

/* A number that an index is a multiple of, whatever its variables are: 0 if it is always 0, 1 if
 * nothing is known. An index does not wrap around, or the access would be outside. */
static uint64_t multiple_of(LLVMValueRef index, unsigned depth)
{
    enum { DEEPEST = 8 };
    uint64_t a, b;

    if (LLVMIsAConstantInt(index)) {
        long long value = LLVMConstIntGetSExtValue(index);

        return value < 0 ? -(uint64_t)value : (uint64_t)value;
    }
    if (depth == DEEPEST || !LLVMIsAInstruction(index))
        return 1;
    depth++;
    if (pm_is_extended(index))
        return multiple_of(LLVMGetOperand(index, 0), depth);
    if (PM_IS(index, LLVMShl, LLVMAShr, LLVMLShr))
        return multiple_of_shift(index, depth);
    if (!PM_IS(index, LLVMMul, LLVMAdd, LLVMSub))
        return 1;
    a = multiple_of(LLVMGetOperand(index, 0), depth);
    b = multiple_of(LLVMGetOperand(index, 1), depth);
    if (pm_is_opcode(index, LLVMMul))
        return a >> 31 == 0 && b >> 31 == 0 ? a * b : 1;
    return pm_gcd((long long)a, (long long)b);
}

static LLVMOpcode opcode_of(LLVMValueRef value)
{
    if (LLVMIsAInstruction(value))
        return LLVMGetInstructionOpcode(value);
    return LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) : (LLVMOpcode)0;
}

/* Constant bytes that a GEP adds; what it adds a multiple of widens the walk's stride. */
static uint64_t gep_offset(walk *w, LLVMValueRef gep)
{
    LLVMTargetDataRef layout = w->layout;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    uint64_t offset = 0;

    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);

        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned element = (unsigned)LLVMConstIntGetZExtValue(index);

            offset += LLVMOffsetOfElement(layout, type, element);
            type = LLVMStructGetTypeAtIndex(type, element);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        if (LLVMIsAConstantInt(index))
            offset += (uint64_t)LLVMConstIntGetSExtValue(index) * LLVMABISizeOfType(layout, type);
        else
            widen(w, LLVMABISizeOfType(layout, type) * multiple_of(index, 0));
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
            offset += gep_offset(w, pointer);
    if (LLVMIsUndef(pointer))
        return true;
    for (unsigned i = 0; i < w->count; i++)
        if (w->ways[i].pointer == pointer) {
            widen(w, offset - w->ways[i].offset);
            return true;
        }
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

/* The one object that all ways lead to, NULL if there is none. The offset is the first way's, and
 * all others are multiples of the stride from it. */
static LLVMValueRef find_object(LLVMValueRef pointer, LLVMTargetDataRef layout, uint64_t *offset,
                                uint64_t *stride)
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
    *stride = w.stride;
    return object;
}

LLVMValueRef pm_site_object(LLVMValueRef pointer)
{
    uint64_t offset, stride;

    return find_object(pointer, NULL, &offset, &stride);
}

bool pm_site_is_private(LLVMValueRef pointer)
{
    walk w = {.layout = NULL};

    add_way(&w, pointer, 0);
    for (unsigned i = 0; i < w.count; i++) {
        LLVMValueRef at = w.ways[i].pointer;
        LLVMOpcode opcode = opcode_of(at);

        if (opcode == LLVMPHI || opcode == LLVMSelect ? !add_ways(&w, &w.ways[i])
                                                      : !LLVMIsAAllocaInst(at))
            return false;
    }
    return true;
}

/* ---- one site ----------------------------------------------------------------------------- */

static pm_space space_of(LLVMValueRef pointer, LLVMValueRef object)
{
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    bool generic = space != GLOBAL_SPACE && space != SHARED_SPACE && space != CONSTANT_SPACE;

    if (generic && (!object || LLVMIsAAllocaInst(object)))
        return PM_SPACE_PRIVATE;
    if (generic && LLVMIsAArgument(object)) /* a struct that is passed by value */
        return PM_SPACE_CONSTANT;
    if (generic)
        space = LLVMGetPointerAddressSpace(LLVMTypeOf(object));
    if (space == GLOBAL_SPACE)
        return PM_SPACE_GLOBAL;
    return space == SHARED_SPACE ? PM_SPACE_SHARED : PM_SPACE_CONSTANT;
}

/* matmul_tiled.a_tile is a_tile, as the source has it, and so is _ZZ12matmul_tiledE6a_tile. */
static const char *object_name(const pm_kernel_request *r, LLVMValueRef object)
{
    char plain[256];
    size_t length, own;
    const char *name = object ? LLVMGetValueName2(object, &length) : "";
    const char *function = LLVMGetValueName2(r->kernel, &own);

    if (!object)
        return "";
    if (LLVMIsAGlobalVariable(object) && length > own + 1 && name[own] == '.' &&
        strncmp(name, function, own) == 0) {
        name += own + 1;
        length -= own + 1;
    }
    if (LLVMIsAGlobalVariable(object))
        pm_cuda_plain_name(name, plain, sizeof plain);
    else
        snprintf(plain, sizeof plain, "%.*s", (int)length, name);
    return pm_copy(r->kept, plain);
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
    const pm_code_value *place;

    if (!object)
        return;
    if (LLVMIsAGlobalVariable(object))
        site->object_bytes = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(object));
    if (!LLVMIsAAllocaInst(object) || !(place = pm_code_value_of(values, object)))
        return;
    site->object_offset = (uint64_t)place->slot;
    site->object_bytes = LLVMABISizeOfType(layout, LLVMGetAllocatedType(object)) *
                         LLVMConstIntGetZExtValue(LLVMGetOperand(object, 0));
}

/* What LLVM and NVIDIA's compilers make a load through the read-only cache (PTX: ld.global.nc). */
static bool is_read_only(LLVMValueRef kernel, LLVMValueRef instruction, const pm_site *site)
{
    return site->space == PM_SPACE_GLOBAL && site->kind == PM_ACCESS_LOAD && site->argument >= 0 &&
           !LLVMGetVolatile(instruction) &&
           pm_parameter_attribute(kernel, (unsigned)site->argument, "noalias") &&
           pm_parameter_attribute(kernel, (unsigned)site->argument, "readonly");
}

static pm_access_kind kind_of(LLVMValueRef instruction)
{
    if (LLVMIsALoadInst(instruction))
        return PM_ACCESS_LOAD;
    return LLVMIsAStoreInst(instruction) ? PM_ACCESS_STORE : PM_ACCESS_ATOMIC;
}

/* Whether all work-items of a warp have the same address, by how it is computed. */
static bool is_uniform_address(LLVMValueRef pointer)
{
    while (pm_is_opcode(pointer, LLVMGetElementPtr)) {
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(pointer); i++)
            if (!pm_is_uniform(LLVMGetOperand(pointer, i)))
                return false;
        pointer = LLVMGetOperand(pointer, 0);
    }
    return LLVMIsAArgument(pointer) || LLVMIsAConstant(pointer);
}

static bool points_to_constant(LLVMValueRef object)
{
    return object && LLVMGetTypeKind(LLVMTypeOf(object)) == LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(object)) == CONSTANT_SPACE;
}

/* A kernel that is given a pointer to __constant memory reads all of it by addresses. */
static bool is_through_l1(LLVMValueRef kernel, const pm_site *site, LLVMValueRef object)
{
    if (site->space != PM_SPACE_CONSTANT || site->operand || !points_to_constant(object))
        return false;
    for (unsigned i = 0; i < LLVMCountParams(kernel); i++)
        if (points_to_constant(LLVMGetParam(kernel, i)))
            return true;
    return false;
}

/* Steps by one the hardware counts for all work-items of a place at once (ATOMS.POPC.INC). */
static bool is_step_by_one(LLVMValueRef instruction)
{
    LLVMValueRef step;

    if (!LLVMIsAAtomicRMWInst(instruction))
        return false;
    step = LLVMGetOperand(instruction, 1);
    switch (LLVMGetAtomicRMWBinOp(instruction)) {
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpSub:
        return LLVMIsAConstantInt(step) &&
               (LLVMConstIntGetSExtValue(step) == 1 || LLVMConstIntGetSExtValue(step) == -1);
    default:
        return false;
    }
}

/* Whether the compiler may make one atomic of a warp's to one place. */
static bool can_be_one(LLVMValueRef instruction)
{
    return !LLVMIsAAtomicCmpXchgInst(instruction) &&
           !(LLVMIsAAtomicRMWInst(instruction) &&
             LLVMGetAtomicRMWBinOp(instruction) == LLVMAtomicRMWBinOpXchg);
}

static bool takes_turns(LLVMValueRef instruction, const pm_site *site)
{
    if (site->kind != PM_ACCESS_ATOMIC || site->space != PM_SPACE_SHARED)
        return false;
    return !is_step_by_one(instruction) &&
           !(can_be_one(instruction) && is_uniform_address(pm_site_pointer(instruction)));
}

static pm_site describe(const pm_kernel_request *r, LLVMValueRef instruction,
                        const pm_values *values)
{
    LLVMValueRef pointer = pm_site_pointer(instruction);
    uint64_t offset = 0, stride = 0;
    LLVMValueRef object = find_object(pointer, r->layout, &offset, &stride);
    pm_site site = {.space = space_of(pointer, object),
                    .kind = kind_of(instruction),
                    .line = LLVMGetDebugLocLine(instruction),
                    .column = LLVMGetDebugLocColumn(instruction),
                    .object = object_name(r, object),
                    .argument = pm_parameter_index(r->kernel, object),
                    .structure = "",
                    .field = "",
                    .offset = offset,
                    .stride = stride,
                    .extent = LLVMStoreSizeOfType(r->layout, pm_site_type(instruction)),
                    .decides = pm_code_value_of(values, instruction)->decides};
    pm_member_name field;

    site.operand = pm_is_constant_operand(pointer);
    site.through_l1 = is_through_l1(r->kernel, &site, object);
    site.in_turns = takes_turns(instruction, &site);
    site.one_place = site.argument >= 0 && can_be_one(instruction) &&
                     (stride == 0 || is_uniform_address(pointer));
    site.read_only = is_read_only(r->kernel, instruction, &site);
    describe_variable(object, values, r->layout, &site);
    if (site.argument >= 0 && pm_field_find(r->kernel, (unsigned)site.argument, offset, &field)) {
        site.structure = pm_copy(r->kept, field.structure);
        site.field = pm_copy(r->kept, field.field);
    }
    return site;
}

static void add_sites(const pm_kernel_request *r, LLVMValueRef instruction, unsigned loop,
                      pm_values *values, pm_sites *sites)
{
    pm_code_value *value = pm_code_value_of(values, instruction);
    pm_site site = describe(r, instruction, values);
    uint64_t bytes = site.extent;

    site.loop = loop;
    site.bytes = site.kind == PM_ACCESS_ATOMIC ? (unsigned)bytes
                                               : piece_bytes(instruction, bytes, r->layout);
    site.waits = pm_order_is_waited_for(instruction);
    site.wait = site.waits ? value->waits - 1 : 0;
    value->site = (uint32_t)sites->count;
    for (uint64_t at = 0; at < bytes; at += site.bytes, value->sites++)
        *pm_add(r->memory, sites->sites, sites->count) = site;
}

/* Whether two are the same access of the source. */
static bool is_copy(const pm_site *a, const pm_site *b, const pm_code_loop *loops)
{
    return a->line == b->line && a->column == b->column && a->kind == b->kind &&
           a->space == b->space && a->bytes == b->bytes &&
           loops[a->loop].line == loops[b->loop].line && strcmp(a->object, b->object) == 0 &&
           strcmp(a->structure, b->structure) == 0 && strcmp(a->field, b->field) == 0;
}

static void number_rows(pm_sites *sites, const pm_code_loop *loops, pm_memory *memory)
{
    const pm_site **first = pm_take(memory, sites->count, sizeof(pm_site *));
    unsigned rows = 0;

    for (size_t i = 0; i < sites->count; i++) {
        pm_site *site = &sites->sites[i];

        while (site->row < rows && !is_copy(site, first[site->row], loops))
            site->row++;
        if (site->row == rows)
            first[rows++] = site;
    }
}

/* The waits of each stretch. of: the stretch of each site. */
static void split_waits(pm_sites *sites, const uint32_t *of, size_t stretches, pm_memory *memory)
{
    size_t *which = pm_take(memory, sites->count, sizeof *which);
    size_t *start = pm_take(memory, stretches + 2, sizeof *start);

    for (size_t i = 0; i < sites->count; i++)
        start[of[i] + 2]++;
    for (size_t k = 2; k < stretches + 2; k++)
        start[k] += start[k - 1];
    for (size_t i = 0; i < sites->count; i++)
        which[start[of[i] + 1]++] = i;
    for (size_t k = 0; k < stretches; k++)
        if (start[k + 1] > start[k])
            pm_waits_split(sites->sites, which + start[k], start[k + 1] - start[k]);
}

pm_sites pm_sites_find(const pm_kernel_request *r, const pm_structure *structure, pm_values *values)
{
    pm_sites sites = {0};
    uint32_t *of = NULL;
    size_t known = 0;

    pm_order_waits(r->kernel, structure, values, r->memory);
    for (size_t k = 0; k < structure->count; k++) {
        const pm_code_segment *segment = &structure->segments[k];

        PM_EACH_OF_SEGMENT(i, segment)
            if (pm_site_pointer(i))
                add_sites(r, i, segment->loop, values, &sites);
        while (known < sites.count)
            *pm_add(r->memory, of, known) = segment->stretch;
    }
    split_waits(&sites, of, structure->count, r->memory);
    number_rows(&sites, structure->loops, r->memory);
    return sites;
}
