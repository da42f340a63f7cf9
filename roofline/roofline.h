/* The roofline model: what a kernel does a second, and what the GPU's peaks allow.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * S. Williams, A. Waterman, D. Patterson, Roofline: An Insightful Visual Performance Model for
 * Multicore Architectures, Communications of the ACM 52 (4), 2009. One roof for each level of
 * memory: C. Yang, T. Kurth, S. Williams, Hierarchical Roofline analysis for GPUs: Accelerating
 * performance optimization for the NERSC-9 Perlmutter system, Concurrency and Computation: Practice
 * and Experience 32 (20), 2020.
 *
 * With W operations and Q bytes of a level, peak P and bandwidth B the model allows
 * min(P, B W / Q) operations a second. The least time is then max(W / P, Q / B) over all levels,
 * which says the same and holds for a kernel without operations too.
 */
#ifndef PM_ROOFLINE_ROOFLINE_H
#define PM_ROOFLINE_ROOFLINE_H

#include "perfmodel.h"

/* Sizes in which a GPU's counters count, beside its roofs. */
typedef struct {
    pm_roofs roofs;
    double l1_sector, l2_sector; /* bytes */
    double warp_bytes;           /* of a word of each of a warp's work-items */
    double wavefront_bytes;      /* that all banks of shared memory give at once */
    double power_limit_w;        /* of the board; NaN: unknown */
} pm_roof_units;

/* From the target's row of devices.csv, looked for as pm_profile_find does. A target without one
 * leaves all roofs unknown. */
pm_status pm_roof_units_find(const char *target, const char *folder, pm_roof_units *units,
                             pm_error *err);

/* Operations and bytes. NaN: unknown. */
typedef struct {
    double fp32, fp64, integer;
    double bytes[PM_ROOF_LEVELS];
    /* Of them, what the level's peak is the limit of. L1 finds sectors in passes of as many bytes
     * as a warp asks for, so that sectors that are read in part are more than it moves; what is
     * read from L2 and what is written to it go opposite ways. */
    double moved[PM_ROOF_LEVELS];
} pm_roof_work;

/* A counter of a kernel by its name in counters.ini; NaN: unknown. */
typedef double (*pm_counter_fn)(const void *user, const char *name);
/* What a kernel's counters say. L1 is global and private memory: sectors of global loads and
 * stores, and a word of each work-item of a warp for a private access. */
pm_roof_work pm_roof_work_of(const pm_roof_units *units, pm_counter_fn counter, const void *user);
void pm_roof_work_add(pm_roof_work *sum, const pm_roof_work *of);

/* A point of the roofline. time_s may be NaN: all but what is a second is known then. */
pm_roofline pm_roofline_of(const pm_roofs *roofs, const pm_roof_work *work, double time_s,
                           bool measured);

#endif
