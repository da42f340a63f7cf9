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

/* An instruction that accesses the struct in global memory: a row of figure 12 of the paper. */
typedef struct {
    char *kernel, *field; /* field: name of the field from the trace; "" if it is unknown */
    const char *kind;     /* kind of access: load, store or atomic */
    unsigned line, column, loop;
    /* Class of the access in the paper: UnCoalesc (not coalesced), Coalesc (coalesced) or
     * ShareCoalesc (all threads access one address); "": the instruction was never executed. */
    const char *access_class;
    double executions; /* number of executions by warps (exeNUM in the paper) */
    /* number of coalesced threads per execution, mean over all executions (CoalescThreadNUM in the
     * paper) */
    double coalesced_threads;
    double weight;    /* weight of the instruction by equation (1) of the paper */
    double corrected; /* weight * executions (section 5.3 of the paper) */
} pm_nakai_row;

/* Returns an instruction's weight by equation (1) of the paper, with w1 = 1 and w2 = -1. The weight
 * is +1 for UnCoalesc and ShareCoalesc, -coalesced_threads / warp_width for Coalesc, and 0 for any
 * other class. warp_width: work-items of a warp, not 0; the paper uses 32. */
double pm_nakai_weight(const char *access_class, double coalesced_threads, unsigned warp_width);
/* Sets `weight` and `corrected` of each row (one memory instruction). Returns the sum of
 * `corrected` (section 5.3 of the paper). */
double pm_nakai_weigh(pm_nakai_row *rows, size_t count, unsigned warp_width);

typedef enum {
    /* the layout does not change, because the sum of weights is 0 or no instruction was executed */
    PM_NAKAI_NONE,
    PM_NAKAI_AOS,
    PM_NAKAI_SOA
} pm_nakai_choice;

/* ---- section 6 of the paper: the field access tree ------------------------------------------ */

/* A loop of a kernel that accesses the struct whose layout is chosen. All code of the kernel
 * outside of loops also counts as one loop. */
typedef struct {
    size_t kernel; /* index into pm_nakai_struct.kernels */
    unsigned loop; /* source line of the loop; 0: code outside of loops */
} pm_nakai_place;

/* A node of the field access tree: a loop of a kernel, and the fields of the struct that it
 * accesses. When nodes are merged, the new node represents several loops. */
typedef struct {
    size_t place_count;
    /* loops that the node represents; the node with the fields that no kernel accesses has none */
    pm_nakai_place *places;
    double count; /* number of executions of the loop by warps */
    size_t field_count;
    size_t *fields; /* indices of fields of the struct, ascending */
    size_t bytes;   /* total size of the fields in bytes */
} pm_nakai_node;

/* The paper's field access tree, as a list of its loop nodes in source order of kernels and loops.
 * The method changes the tree in three steps; after the last one, the nodes are sorted by `count`,
 * largest first. */
typedef struct {
    size_t count;
    pm_nakai_node *nodes;
} pm_nakai_tree;

/* The trees of a struct's analysis: as built, after merging in each kernel, after merging across
 * kernels. Figures 15 to 17 of the paper show them. */
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
    /* the field access tree after each step of the method; empty unless `choice` is AOS */
    pm_nakai_tree trees[PM_NAKAI_TREES];
    /* The chosen layout. It is AOS without alignment if the choice is NONE, and SOA if the choice
     * is SOA. If the choice is AOS, the layout is CLUSTER (several structs, each with some of the
     * fields) aligned to 16 bytes. It has one struct for the fields of each node of the last tree,
     * in the same order. */
    pm_layout layout;
    const char *layout_text;
    /* OpenCL C definitions of the clusters' structs (figure 18 of the paper) if the choice is AOS;
     * else NULL */
    char *definitions;
} pm_nakai_struct;

/* Applies the method of Nakai and Ohno to a struct of the source. kernels: traced kernels with
 * their access tables; a kernel of the source without an entry was not executed. warp_width:
 * work-items of a warp of the traced GPU. */
pm_status pm_nakai_decide(const pm_source_info *source, size_t structure,
                          const pm_trace_kernel *kernels, size_t kernel_count, unsigned warp_width,
                          pm_nakai_struct *out, pm_error *err);
void pm_nakai_struct_free(
    pm_nakai_struct *analysis); /* frees the members of *analysis, but not the struct itself */

/* ---- a program's analysis ------------------------------------------------------------------- */

struct pm_nakai { /* the typedef is in include/perfmodel/advise.h */
    char *target;
    unsigned warp_width;
    /* words of the source's language for messages, such as blocks (CUDA) or work-groups (OpenCL) */
    const pm_terms *terms;
    /* fraction of the work-groups that were traced: the minimum over all kernels */
    double sampled;
    size_t count;
    pm_nakai_struct *structs;
};

#endif
