/* Method nakai: which layout a struct is to have, by the accesses of a traced run (Nakai and Ohno
 * 2017, "Automatic data layout optimization of GPU programs by execution counts and addresses of
 * memory instructions").
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Section 5: each global memory instruction on the struct has a class and a weight; the sign of the
 * weights' sum chooses AoS or SoA. Section 6: with AoS, fields that are accessed in loops of equal
 * count become structs of their own, aligned to 16 bytes. All steps are kept, so that they can be
 * shown. What the paper leaves open is decided in docs/layout.md.
 */
#ifndef PM_LAYOUT_NAKAI_NAKAI_H
#define PM_LAYOUT_NAKAI_NAKAI_H

#include "base/memory.h"
#include "layout/layout.h"
#include "source/source.h"

/* ---- section 5: rows and weights ----------------------------------------------------------- */

/* A global memory instruction on the struct (a row of figure 12). */
typedef struct {
    char *kernel, *field; /* field: as the trace names it; "" where it does not know */
    const char *kind;     /* load, store, atomic */
    unsigned line, column, loop;
    const char *access_class; /* UnCoalesc, Coalesc, ShareCoalesc; "": it never ran */
    double executions;        /* by warps: the paper's exeNUM */
    double coalesced_threads; /* mean of an execution: the paper's CoalescThreadNUM */
    double weight;            /* by equation (1) */
    double corrected;         /* weight times executions (section 5.3) */
} pm_nakai_row;

/* Equation (1) with w1 = 1 and w2 = -1: +1 for UnCoalesc and ShareCoalesc, -coalesced_threads /
 * warp_width for Coalesc, 0 for any other text. warp_width: work-items, not 0; the paper's is 32.
 */
double pm_nakai_weight(const char *access_class, double coalesced_threads, unsigned warp_width);
/* Fills weight and corrected of the rows and returns the sum of corrected (section 5.3). */
double pm_nakai_weigh(pm_nakai_row *rows, size_t count, unsigned warp_width);

typedef enum {
    PM_NAKAI_NONE, /* sum 0, or nothing ran: the source's layout stays */
    PM_NAKAI_AOS,
    PM_NAKAI_SOA
} pm_nakai_choice;

/* ---- section 6: the field access tree ------------------------------------------------------- */

typedef struct {
    size_t kernel; /* index into pm_nakai_struct.kernels */
    unsigned loop; /* its line; 0: the kernel outside of loops */
} pm_nakai_place;

/* A Loop node with its Field nodes; after a merge, of several loops. */
typedef struct {
    size_t place_count;
    pm_nakai_place *places; /* none: the node of fields that no kernel accesses */
    double count;           /* how often warps execute it */
    size_t field_count;
    size_t *fields; /* of the struct, ascending */
    size_t bytes;   /* of the fields together */
} pm_nakai_node;

/* Nodes in the order of kernels and loops of the source; the last tree's by count, largest first.
 */
typedef struct {
    size_t count;
    pm_nakai_node *nodes;
} pm_nakai_tree;

/* The three trees of figures 15 to 17. */
enum { PM_NAKAI_TREE, PM_NAKAI_IN_KERNELS, PM_NAKAI_ACROSS_KERNELS, PM_NAKAI_TREES };

/* ---- a struct's analysis -------------------------------------------------------------------- */

typedef struct {
    pm_memory memory; /* of what is here */
    pm_struct *structure;
    size_t kernel_count;
    char **kernels; /* of the source, all */
    size_t row_count;
    pm_nakai_row *rows;
    double sum;
    pm_nakai_choice choice;
    pm_nakai_tree trees[PM_NAKAI_TREES]; /* with AoS, else empty */
    /* AOS without alignment (none), SOA, or CLUSTER aligned to 16: a cluster for each node of the
     * last tree, in its order. */
    pm_layout layout;
    const char *layout_text;
    char *definitions; /* with AoS: OpenCL C of the clusters' structs (figure 18); else NULL */
} pm_nakai_struct;

/* Analyses struct `structure` of the source's description from the access tables of its kernels.
 * Kernels that the trace does not have did not run. warp_width: of the GPU whose rules counted. */
pm_status pm_nakai_decide(const pm_source_info *source, size_t structure,
                          const pm_trace_kernel *kernels, size_t kernel_count, unsigned warp_width,
                          pm_nakai_struct *out, pm_error *err);
void pm_nakai_struct_free(pm_nakai_struct *analysis); /* what it owns, not itself */

/* ---- a program's analysis ------------------------------------------------------------------- */

struct pm_nakai { /* perfmodel.h has its typedef */
    char *target;
    unsigned warp_width;
    const pm_terms *terms; /* of the source's language */
    double sampled;        /* share of the work-groups that ran, the smallest of all kernels */
    size_t count;
    pm_nakai_struct *structs;
};

#endif
