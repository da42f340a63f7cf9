/* Finds and describes the memory instructions (sites) of a kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/accesses/sites.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "base/numbers.h"
#include "collector/engine/backend/accesses/fields.h"
#include "collector/engine/backend/accesses/order.h"
#include "collector/engine/backend/accesses/place.h"
#include "collector/engine/backend/accesses/scalar_loads.h"
#include "collector/engine/backend/accesses/together.h"
#include "collector/engine/backend/addresses/addresses.h"
#include "collector/engine/backend/addresses/pointer.h"
#include "collector/engine/backend/cuda/cuda.h"
#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/ir/texture.h"

enum {
    MOST_ELEMENTS = 4
}; /* maximum number of vector elements that one load or store of machine code accesses */

/* ---- one site ----------------------------------------------------------------------------- */

static pm_space space_of(LLVMValueRef pointer, LLVMValueRef object)
{
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
    bool generic = space != GLOBAL_SPACE && space != SHARED_SPACE && space != CONSTANT_SPACE;

    if (generic && (!object || LLVMIsAAllocaInst(object)))
        return PM_SPACE_PRIVATE;
    /* clang passes a struct by value as a kernel argument that is a pointer in the generic address
     * space. The struct is in constant memory. */
    if (generic && LLVMIsAArgument(object))
        return PM_SPACE_CONSTANT;
    if (generic)
        space = LLVMGetPointerAddressSpace(LLVMTypeOf(object));
    if (space == GLOBAL_SPACE)
        return PM_SPACE_GLOBAL;
    return space == SHARED_SPACE ? PM_SPACE_SHARED : PM_SPACE_CONSTANT;
}

/* Returns the name of a variable in the source. Examples: LLVM's names matmul_tiled.a_tile (OpenCL)
 * and _ZZ12matmul_tiledE6a_tile (CUDA) become a_tile. */
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

/* Returns the size in bytes of the machine accesses into which a load or store of `bytes` bytes is
 * split. A machine access is at most as wide as the alignment and has at most four elements, as in
 * PTX. */
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

/* Sets in *site the size of the accessed variable, and the offset of a private variable in private
 * memory. The offset of a shared variable is set later. */
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

/* Returns whether LLVM and NVIDIA's compilers load the data through the read-only cache (PTX:
 * ld.global.nc). Texture fetches always do. */
static bool is_read_only(LLVMValueRef kernel, LLVMValueRef instruction, const pm_site *site)
{
    if (site->fetch != PM_FETCH_NONE)
        return true;
    return site->space == PM_SPACE_GLOBAL && site->kind == PM_ACCESS_LOAD && site->argument >= 0 &&
           !LLVMGetVolatile(instruction) &&
           pm_parameter_attribute(kernel, (unsigned)site->argument, "noalias") &&
           pm_parameter_attribute(kernel, (unsigned)site->argument, "readonly");
}

/* Returns true if a load reads a further texel of a texture fetch with linear filtering. The load
 * of the first texel represents the fetch in tables. */
static bool is_further_texel(const pm_site *site)
{
    return site->fetch == PM_FETCH_OPPOSITE || site->fetch == PM_FETCH_BESIDE;
}

static pm_access_kind kind_of(LLVMValueRef instruction)
{
    if (LLVMIsALoadInst(instruction))
        return PM_ACCESS_LOAD;
    return LLVMIsAStoreInst(instruction) ? PM_ACCESS_STORE : PM_ACCESS_ATOMIC;
}

enum { DEEPEST_INDEX = 16 };

static bool has_int(LLVMValueRef index, unsigned depth)
{
    if (PM_IS(index, LLVMSExt,
              /* (x << n) >> n with an arithmetic shift right is a sign extension, and is treated
               * like an extension */
              LLVMAShr))
        return true;
    if (depth == 0 || !PM_IS(index, LLVMAdd, LLVMSub, LLVMMul, LLVMShl, LLVMOr))
        return false;
    return has_int(LLVMGetOperand(index, 0), depth - 1) ||
           has_int(LLVMGetOperand(index, 1), depth - 1);
}

/* Returns whether an index of the address contains a 32-bit int of the source, whose computation
 * may overflow. The int may also be a term of a 64-bit sum: a sum with a global id has 64 bits,
 * because the id's global offset has. */
static bool may_wrap(LLVMValueRef pointer)
{
    for (; pm_is_opcode(pointer, LLVMGetElementPtr); pointer = LLVMGetOperand(pointer, 0))
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(pointer); i++)
            if (pm_is_opcode(LLVMGetOperand(pointer, i), LLVMZExt) ||
                has_int(LLVMGetOperand(pointer, i), DEEPEST_INDEX))
                return true;
    return false;
}

static bool points_to_constant(LLVMValueRef object)
{
    return object && LLVMGetTypeKind(LLVMTypeOf(object)) == LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(object)) == CONSTANT_SPACE;
}

/* Returns whether an access to __constant memory goes through L1. It does if the kernel has an
 * argument in __constant memory. Data that an arithmetic instruction reads directly as its operand
 * never go through L1. */
static bool is_through_l1(LLVMValueRef kernel, const pm_site *site, LLVMValueRef object)
{
    if (site->space != PM_SPACE_CONSTANT || site->operand || !points_to_constant(object))
        return false;
    for (unsigned i = 0; i < LLVMCountParams(kernel); i++)
        if (points_to_constant(LLVMGetParam(kernel, i)) &&
            !pm_cuda_is_constant_variable(LLVMGetParam(kernel, i)))
            return true;
    return false;
}

