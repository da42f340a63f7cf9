/* Searches for memory layouts of a struct that may be fast, so that only these need to be traced.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A struct of 11 fields has 678,570 partitions. The search reduces them in four steps:
 *
 *   1. Fields that the same loops of the same kernels read and write form one atom. While there
 *      are more than MOST_ATOMS atoms, the two with the most similar uses are merged. An atom of
 *      more than 16 bytes, the widest access, is split.
 *   2. Every partition of the atoms into clusters is a layout.
 *   3. If an aligned cluster has a hole, each field of another cluster that fits is tried in it.
 *   4. All layouts are ranked by estimated cost: the L1 lines and L2 sectors that a warp's
 *      accesses touch, derived from a trace of the original source. The result has the
 *      best of them, in addition to aos, aos-align, soa and asta.
 *
 * The estimate only selects the layouts to trace. The prediction of run times then chooses among
 * them.
 */
#ifndef PM_TRANSFORM_LAYOUT_SEARCH_H
#define PM_TRANSFORM_LAYOUT_SEARCH_H

#include "transform/layout/plan.h"
#include "transform/source/source.h"

/* ---- uses.c: how kernels use the fields of a struct ----------------------------------------- */

typedef enum { PM_SPREAD, PM_CONSECUTIVE, PM_SHARED } pm_pattern;

/* Use of a field by the accesses of one loop of a kernel. */
typedef struct {
    size_t kernel; /* index into pm_source_info.kernels */
    unsigned loop; /* source line of the innermost loop that contains the use; 0: no loop */
    size_t field;
    bool read, written;
    /* Number of times that warps execute the instruction that accesses this field in this loop. If
     * there are several instructions, it is the largest of their counts. */
    double executions;
    /* number of different structs of the array that one access of a warp touches, computed from the
     * number of memory sectors that it touches */
    double elements;
    pm_pattern pattern;
} pm_field_use;

/* Returns the uses of a struct's fields, sorted by kernel, loop and field. */
pm_field_use *pm_uses(pm_memory *memory, const pm_source_info *source, size_t structure,
                      const pm_trace_kernel *traced, size_t traced_count, size_t *count);

/* ---- options and result --------------------------------------------------------------------- */

typedef struct {
    /* misses[kernel]: fraction of the kernel's global loads that miss L1, 0 to 1. NULL: 1 for all
     * kernels. */
    const double *misses;
    size_t clusters; /* largest number of clustered layouts to return */
} pm_search_options;

typedef struct {
    size_t count;
    const char **texts; /* texts of the layouts (layout.h); the first is aos */
    /* estimated cycles of L1 and L2 for each layout, in which only the order is meaningful */
    double *estimates;
    size_t examined; /* number of layouts that the search ranked */
} pm_candidates_found;

/* ---- estimate.c */

/* Returns the estimated cost of a layout in cycles. Each L1 line that an access of a warp touches
 * counts as one cycle. Each 32-byte sector of a store, or of a load that misses L1, counts as half
 * a cycle. */
double pm_layout_estimate(const pm_plan *plan, const pm_field_use *uses, size_t use_count,
                          const pm_search_options *options);

/* ---- search.c */

/* Returns the layouts of a struct with the lowest estimated costs, found by the four steps that the
 * comment at the top of this file describes. uses: result of pm_uses(). `memory` owns the
 * result. */
pm_candidates_found pm_layout_search(pm_memory *memory, const pm_struct *structure,
                                     const pm_field_use *uses, size_t use_count,
                                     const pm_search_options *options);

#endif
