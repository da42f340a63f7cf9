/* The roofline model: compares the rate of a kernel with the rate that the GPU's peaks allow.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * S. Williams, A. Waterman, D. Patterson, Roofline: An Insightful Visual Performance Model for
 * Multicore Architectures, Communications of the ACM 52 (4), 2009. One roof for each level of
 * memory: C. Yang, T. Kurth, S. Williams, Hierarchical Roofline analysis for GPUs: Accelerating
 * performance optimization for the NERSC-9 Perlmutter system, Concurrency and Computation: Practice
 * and Experience 32 (20), 2020.
 *
 * A kernel does W operations and moves Q bytes at a level of memory. P is the peak rate of
 * operations, and B the bandwidth of the level. The model allows min(P, B W / Q) operations per
 * second. We compute the least time instead, max(W / P, Q / B) over all levels. It is equivalent,
 * and also defined for a kernel without operations.
 */
#ifndef PM_ANSWER_ROOFLINE_ROOFLINE_H
#define PM_ANSWER_ROOFLINE_ROOFLINE_H

#include "perfmodel.h"

/* Peak rates of a GPU (roofs), and the number of bytes that one count of its counters stands
 * for. */
typedef struct {
    pm_roofs roofs;
    double l1_sector, l2_sector; /* bytes of a sector of L1 and of L2 */
    /* bytes that a warp accesses in local (private) memory by one instruction: 4 for each
     * work-item */
    double warp_bytes;
    double wavefront_bytes; /* bytes that all banks of shared memory transfer in one cycle */
    double power_limit_w;   /* power limit of the board in W; NaN: unknown */
} pm_roof_units;

/* Fills `units` with the peak rates and bandwidths of the target from its row of devices.csv.
 * folder: searched first for devices.csv; may be NULL. If the target has no complete row, all peaks
 * are NaN. */
pm_status pm_roof_units_find(const char *target, const char *folder, pm_roof_units *units,
                             pm_error *err);

/* Work of a kernel: operations and bytes. NaN: unknown. */
typedef struct {
    double fp32, fp64, integer;   /* operations of each kind */
    double bytes[PM_ROOF_LEVELS]; /* bytes moved at each level */
    /* Bytes that count against the peak bandwidth of each level. They differ from `bytes` at two
     * levels. L1: at most the bytes of its passes (wavefronts), because a pass does not transfer
     * the unused part of a sector. L2: the larger one of bytes read and bytes written, because they
     * use separate directions. */
    double moved[PM_ROOF_LEVELS];
} pm_roof_work;

/* Callback that returns the value of a counter of a kernel. name: name of the counter, as in
 * counters.ini; user: argument that the caller passes on. NaN: the counter is unknown. */
typedef double (*pm_counter_fn)(const void *user, const char *name);
/* Computes the work of a kernel (operations, and bytes at each level of memory) from its counters.
 * Bytes at L1 are the sectors of global loads and stores, plus 4 bytes per work-item of the warp
 * for each access to private memory. user: argument for `counter`. */
pm_roof_work pm_roof_work_of(const pm_roof_units *units, pm_counter_fn counter, const void *user);
/* Adds the work of another kernel to *sum. */
void pm_roof_work_add(pm_roof_work *sum, const pm_roof_work *of);

/* Returns the roofline point of a kernel from its work and its time. measured: true if time_s was
 * measured, false if it was predicted. If time_s is NaN, only the members that need a time (per_s
 * and share) are NaN. */
pm_roofline pm_roofline_of(const pm_roofs *roofs, const pm_roof_work *work, double time_s,
                           bool measured);

#endif
