/* A CPU's compiler makes a loop over work-items of the code between two barriers (a region). Finds
 * these regions of a kernel, and which of the loops can be vectorised.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/cpu/work_loops.h"

#include "collector/engine/backend/ir/ir.h"

/* Returns the number of the region (code between barriers) that contains a segment (basic block,
 * cut at barriers). Regions are union-find trees, and the number is the tree's root. */
static uint32_t region_of(uint32_t *region, uint32_t segment)
{
    while (region[segment] != segment) {
        region[segment] = region[region[segment]];
        segment = region[segment];
    }
    return segment;
}

/* Joins segments (basic blocks, cut at barriers) into regions, which a CPU executes as one loop
 * over work-items. Two segments belong to one region if a control-flow path without a barrier
 * connects them. */
static uint32_t *find_regions(const pm_structure *s, pm_memory *memory)
{
    uint32_t *region = pm_take(memory, s->count, sizeof *region);

    for (uint32_t i = 0; i < s->count; i++)
        region[i] = i;
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t k = 0; s->segments[i].end != PM_END_BARRIER && k < s->segments[i].successors;
             k++)
            region[region_of(region, i)] =
                region_of(region, s->successors[s->segments[i].first_successor + k]);
    return region;
}

/* Returns whether a loop of the source contains a barrier. A CPU's compiler puts the code between
 * barriers into loops over work-items. A loop with a barrier is outside of these, because all
 * work-items must finish the code before the barrier. */
static bool has_barrier(const pm_structure *s, unsigned loop)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->segments[i].end == PM_END_BARRIER &&
            pm_loop_is_within(s->loops, s->segments[i].loop, loop))
            return true;
    return false;
}

static bool is_vector_arithmetic(LLVMValueRef instruction)
{
    return LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMVectorTypeKind &&
           (LLVMIsABinaryOperator(instruction) || LLVMIsACallInst(instruction));
}

static bool is_for_one(const pm_code_segment *segment)
{
    PM_EACH_OF_SEGMENT(i, segment)
        if (PM_IS(i, LLVMAtomicRMW, LLVMAtomicCmpXchg) || is_vector_arithmetic(i))
            return true;
    return false;
}

const bool *pm_find_serial_segments(const pm_structure *s, pm_memory *memory)
{
    uint32_t *region = find_regions(s, memory);
    bool *by_one = pm_take(memory, s->count, sizeof *by_one);
    bool *serial = pm_take(memory, s->count, sizeof *serial);

    for (unsigned l = 1; l < s->loop_count; l++)
        if (!has_barrier(s, l))
            by_one[region_of(region, s->loops[l].head)] = true;
    for (uint32_t i = 0; i < s->count; i++)
        if (is_for_one(&s->segments[i]))
            by_one[region_of(region, i)] = true;
    for (uint32_t i = 0; i < s->count; i++)
        serial[i] = by_one[region_of(region, i)];
    return serial;
}
