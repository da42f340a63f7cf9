/* Dominators of a small directed graph.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_CONTROL_FLOW_GRAPH_H
#define PM_COLLECTOR_TRACE_BACKEND_CONTROL_FLOW_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

/* Edges as lists: those from node n are to[first[n]] .. to[first[n + 1] - 1]. */
typedef struct {
    size_t nodes;
    uint32_t *first, *to;
} pm_graph;

/* Each node's immediate dominator from root, by Cooper, Harvey and Kennedy, "A Simple, Fast
 * Dominance Algorithm" (2001): the root's own number for the root, UINT32_MAX for a node that the
 * root does not reach. reverse: the graph with its edges turned round. */
uint32_t *pm_graph_dominators(const pm_graph *graph, const pm_graph *reverse, uint32_t root,
                              pm_memory *memory);
/* Whether all ways from the root to b lead through a, by the answer of pm_graph_dominators. */
bool pm_graph_dominates(const uint32_t *dominator, uint32_t a, uint32_t b);
/* Of each node that the root reaches, whether it leads back to itself: a component of the graph
 * that has more than one node, or an edge to itself (Kosaraju's algorithm: Aho, Hopcroft and
 * Ullman, "Data Structures and Algorithms", 1983, section 6.7). */
bool *pm_graph_cycles(const pm_graph *graph, const pm_graph *reverse, uint32_t root,
                      pm_memory *memory);
pm_graph pm_graph_reverse(const pm_graph *graph, pm_memory *memory);

#endif
