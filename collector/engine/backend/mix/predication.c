/* Finds sides of branches that a GPU executes under a predicate, and the scheduling regions that
 * result.
 *
 * NVIDIA does not publish which branches its compiler predicates. In perfmodel's test programs
 * ptxas 13.0 predicates sides of up to SHORT_SIDE machine instructions, or SHORT_OF_TWO if the
 * branch has two sides, but never a side with an atomic operation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/mix/predication.h"

#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/mix/count_mix.h"

enum { SHORT_SIDE = 11, SHORT_OF_TWO = 4 };

static const double NEVER = 1e9;

/* Returns the number of machine instructions of a segment (basic block, cut at barriers); NEVER if
 * there are more than `most`. */
static double cost_of(const pm_code_segment *side, const pm_costs *costs, double most)
{
    pm_mix mix = {0};
    pm_error ignored;

    PM_EACH_OF_SEGMENT(i, side)
        if ((i != side->last || pm_segment_is_cut(side)) &&
            (PM_IS(i, LLVMAtomicRMW, LLVMAtomicCmpXchg, LLVMFence) ||
             pm_mix_add(costs, i, &mix, &ignored) != PM_OK || mix.total > most))
            return NEVER;
    return mix.total;
}

static unsigned count_ways_in(const pm_structure *s, uint32_t to)
{
    unsigned ways = 0;

    for (size_t i = 0; i < s->successor_count; i++)
        ways += s->successors[i] == to;
    return ways;
}

/* Returns the number of machine instructions on the side of a branch from segment (basic block, cut
 * at barriers) `from` to the reconvergence point `join`. NEVER: the side cannot be predicated. This
 * is the case if there are more instructions than `most`, if a segment has other predecessors, if
 * an instruction cannot be predicated, or if an inner branch is not predicated. */
static double cost_to(const pm_structure *s, uint32_t from, uint32_t join, const pm_costs *costs,
                      double most)
{
    double cost = 0;
    unsigned ways_in = 1;

    while (from != join && cost <= most) {
        const pm_code_segment *segment = &s->segments[from];

        if (count_ways_in(s, from) != ways_in ||
            (segment->end != PM_END_JUMP && !segment->predicated))
            return NEVER;
        cost += cost_of(segment, costs, most - cost);
        ways_in = segment->predicated ? 2 : 1;
        for (uint32_t k = 0; segment->predicated && k < 2; k++)
            cost += cost_to(s, s->successors[segment->first_successor + k], segment->join, costs,
                            most - cost);
        from = segment->predicated ? segment->join : s->successors[segment->first_successor];
    }
    return cost;
}

static bool has_short_sides(const pm_structure *s, uint32_t from, const pm_costs *costs)
{
    const pm_code_segment *segment = &s->segments[from];
    const uint32_t *ways = &s->successors[segment->first_successor];
    bool two = ways[0] != segment->join && ways[1] != segment->join;

    /* If the kernel ends after the branch, ptxas 13.0 for sm_90 predicates neither side, not even a
     * short one. The work-items that do not take the side exit instead. */
    if (!two && pm_is_exit(s->segments[segment->join].block))
        return false;
    for (uint32_t k = 0; k < 2; k++) {
        const double most = two ? SHORT_OF_TWO : SHORT_SIDE;

        if (cost_to(s, ways[k], segment->join, costs, most) > most)
            return false;
    }
    return true;
}

/* A branch can be predicated only if all branches inside its sides are predicated, too. The inner
 * branches mostly come later in the code. The search therefore runs backwards, and is repeated
 * until nothing changes. */
void pm_predication_find(pm_structure *structure, const pm_costs *costs)
{
    bool changed = true;

    while (changed) {
        changed = false;
        for (uint32_t i = (uint32_t)structure->count; i-- > 0;) {
            pm_code_segment *segment = &structure->segments[i];

            if (segment->predicated || segment->end != PM_END_BRANCH || segment->successors != 2 ||
                segment->join == PM_NO_BLOCK || !has_short_sides(structure, i, costs))
                continue;
            segment->predicated = changed = true;
        }
    }
}

/* ---- scheduling regions ---------------------------------------------------------------------- */

/* Finds the scheduling regions: code that the compiler reorders as one sequence. A segment (basic
 * block, cut at barriers) may belong to the region of its predecessors. This is so if all
 * predecessors are in one region and lead to the segment without a branch instruction or barrier. A
 * predecessor that comes later in the code, as at the header of a loop, starts a new region. */
void pm_predication_join(pm_structure *structure, pm_memory *memory)
{
    uint32_t *from = pm_take(memory, structure->count, sizeof *from);
    bool *known = pm_take(memory, structure->count, sizeof *known);
    bool *mixed = pm_take(memory, structure->count, sizeof *mixed);

    for (uint32_t k = 0; k < structure->count; k++) {
        const pm_code_segment *segment = &structure->segments[k];

        for (uint32_t i = 0; i < segment->successors; i++) {
            const uint32_t to = structure->successors[segment->first_successor + i];

            mixed[to] = mixed[to] || to <= k;
        }
    }
    for (uint32_t k = 0; k < structure->count; k++) {
        pm_code_segment *segment = &structure->segments[k];
        const bool goes_on = segment->predicated || segment->end == PM_END_JUMP;

        segment->stretch = known[k] && !mixed[k] ? from[k] : k;
        for (uint32_t i = 0; i < segment->successors; i++) {
            const uint32_t to = structure->successors[segment->first_successor + i];

            mixed[to] = mixed[to] || !goes_on || (known[to] && from[to] != segment->stretch);
            from[to] = segment->stretch;
            known[to] = true;
        }
    }
}
