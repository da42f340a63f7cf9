/* Method nakai: chooses the layout of a struct from the accesses of a traced run (Nakai and Ohno
 * 2017, "Automatic data layout optimization of GPU programs by execution counts and addresses of
 * memory instructions").
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Section 5: each global memory instruction on the struct has a class and a weight. The sign of the
 * weights' sum chooses AoS or SoA. Section 6: with AoS, fields accessed in loops of equal count
 * become separate structs, aligned to 16 bytes. The result has all intermediate results, so that
 * they can be shown. docs/layout.md describes the decisions that the paper leaves open.
 */
#ifndef PM_TRANSFORM_LAYOUT_NAKAI_NAKAI_H
#define PM_TRANSFORM_LAYOUT_NAKAI_NAKAI_H

#include "base/memory.h"
#include "transform/layout/layout.h"
#include "transform/source/source.h"

/* ---- section 5 of the paper: instructions and their weights -------------------------------- */

/* An instruction that accesses the struct in global memory: a row of figure 12. */
typedef struct {
    char *kernel, *field; /* field: name of the field from the trace; "" if it is unknown */
    const char *kind;     /* load, store, atomic */
    unsigned line, column, loop;
    /* UnCoalesc, Coalesc or ShareCoalesc; "": the instruction was never executed */
    const char *access_class;
    double executions;        /* number of executions by warps (exeNUM in the paper) */
    double coalesced_threads; /* mean over the executions (CoalescThreadNUM in the paper) */
    double weight;            /* weight from equation (1) */
    double corrected;         /* weight * executions (section 5.3) */
} pm_nakai_row;

/* Returns the weight of equation (1), with w1 = 1 and w2 = -1. It is +1 for UnCoalesc and
 * ShareCoalesc, -coalesced_threads / warp_width for Coalesc, and 0 for any other class. warp_width:
 * work-items of a warp, not 0; the paper uses 32. */
double pm_nakai_weight(const char *access_class, double coalesced_threads, unsigned warp_width);
/* Sets weight and corrected of each row. Returns the sum of corrected (section 5.3). */
double pm_nakai_weigh(pm_nakai_row *rows, size_t count, unsigned warp_width);

typedef enum {
    /* layout does not change: the sum of weights is 0, or no instruction was executed */
    PM_NAKAI_NONE,
    PM_NAKAI_AOS,
    PM_NAKAI_SOA
} pm_nakai_choice;

/* ---- section 6 of the paper: the field access tree ------------------------------------------ */

/* A loop of a kernel, or all code of the kernel outside of loops. */
typedef struct {
    size_t kernel; /* index into pm_nakai_struct.kernels */
    unsigned loop; /* source line of the loop; 0: code outside of loops */
} pm_nakai_place;

/* A Loop node of the field access tree, with its Field nodes. After merging, it represents several
 * loops. */
typedef struct {
    size_t place_count;
    /* loops that the node represents; place_count is 0 for the node with the fields that no kernel
     * accesses */
    pm_nakai_place *places;
    double count; /* number of executions by warps */
    size_t field_count;
    size_t *fields; /* indices of fields of the struct, ascending */
    size_t bytes;   /* total size of the fields */
} pm_nakai_node;

/* A field access tree. Nodes are in source order of kernels and loops. The last tree is sorted by
 * count, largest first. */
typedef struct {
    size_t count;
    pm_nakai_node *nodes;
} pm_nakai_tree;

/* The three trees of a struct's analysis, shown in figures 15 to 17 of the paper. */
enum { PM_NAKAI_TREE, PM_NAKAI_IN_KERNELS, PM_NAKAI_ACROSS_KERNELS, PM_NAKAI_TREES };

/* ---- a struct's analysis -------------------------------------------------------------------- */

typedef struct {
    pm_memory memory; /* owns the members below */
    pm_struct *structure;
    size_t kernel_count;
    char **kernels; /* all kernels of the source */
    size_t row_count;
    pm_nakai_row *rows;
    double sum;
    pm_nakai_choice choice;
    pm_nakai_tree trees[PM_NAKAI_TREES]; /* the three trees; empty unless choice is AOS */
    /* The chosen layout: AOS without alignment (choice NONE), SOA, or CLUSTER aligned to 16 bytes.
     * CLUSTER has one cluster for each node of the last tree, in the same order. */
    pm_layout layout;
    const char *layout_text;
    /* choice AoS: OpenCL C definitions of the clusters' structs (figure 18); else NULL */
    char *definitions;
} pm_nakai_struct;

/* Analyses a struct of the source from the access tables of its kernels. A kernel without an access
 * table was not executed. warp_width: work-items of a warp of the traced GPU. */
pm_status pm_nakai_decide(const pm_source_info *source, size_t structure,
                          const pm_trace_kernel *kernels, size_t kernel_count, unsigned warp_width,
                          pm_nakai_struct *out, pm_error *err);
void pm_nakai_struct_free(
    pm_nakai_struct *analysis); /* frees the members of *analysis, but not the struct itself */

/* ---- a program's analysis ------------------------------------------------------------------- */

struct pm_nakai { /* the typedef is in include/perfmodel/advise.h */
    char *target;
    unsigned warp_width;
    const pm_terms *terms; /* terms of the source's language */
    /* fraction of the work-groups that were executed; minimum over all kernels */
    double sampled;
    size_t count;
    pm_nakai_struct *structs;
};

#endif
