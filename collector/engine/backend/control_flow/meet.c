/* Finds the reconvergence points of branches in loops.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/control_flow/meet.h"

#include "collector/engine/backend/control_flow/graph.h"

static bool is_in(const pm_structure *s, uint32_t segment, unsigned loop)
{
    return pm_loop_is_within(s->loops, s->segments[segment].loop, loop);
}

/* Returns the control-flow graph of one iteration of a loop: the loop's segments (basic blocks, cut
 * at barriers) and edges, and as the last node the start of the next iteration. */
static pm_graph round_of(const pm_structure *s, unsigned loop, pm_memory *memory)
{
    pm_graph graph = {.nodes = s->count + 1,
                      .first = pm_take(memory, s->count + 2, sizeof *graph.first),
                      .to = pm_take(memory, s->successor_count, sizeof *graph.to)};
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->count; i++) {
        const pm_code_segment *segment = &s->segments[i];

        graph.first[i] = n;
        for (uint32_t k = 0; is_in(s, i, loop) && k < segment->successors; k++) {
            const uint32_t to = s->successors[segment->first_successor + k];

            if (is_in(s, to, loop))
                graph.to[n++] = to == s->loops[loop].head ? (uint32_t)s->count : to;
        }
    }
    graph.first[s->count] = graph.first[s->count + 1] = n;
    return graph;
}

/* Returns for each segment (basic block, cut at barriers) of a loop the next segment that all paths
 * through the iteration reach (post-dominator). If this is the next iteration, the result is the
 * number of segments, s->count. */
static const uint32_t *next_in(const pm_structure *s, unsigned loop, pm_memory *memory)
{
    const pm_graph graph = round_of(s, loop, memory);
    const pm_graph reverse = pm_graph_reverse(&graph, memory);

    return pm_graph_dominators(&reverse, &graph, (uint32_t)s->count, memory);
}

static uint32_t place_of(const pm_structure *s, unsigned loop, uint32_t next)
{
    return next >= s->count ? s->loops[loop].head : next;
}

/* Returns the first segment (basic block, cut at barriers) that all paths out of an inner loop
 * reach. If this is the next iteration of the outer loop, returns the number of segments, s->count.
 * next: result of next_in for the outer loop. */
static uint32_t behind(const pm_structure *s, unsigned inner, const uint32_t *next)
{
    uint32_t at = s->loops[inner].head;

    while (at < s->count && is_in(s, at, inner))
        at = next[at];
    return at;
}

static void find_in(pm_structure *s, unsigned loop, pm_memory *memory)
{
    const uint32_t *next = next_in(s, loop, memory);

    for (uint32_t i = 0; i < s->count; i++) {
        pm_code_segment *segment = &s->segments[i];

        if (segment->loop != loop || next[i] == UINT32_MAX ||
            (segment->join != PM_NO_BLOCK && is_in(s, segment->join, loop)))
            continue;
        segment->meet = place_of(s, loop, next[i]);
        segment->meet_loop = loop;
    }
    for (unsigned inner = loop + 1; inner < s->loop_count; inner++)
        if (s->loops[inner].parent == loop)
            s->loops[inner].after = place_of(s, loop, behind(s, inner, next));
}

void pm_meet_find(pm_structure *s, pm_memory *memory)
{
    for (uint32_t i = 0; i < s->count; i++) {
        s->segments[i].meet = s->segments[i].join;
        s->segments[i].meet_loop = 0;
    }
    for (unsigned loop = 1; loop < s->loop_count; loop++) {
        uint32_t at = s->loops[loop].head;

        while (at != PM_NO_BLOCK && is_in(s, at, loop))
            at = s->segments[at].join;
        s->loops[loop].after = at;
    }
    for (unsigned loop = 1; loop < s->loop_count; loop++)
        find_in(s, loop, memory);
}
