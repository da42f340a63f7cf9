/* Dominators and cycles of a small directed graph.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_CONTROL_FLOW_GRAPH_H
#define PM_COLLECTOR_ENGINE_BACKEND_CONTROL_FLOW_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

/* A directed graph as adjacency lists. The edges of node n lead to the nodes in `to` from index
 * first[n] to index first[n + 1] - 1. */
typedef struct {
    size_t nodes;
    uint32_t *first, *to;
} pm_graph;

/* Returns each node's immediate dominator for paths from `root`, by Cooper, Harvey and Kennedy, "A
 * Simple, Fast Dominance Algorithm" (2001). The root's dominator is the root itself. UINT32_MAX:
 * the node is unreachable. reverse: the same graph with reversed edges. The returned array is
 * allocated from `memory`. */
uint32_t *pm_graph_dominators(const pm_graph *graph, const pm_graph *reverse, uint32_t root,
                              pm_memory *memory);
/* Returns whether a dominates b: all paths from the root to b pass through a. dominator is the
 * result of pm_graph_dominators. */
bool pm_graph_dominates(const uint32_t *dominator, uint32_t a, uint32_t b);
/* Returns an array with a bool for each node: true if the node is on a cycle. Only nodes that the
 * root reaches are considered. A node on a cycle has an edge to itself or belongs to a strongly
 * connected component of several nodes. Source: Kosaraju's algorithm in Aho, Hopcroft and Ullman,
 * "Data Structures and Algorithms", 1983, section 6.7. */
bool *pm_graph_cycles(const pm_graph *graph, const pm_graph *reverse, uint32_t root,
                      pm_memory *memory);
pm_graph pm_graph_reverse(const pm_graph *graph, pm_memory *memory);

#endif