/* Returns whether an atomic in shared memory adds or subtracts one and its result is unused. The
 * hardware then adds the number of a warp's work-items at once (ATOMS.POPC.INC). If results are
 * used, the hardware cannot combine the additions, because the results differ between
 * work-items. */
static bool is_step_by_one(LLVMValueRef instruction)
{
    LLVMValueRef step;

    if (!LLVMIsAAtomicRMWInst(instruction) || LLVMGetFirstUse(instruction))
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

bool pm_atomic_can_be_one(LLVMValueRef instruction)
{
    return !LLVMIsAAtomicCmpXchgInst(instruction) &&
           !(LLVMIsAAtomicRMWInst(instruction) &&
             LLVMGetAtomicRMWBinOp(instruction) == LLVMAtomicRMWBinOpXchg);
}

static unsigned turn_wavefronts(LLVMValueRef instruction, const pm_site *site)
{
    if (site->kind != PM_ACCESS_ATOMIC || site->space != PM_SPACE_SHARED ||
        is_step_by_one(instruction) ||
        (pm_atomic_can_be_one(instruction) && pm_is_uniform_address(pm_site_pointer(instruction))))
        return 0;
    return LLVMIsAAtomicCmpXchgInst(instruction) ? 2 : 1;
}

static pm_site describe(const pm_kernel_request *r, LLVMValueRef instruction, unsigned loop_line,
                        const pm_values *values)
{
    LLVMValueRef pointer = pm_site_pointer(instruction);
    uint64_t offset = 0, stride = 0;
    LLVMValueRef object = pm_pointer_object(pointer, r->layout, &offset, &stride);
    pm_place place = pm_place_of(instruction, loop_line);
    pm_site site = {.space = space_of(pointer, object),
                    .kind = kind_of(instruction),
                    .line = place.line,
                    .column = place.column,
                    .object = object_name(r, object),
                    .argument = pm_parameter_index(r->kernel, object),
                    .structure = "",
                    .field = "",
                    .offset = offset,
                    .stride = stride,
                    .extent = LLVMStoreSizeOfType(r->layout, pm_site_type(instruction)),
                    .decides = pm_code_value_of(values, instruction)->decides};
    pm_member_name field;

    site.arguments = pm_pointer_arguments(r->kernel, pointer, &site.loaded);
    site.operand = pm_is_constant_operand(instruction);
    site.wraps = may_wrap(pointer);
    site.through_l1 = is_through_l1(r->kernel, &site, object);
    site.turn_wavefronts = turn_wavefronts(instruction, &site);
    site.one_place = site.argument >= 0 && pm_atomic_can_be_one(instruction) &&
                     (stride == 0 || pm_is_uniform_address(pointer));
    site.async = pm_is_async(instruction, &site.bypasses);
    site.bulk = pm_is_bulk(instruction);
    site.fetch = pm_fetch_of(pointer);
    site.read_only = is_read_only(r->kernel, instruction, &site);
    site.row = pm_is_descriptor_read(instruction) || is_further_texel(&site) ? PM_NO_ROW : 0;
    describe_variable(object, values, r->layout, &site);
    if (site.argument >= 0 && pm_field_find(r->kernel, (unsigned)site.argument, offset, &field)) {
        site.structure = pm_copy(r->kept, field.structure);
        site.field = pm_copy(r->kept, field.field);
    }
    return site;
}

static void add_sites(const pm_kernel_request *r, LLVMValueRef instruction, unsigned loop,
                      const pm_structure *structure, pm_values *values, pm_sites *sites)
{
    pm_code_value *value = pm_code_value_of(values, instruction);
    pm_site site = describe(r, instruction, structure->loops[loop].line, values);
    uint64_t bytes = site.extent;

    site.loop = loop;
    site.bytes = site.kind == PM_ACCESS_ATOMIC ? (unsigned)bytes
                                               : piece_bytes(instruction, bytes, r->layout);
    site.waits = pm_order_is_waited_for(instruction);
    site.wait = site.waits ? value->waits - 1 : 0;
    value->site = (uint32_t)sites->count;
    site.together = site.bytes;
    for (uint64_t at = 0; at < bytes; at += site.bytes, value->sites++)
        *pm_add(r->memory, sites->sites, sites->count) = site;
}

/* Returns whether two memory instructions were compiled from the same access in the source, for
 * example by unrolling a loop. */
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

        if (site->row == PM_NO_ROW)
            continue;
        while (site->row < rows && !is_copy(site, first[site->row], loops))
            site->row++;
        if (site->row == rows)
            first[rows++] = site;
    }
}

/* Finds the loads of each scheduling region (code that the compiler reorders as one sequence) that
 * are in flight together. A warp waits once for these loads; the waits are numbered
 * (pm_waits_split). The number of the scheduling region of memory instruction i is of[i].
 * stretches: number of scheduling regions. */
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
                add_sites(r, i, segment->loop, structure, values, &sites);
        while (known < sites.count)
            *pm_add(r->memory, of, known) = segment->stretch;
    }
    split_waits(&sites, of, structure->count, r->memory);
    pm_scalar_loads_find(r->kernel, structure, values, &sites, r->memory);
    pm_together_find(structure, values, &sites, r->memory);
    number_rows(&sites, structure->loops, r->memory);
    return sites;
}
