/* Types and functions that are shared by the files of the layout method of Nakai and Ohno
 * (nakai.h), which chooses the memory layout of a struct.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_LAYOUT_NAKAI_PARTS_H
#define PM_TRANSFORM_LAYOUT_NAKAI_PARTS_H

#include "transform/layout/nakai/nakai.h"

/* Alignment in bytes of clusters (fields that form one struct of the new layout) in the paper by
 * Nakai and Ohno. The method tries to make the size of a cluster a multiple of it. */
enum { PM_NAKAI_ALIGN = 16 };

/* An instruction of the trace that accesses the struct, and the loop with the access in the source
 * from which the instruction was compiled. */
typedef struct {
    const pm_access *access;
    size_t kernel; /* index into the source's kernels */
    /* Source line of the kernel's innermost loop that contains the access. If no access in the
     * source matches the instruction, it is the loop's line in the trace. */
    unsigned loop;
    /* true: the access in the source from which the instruction was compiled was found */
    bool matched;
} pm_nakai_site;

/* Returns the instructions of the traced kernels that access the struct. */
pm_nakai_site *pm_nakai_sites(const pm_source_info *source, size_t structure,
                              const pm_trace_kernel *kernels, size_t kernel_count,
                              pm_memory *memory, size_t *count);

/* Makes a node for each loop of each kernel that accesses the struct: step (1) of section 6.2 of
 * the paper. */
pm_nakai_tree pm_nakai_tree_make(const pm_source_info *source, size_t structure,
                                 const pm_nakai_site *sites, size_t site_count, pm_memory *memory);
/* Comparison function for qsort: orders nodes by kernel, then by the line of the loop. */
int pm_nakai_compare_places(const void *a, const void *b);
/* Merges nodes of the tree, within each kernel or across kernels: steps (2) and (3) of section 6.2
 * of the paper. */
pm_nakai_tree pm_nakai_tree_merge(const pm_struct *structure, const pm_nakai_tree *tree,
                                  bool across_kernels, pm_memory *memory);
/* Assigns each field to one node, and fills the padding of nodes with fields of other nodes: the
 * rest of step (3) of section 6.2 of the paper. */
void pm_nakai_tree_settle(const pm_struct *structure, pm_nakai_tree *tree, pm_memory *memory);
/* Adds a node without fields to the tree and returns it. Its arrays have room for `places` loops
 * and for all fields of the struct. */
pm_nakai_node *pm_nakai_node_add(const pm_struct *structure, pm_nakai_tree *tree, size_t places,
                                 pm_memory *memory);
/* Adds a field to the node, unless the node already has it. */
void pm_nakai_node_put(const pm_struct *structure, pm_nakai_node *node, size_t field);

size_t pm_nakai_field_bytes(const pm_struct *structure, size_t field);
bool pm_nakai_node_has(const pm_nakai_node *node, size_t field);

/* Returns the struct definitions of the clusters, each the fields of one struct of the new layout
 * (figure 18): step (4) of section 6.2 of the paper. */
char *pm_nakai_define(const pm_struct *structure, const pm_layout *layout, pm_memory *memory);

#endif
