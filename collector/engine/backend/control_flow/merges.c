/* Finds partial reconvergence points: segments (basic blocks, cut at barriers) where several, but
 * not all, paths from a branch join.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * NVIDIA's compilers emit a BSSY at the branch and a BSYNC at each of these points. Work-items on
 * other paths leave by BREAK or EXIT. ptxas 13.0 for sm_90 does this, inside and outside of loops,
 * for the bodies of `a || b`, `a || b || c` and `c ? a : b`, for the `else` of `a && b`, and for
 * the code after an early return.
 */
#include "collector/engine/backend/control_flow/merges.h"

#include <stdlib.h>

typedef struct {
    pm_structure *s;
    const pm_graph *reverse;
    const uint32_t *dominator;
    /* found: the partial reconvergence points, as indices of segments (basic blocks, cut at
     * barriers). stack: segments that are visited next. mark[i]: index + 1 of the last examined
     * reconvergence point that paths through segment i reach. */
    uint32_t *found, *stack, *mark;
    size_t count;
    pm_memory *memory;
} merging;

/* Returns the index of the loop from which a segment (basic block, cut at barriers) is entered. The
 * header of a loop is entered from the enclosing loop. */
static unsigned loop_around(const pm_structure *s, uint32_t segment)
{
    const unsigned loop = s->segments[segment].loop;

    return loop != 0 && s->loops[loop].head == segment ? s->loops[loop].parent : loop;
}

/* Returns whether at least two edges lead to a segment (basic block, cut at barriers), not counting
 * the back edges of a loop to its header. */
static bool has_ways(const merging *m, uint32_t to)
{
    uint32_t from = UINT32_MAX;

    for (uint32_t e = m->reverse->first[to]; e < m->reverse->first[to + 1]; e++) {
        const uint32_t way = m->reverse->to[e];

        if (m->dominator[way] == UINT32_MAX || way == from ||
            pm_graph_dominates(m->dominator, to, way))
            continue;
        if (from != UINT32_MAX)
            return true;
        from = way;
    }
    return false;
}

static bool is_merge(const merging *m, uint32_t to)
{
    const uint32_t from = m->dominator[to];
    const pm_code_segment *branch;

    if (from >= m->s->count || from == to)
        return false;
    branch = &m->s->segments[from];
    return branch->end == PM_END_BRANCH && branch->join != to && branch->meet != to &&
           branch->loop == loop_around(m->s, to) && has_ways(m, to);
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Returns a partial reconvergence point with the list of all segments (basic blocks, cut at
 * barriers) on paths from its branch to it. */
static pm_merge_point describe(merging *m, uint32_t to)
{
    pm_merge_point merge = {.block = to};
    uint32_t *between = NULL;
    size_t depth = 0, count = 0;

    m->mark[to] = m->mark[m->dominator[to]] = to + 1;
    m->stack[depth++] = to;
    while (depth > 0) {
        const uint32_t n = m->stack[--depth];

        for (uint32_t e = m->reverse->first[n]; e < m->reverse->first[n + 1]; e++) {
            const uint32_t way = m->reverse->to[e];

            if (m->dominator[way] == UINT32_MAX || m->mark[way] == to + 1 ||
                pm_graph_dominates(m->dominator, to, way))
                continue;
            m->mark[way] = to + 1;
            m->stack[depth++] = way;
            *pm_add(m->memory, between, count) = way;
        }
    }
    if (count > 0)
        qsort(between, count, sizeof *between, by_number);
    merge.between = between;
    merge.between_count = (uint32_t)count;
    return merge;
}

/* Returns whether a branch's paths meet at this partial reconvergence point before they meet at the
 * branch's full reconvergence points (`join`, `meet`). Only then can work-items wait for each other
 * at the partial point. The condition also excludes the one basic block of a kernel to which LLVM
 * sends all impossible cases, such as an impossible value of a switch. */
static bool comes_first(const pm_code_segment *branch, const pm_merge_point *merge)
{
    return !pm_is_before_merge(merge, branch->join) && !pm_is_before_merge(merge, branch->meet);
}

/* Inserts a partial reconvergence point into the list of a branch. The list is in execution order:
 * a point comes before the points to which paths from it lead. */
static void add_merge(merging *m, pm_code_segment *branch, const pm_merge_point *merge)
{
    pm_structure *s = m->s;
    size_t at = branch->first_merge;

    while (at < s->merge_count && !pm_is_before_merge(&s->merges[at], merge->block))
        at++;
    pm_add(m->memory, s->merges, s->merge_count);
    for (size_t k = s->merge_count - 1; k > at; k--)
        s->merges[k] = s->merges[k - 1];
    s->merges[at] = *merge;
    branch->merges++;
}

void pm_merges_find(pm_structure *structure, const pm_graph *reverse, const uint32_t *dominator,
                    pm_memory *memory)
{
    merging m = {.s = structure,
                 .reverse = reverse,
                 .dominator = dominator,
                 .stack = pm_take(memory, reverse->nodes, sizeof *m.stack),
                 .mark = pm_take(memory, reverse->nodes, sizeof *m.mark),
                 .memory = memory};

    for (uint32_t i = 0; i < structure->count; i++)
        if (is_merge(&m, i))
            *pm_add(memory, m.found, m.count) = i;
    for (uint32_t i = 0; m.count > 0 && i < structure->count; i++) {
        pm_code_segment *branch = &structure->segments[i];

        branch->first_merge = (uint32_t)structure->merge_count;
        for (size_t k = 0; branch->end == PM_END_BRANCH && k < m.count; k++)
            if (dominator[m.found[k]] == i) {
                const pm_merge_point merge = describe(&m, m.found[k]);

                if (comes_first(branch, &merge))
                    add_merge(&m, branch, &merge);
            }
    }
}
