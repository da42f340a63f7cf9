/* Dominators of a small directed graph.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_GRAPH_H
#define PM_COLLECTOR_TRACE_BACKEND_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#include "perfmodel.h"

/* Edges as lists: those from node n are to[first[n]] .. to[first[n + 1] - 1]. */
typedef struct {
    size_t nodes;
    uint32_t *first, *to;
} pm_graph;

/* Immediate dominators from root, by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
 * Algorithm" (2001). dominator has graph->nodes members: a node's own number for the root,
 * UINT32_MAX for a node that the root does not reach. */
pm_status pm_graph_dominators(const pm_graph *graph, uint32_t root, uint32_t *dominator,
                              pm_error *err);
/* The same graph with its edges turned round; freed with pm_graph_free. */
pm_status pm_graph_reverse(const pm_graph *graph, pm_graph *reverse, pm_error *err);
void pm_graph_free(pm_graph *graph);

#endif
