/* What the parts of method nakai share. See nakai.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_LAYOUT_NAKAI_PARTS_H
#define PM_LAYOUT_NAKAI_PARTS_H

#include "layout/nakai/nakai.h"

/* Bytes that the paper aligns clusters to, and wants their sizes to be multiples of. */
enum { PM_NAKAI_ALIGN = 16 };

/* An instruction and which of the source's accesses of the struct it is. */
typedef struct {
    const pm_access *access;
    size_t kernel; /* of the source */
    unsigned loop; /* of the source's access */
    bool matched;  /* to an access of the source; if not, loop is the trace's */
} pm_nakai_site;

/* The struct's sites in the traced kernels. */
pm_nakai_site *pm_nakai_sites(const pm_source_info *source, size_t structure,
                              const pm_trace_kernel *kernels, size_t kernel_count,
                              pm_memory *memory, size_t *count);

/* Step (1) of section 6.2: a node for each loop of each kernel that accesses the struct. */
pm_nakai_tree pm_nakai_tree_make(const pm_source_info *source, size_t structure,
                                 const pm_nakai_site *sites, size_t site_count, pm_memory *memory);
/* Nodes by kernel, then by the loop's line. */
int pm_nakai_compare_places(const void *a, const void *b);
/* Steps (2) and (3). */
pm_nakai_tree pm_nakai_tree_merge(const pm_struct *structure, const pm_nakai_tree *tree,
                                  bool across_kernels, pm_memory *memory);
/* The rest of step (3): each field in one node, and the sizes adjusted. */
void pm_nakai_tree_settle(const pm_struct *structure, pm_nakai_tree *tree, pm_memory *memory);
/* A node without fields at the tree's end, with room for so many places and all fields. */
pm_nakai_node *pm_nakai_node_add(const pm_struct *structure, pm_nakai_tree *tree, size_t places,
                                 pm_memory *memory);
/* Adds a field, if the node does not have it. */
void pm_nakai_node_put(const pm_struct *structure, pm_nakai_node *node, size_t field);

size_t pm_nakai_field_bytes(const pm_struct *structure, size_t field);
bool pm_nakai_node_has(const pm_nakai_node *node, size_t field);

/* Step (4): the structs of figure 18. */
char *pm_nakai_define(const pm_struct *structure, const pm_layout *layout, pm_memory *memory);

#endif
