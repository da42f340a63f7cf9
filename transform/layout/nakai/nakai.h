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

/* ---- section 5: rows and weights ----------------------------------------------------------- */

/* A global memory instruction on the struct (a row of figure 12). */
typedef struct {
    char *kernel, *field; /* field: name from the trace; "" if unknown */
    const char *kind;     /* load, store, atomic */
    unsigned line, column, loop;
    const char *access_class; /* UnCoalesc, Coalesc, ShareCoalesc; "": never executed */
    double executions;        /* executions by warps (exeNUM in the paper) */
    double coalesced_threads; /* mean per execution (CoalescThreadNUM in the paper) */
    double weight;            /* weight from equation (1) */
    double corrected;         /* weight * executions (section 5.3) */
} pm_nakai_row;

/* Equation (1) with w1 = 1 and w2 = -1. Returns +1 for UnCoalesc and ShareCoalesc,
 * -coalesced_threads / warp_width for Coalesc, and 0 for any other class. warp_width: work-items
 * per warp, not 0; the paper uses 32. */
double pm_nakai_weight(const char *access_class, double coalesced_threads, unsigned warp_width);
/* Sets weight and corrected of each row. Returns the sum of corrected (section 5.3). */
double pm_nakai_weigh(pm_nakai_row *rows, size_t count, unsigned warp_width);

typedef enum {
    PM_NAKAI_NONE, /* the sum is 0, or nothing was executed: the layout does not change */
    PM_NAKAI_AOS,
    PM_NAKAI_SOA
} pm_nakai_choice;

/* ---- section 6: the field access tree ------------------------------------------------------- */

/* A loop of a kernel, or the kernel's code outside loops. */
typedef struct {
    size_t kernel; /* index into pm_nakai_struct.kernels */
    unsigned loop; /* source line of the loop; 0: code outside loops */
} pm_nakai_place;

/* A Loop node with its Field nodes. After a merge, it represents several loops. */
typedef struct {
    size_t place_count;
    /* loops that the node represents; place_count is 0 for the node of fields that no kernel
     * accesses */
    pm_nakai_place *places;
    double count; /* number of executions by warps */
    size_t field_count;
    size_t *fields; /* indices of fields of the struct, ascending */
    size_t bytes;   /* total size of the fields */
} pm_nakai_node;

/* Nodes in source order of kernels and loops. The last tree is sorted by count, descending. */
typedef struct {
    size_t count;
    pm_nakai_node *nodes;
} pm_nakai_tree;

/* The three trees of figures 15 to 17. */
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
    pm_nakai_tree trees[PM_NAKAI_TREES]; /* empty unless choice is AOS */
    /* AOS without alignment (choice NONE), SOA, or CLUSTER aligned to 16 bytes. CLUSTER has one
     * cluster per node of the last tree, in order. */
    pm_layout layout;
    const char *layout_text;
    /* AoS: OpenCL C definitions of the clusters' structs (figure 18); else NULL */
    char *definitions;
} pm_nakai_struct;

/* Analyses a struct of the source from the access tables of its kernels. A kernel without a table
 * was not executed. warp_width: warp width of the GPU whose coalescing rules were used. */
pm_status pm_nakai_decide(const pm_source_info *source, size_t structure,
                          const pm_trace_kernel *kernels, size_t kernel_count, unsigned warp_width,
                          pm_nakai_struct *out, pm_error *err);
void pm_nakai_struct_free(pm_nakai_struct *analysis); /* frees the members, not the struct itself */

/* ---- a program's analysis ------------------------------------------------------------------- */

struct pm_nakai { /* the typedef is in perfmodel.h */
    char *target;
    unsigned warp_width;
    const pm_terms *terms; /* terms of the source's language */
    /* fraction of the work-groups that were executed, the minimum over all kernels */
    double sampled;
    size_t count;
    pm_nakai_struct *structs;
};

#endif
