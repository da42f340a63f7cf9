/* Which layouts of a struct are worth tracing.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A struct of 11 fields has 678,570 partitions. The search prunes in four steps:
 *
 * 1. Fields that the same loops of the same kernels read and write are one atom; of more than
 * MOST_ATOMS the two whose uses are most alike become one, again and again. An atom of more than 16
 * bytes, the widest access, is split. 2. Every partition of the atoms into clusters is made. 3.
 * Where an aligned cluster has a hole of 4 or 8 bytes, each field of another cluster that fits is
 * also tried in it. 4. All of these, aligned and not, are ranked by an estimate of the L1 lines and
 * L2 sectors that a warp's accesses would touch, from what the accesses of the plain source did
 * touch. The best remain, beside aos, aos-align, soa and asta.
 *
 * The estimate only chooses what is traced next; the model chooses the layout.
 */
#ifndef PM_LAYOUT_SEARCH_H
#define PM_LAYOUT_SEARCH_H

#include "layout/plan.h"
#include "source/source.h"

/* ---- uses.c: how kernels use the fields of a struct ----------------------------------------- */

typedef enum { PM_SPREAD, PM_CONSECUTIVE, PM_SHARED } pm_pattern;

/* A field in one loop of a kernel. */
typedef struct {
    size_t kernel; /* of the source's description */
    unsigned loop; /* line of the innermost loop; 0: none */
    size_t field;
    bool read, written;
    double executions; /* by warps, of the instruction that ran most often */
    double elements;   /* distinct structs that a warp's instruction touches, by its sectors */
    pm_pattern pattern;
} pm_field_use;

/* The uses of a struct, in the order of kernels, loops and fields. */
pm_field_use *pm_uses(pm_memory *memory, const pm_source_info *source, size_t structure,
                      const pm_trace_kernel *traced, size_t traced_count, size_t *count);

/* ---- what is searched ----------------------------------------------------------------------- */

typedef struct {
    /* Share of the global loads that miss L1, by kernel of the description; NULL: all. */
    const double *misses;
    size_t clusters; /* most clustered layouts to return */
} pm_search_options;

typedef struct {
    size_t count;
    const char **texts; /* as layout.h has them; the first is aos */
    double *estimates;  /* cycles of L1 and L2, without a scale */
    size_t examined;    /* layouts that the estimate ranked */
} pm_candidates_found;

/* ---- estimate.c */

/* Lines of L1 that a kernel's requests touch, plus what the sectors that miss it cost: a line and
 * two sectors of 32 bytes each take a cycle of their unit. */
double pm_layout_estimate(const pm_plan *plan, const pm_field_use *uses, size_t use_count,
                          const pm_search_options *options);

/* ---- search.c */

pm_candidates_found pm_layout_search(pm_memory *memory, const pm_struct *structure,
                                     const pm_field_use *uses, size_t use_count,
                                     const pm_search_options *options);

#endif
