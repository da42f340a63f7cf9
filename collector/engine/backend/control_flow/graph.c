/* Computes the dominators and the cycles of a small directed graph.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/control_flow/graph.h"

bool pm_graph_dominates(const uint32_t *dominator, uint32_t a, uint32_t b)
{
    while (b != a && dominator[b] != b)
        b = dominator[b];
    return a == b;
}

pm_graph pm_graph_reverse(const pm_graph *graph, pm_memory *memory)
{
    size_t edges = graph->first[graph->nodes];
    pm_graph reverse = {.nodes = graph->nodes,
                        .first = pm_take(memory, graph->nodes + 2, sizeof *reverse.first),
                        .to = pm_take(memory, edges, sizeof *reverse.to)};

    /* Counting sort of the reversed edges. First, first[n + 2] counts the edges of node n's list.
     * The prefix sum turns first[n + 1] into the start of the list. Filling the list moves first[n
     * + 1] to the list's end. */
    for (size_t e = 0; e < edges; e++)
        reverse.first[graph->to[e] + 2]++;
    for (size_t n = 1; n <= graph->nodes; n++)
        reverse.first[n + 1] += reverse.first[n];
    for (uint32_t n = 0; n < graph->nodes; n++)
        for (uint32_t e = graph->first[n]; e < graph->first[n + 1]; e++)
            reverse.to[reverse.first[graph->to[e] + 1]++] = n;
    return reverse;
}

/* Lists the nodes reachable from `root` in post-order: order[i] is the i-th node of the post-order.
 * rank is the inverse of order (UINT32_MAX: unreachable). Returns the number of reachable nodes. */
static size_t post_order(const pm_graph *graph, uint32_t root, uint32_t *order, uint32_t *rank,
                         pm_memory *memory)
{
    uint32_t *stack = pm_take(memory, graph->nodes, sizeof *stack);
    uint32_t *next = pm_take(memory, graph->nodes, sizeof *next);
    size_t depth = 1, done = 0;

    for (size_t n = 0; n < graph->nodes; n++) {
        rank[n] = UINT32_MAX;
        next[n] = UINT32_MAX; /* not visited */
    }
    stack[0] = root;
    next[root] = graph->first[root];
    while (depth > 0) {
        uint32_t n = stack[depth - 1];

        if (next[n] < graph->first[n + 1]) {
            uint32_t to = graph->to[next[n]++];

            if (next[to] == UINT32_MAX) {
                next[to] = graph->first[to];
                stack[depth++] = to;
            }
        } else {
            rank[n] = (uint32_t)done;
            order[done++] = n;
            depth--;
        }
    }
    return done;
}

static uint32_t common(const uint32_t *dominator, const uint32_t *rank, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (rank[a] < rank[b])
            a = dominator[a];
        while (rank[b] < rank[a])
            b = dominator[b];
    }
    return a;
}

static void iterate(const pm_graph *reverse, const uint32_t *order, const uint32_t *rank,
                    size_t reached, uint32_t *dominator)
{
    bool changed = true;

    while (changed) {
        changed = false;
        /* the root, which is last in post-order, is left out, because it is its own dominator */
        for (size_t i = reached - 1; i-- > 0;) {
            uint32_t n = order[i], best = UINT32_MAX;

            for (uint32_t e = reverse->first[n]; e < reverse->first[n + 1]; e++) {
                uint32_t from = reverse->to[e];

                if (dominator[from] == UINT32_MAX)
                    continue;
                best = best == UINT32_MAX ? from : common(dominator, rank, best, from);
            }
            changed = changed || dominator[n] != best;
            dominator[n] = best;
        }
    }
}

uint32_t *pm_graph_dominators(const pm_graph *graph, const pm_graph *reverse, uint32_t root,
                              pm_memory *memory)
{
    uint32_t *dominator = pm_take(memory, graph->nodes, sizeof *dominator);
    uint32_t *order = pm_take(memory, graph->nodes, sizeof *order);
    uint32_t *rank = pm_take(memory, graph->nodes, sizeof *rank);
    size_t reached = post_order(graph, root, order, rank, memory);

    for (size_t n = 0; n < graph->nodes; n++)
        dominator[n] = UINT32_MAX;
    dominator[root] = root;
    iterate(reverse, order, rank, reached, dominator);
    return dominator;
}

/* Collects in `stack` the strongly connected component of `node`: the reachable nodes that lead to
 * `node` and belong to no component yet. Returns whether an edge leads from a node of the component
 * to `node`. */
static bool flood(const pm_graph *reverse, uint32_t node, const uint32_t *rank, bool *placed,
                  uint32_t *stack, size_t *count)
{
    bool cycle = false;

    *count = 1;
    stack[0] = node;
    placed[node] = true;
    for (size_t i = 0; i < *count; i++)
        for (uint32_t e = reverse->first[stack[i]]; e < reverse->first[stack[i] + 1]; e++) {
            const uint32_t from = reverse->to[e];

            cycle |= from == node;
            if (placed[from] || rank[from] == UINT32_MAX)
                continue;
            placed[from] = true;
            stack[(*count)++] = from;
        }
    return cycle;
}

bool *pm_graph_cycles(const pm_graph *graph, const pm_graph *reverse, uint32_t root,
                      pm_memory *memory)
{
    bool *cycles = pm_take(memory, graph->nodes, sizeof *cycles);
    bool *placed = pm_take(memory, graph->nodes, sizeof *placed);
    uint32_t *order = pm_take(memory, graph->nodes, sizeof *order);
    uint32_t *rank = pm_take(memory, graph->nodes, sizeof *rank);
    uint32_t *stack = pm_take(memory, graph->nodes, sizeof *stack);

    for (size_t i = post_order(graph, root, order, rank, memory); i-- > 0;) {
        size_t count;

        if (placed[order[i]] || !flood(reverse, order[i], rank, placed, stack, &count))
            continue;
        for (size_t k = 0; k < count; k++)
            cycles[stack[k]] = true;
    }
    return cycles;
}
