/* Finds loads that AMD's compiler makes scalar: executed once for all work-items of a wavefront.
 *
 * AMD's OpenCL and HIP use LLVM's AMDGPU target, which makes a load scalar if its address is
 * provably the same for all work-items, if it loads at least four bytes, and if no store between
 * the kernel's start and the load may have written the data. The last condition is needed because
 * the scalar cache does not see stores; LLVM marks such loads with `amdgpu.noclobber`
 * (AMDGPUAnnotateUniformValues.cpp). A store before the load prevents a scalar load even if there
 * is a barrier between the two.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/accesses/scalar_loads.h"

#include "collector/engine/backend/ir/ir.h"

enum {
    LEAST_BYTES = 4,
    /* If more segments (basic blocks, cut at barriers) than this write to global memory, no load of
     * the kernel counts as scalar. */
    MOST_WRITING = 256
};

/* A segment (basic block, cut at barriers) that writes global memory, and the segments that may
 * execute after it. */
typedef struct {
    uint32_t segment;
    bool *behind; /* behind[i]: true if segment i (basic block, cut at barriers) may execute after
                     this segment */
} writing;

typedef struct {
    LLVMValueRef kernel;
    const pm_structure *structure;
    writing writing[MOST_WRITING];
    size_t count;
    uint32_t *waiting;
} search;

static bool writes_global(LLVMValueRef instruction)
{
    LLVMValueRef pointer = LLVMIsALoadInst(instruction) ? NULL : pm_site_pointer(instruction);

    return pointer && LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != SHARED_SPACE &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != PRIVATE_SPACE;
}

static bool writes(const pm_code_segment *segment)
{
    PM_EACH_OF_SEGMENT(i, segment)
        if (writes_global(i))
            return true;
    return false;
}

/* Sets behind[i] to true for each segment i (basic block, cut at barriers) that may execute after
 * `segment`, including `segment` itself if it is in a loop. */
static void mark_behind(search *s, uint32_t segment, bool *behind)
{
    size_t waiting = 0;

    for (s->waiting[waiting++] = segment; waiting > 0;) {
        const pm_code_segment *from = &s->structure->segments[s->waiting[--waiting]];

        for (uint32_t k = 0; k < from->successors; k++) {
            const uint32_t to = s->structure->successors[from->first_successor + k];

            if (!behind[to])
                s->waiting[waiting++] = to;
            behind[to] = true;
        }
    }
}

/* Lists the segments (basic blocks, cut at barriers) that write global memory. false if there are
 * more than MOST_WRITING. */
static bool find_writing(search *s, pm_memory *memory)
{
    const size_t segments = s->structure->count;

    s->waiting = pm_take(memory, segments + 1, sizeof *s->waiting);
    for (uint32_t k = 0; k < segments; k++) {
        if (!writes(&s->structure->segments[k]))
            continue;
        if (s->count == MOST_WRITING)
            return false;
        s->writing[s->count] = (writing){k, pm_take(memory, segments, sizeof(bool))};
        mark_behind(s, k, s->writing[s->count++].behind);
    }
    return true;
}

static bool has_no_alias(LLVMValueRef kernel, LLVMValueRef object)
{
    const int i = pm_parameter_index(kernel, object);

    return i >= 0 && pm_parameter_attribute(kernel, (unsigned)i, "noalias");
}

/* Returns whether `instruction`, if it is a store or an atomic, may write the data that `load`
 * reads. The order of the two is not considered. */
static bool may_write(LLVMValueRef kernel, LLVMValueRef instruction, LLVMValueRef load)
{
    LLVMValueRef to, from;

    if (!writes_global(instruction))
        return false;
    to = pm_site_object(pm_site_pointer(instruction));
    from = pm_site_object(pm_site_pointer(load));
    return !to || !from || to == from || !(has_no_alias(kernel, to) || has_no_alias(kernel, from));
}

static bool may_be_written_before(const search *s, LLVMValueRef load, uint32_t segment)
{
    for (size_t w = 0; w < s->count; w++) {
        const pm_code_segment *from = &s->structure->segments[s->writing[w].segment];
        const bool behind = s->writing[w].behind[segment];

        if (!behind && s->writing[w].segment != segment)
            continue;
        PM_EACH_OF_SEGMENT(i, from) {
            if (i == load && !behind)
                break;
            if (may_write(s->kernel, i, load))
                return true;
        }
    }
    return false;
}

static bool can_be_scalar(const pm_site *site, LLVMValueRef instruction)
{
    return site->kind == PM_ACCESS_LOAD && site->one_place && !LLVMGetVolatile(instruction) &&
           (site->space == PM_SPACE_GLOBAL || site->through_l1) && site->extent >= LEAST_BYTES;
}

void pm_scalar_loads_find(LLVMValueRef kernel, const pm_structure *structure,
                          const pm_values *values, pm_sites *sites, pm_memory *memory)
{
    search s = {.kernel = kernel, .structure = structure};

    if (!find_writing(&s, memory))
        return;
    for (size_t v = 0; v < values->count; v++) {
        const pm_code_value *value = &values->values[v];

        if (value->sites == 0 || !can_be_scalar(&sites->sites[value->site], value->instruction))
            continue;
        if (may_be_written_before(&s, value->instruction, value->segment))
            continue;
        for (uint32_t k = 0; k < value->sites; k++)
            sites->sites[value->site + k].scalar = true;
    }
}
