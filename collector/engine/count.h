/* Counts the events of a kernel launch, either of all work-groups or of a sample that is scaled up.
 * The sampling unit is a cell: the work-groups of one wave on one compute unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_COUNT_H
#define PM_COLLECTOR_ENGINE_COUNT_H

#include "base/memory.h"
#include "base/pool.h"
#include "collector/engine/compute_unit.h"
#include "collector/engine/sampling.h"

/* Counts of one memory instruction, scaled to the whole launch. executions: number of executions by
 * warps. work_items: number of accesses by work-items. transactions: number of sectors, lines or
 * wavefronts, as pm_unit_access returns them. near: number of work-items whose address is less than
 * 128 bytes after the address of the warp's first work-item. same: true if another work-item had
 * the same address as the first one in some execution. */
typedef struct {
    double executions, work_items, transactions, near;
    bool same;
} pm_site_total;

typedef struct {
    /* Estimated counts, and their squared standard errors (NaN: unknown). */
    double values[PM_EVENT_COUNT], variance[PM_EVENT_COUNT];
    pm_site_total *sites;
    double sampled; /* fraction of the launch's work-groups that ran, in [0, 1] */
} pm_launch_counts;

typedef struct {
    const pm_launch_run *run;
    const pm_gpu *gpu;
    unsigned resident;
    size_t l1_bytes;
    /* Fraction of the launch's work-groups to run, in (0, 1]. 0: the members `work` (number of
     * basic blocks) and `most` (upper limit of the fraction) determine how many run. */
    double sample;
    /* true: all work-groups run, because the data that they write matter */
    bool whole;
    /* Used if `sample` is 0. work: number of basic blocks that the sampled work-groups shall
     * execute. most: upper limit of the fraction of the launch's work-groups that run, in (0, 1].
     */
    double work, most;
    uint64_t seed;
    /* threads that run the sampled work-groups; NULL: the caller's thread runs them */
    pm_pool *pool;
    pm_l2 *l2;
    /* Code to run. PM_CODE_SLICE, which stores nothing to global memory, is allowed if no later
     * launch needs the data that the sampled groups store. */
    pm_code_kind code;
    /* Bit array with a bit for each work-group of the launch, which is set if the group runs. NULL:
     * not recorded. */
    uint8_t *executed;
} pm_count_request;

/* Counts the events of one launch. Events of L2 and DRAM (l2_*, dram_*) stay 0, because
 * pm_l2_totals reports them after the workload's last launch. PM_CODE_SLICE is code that stores
 * nothing to global memory. If `code` is PM_CODE_SLICE but all groups have to run, nothing is
 * counted and counts->sampled is 0. The caller then counts again with the whole code. */
pm_status pm_launch_count(const pm_count_request *request, pm_launch_counts *counts, pm_error *err);
void pm_launch_counts_free(pm_launch_counts *counts);

/* Runs the work-groups of a launch whose bit in `executed` is 0, without counting. executed NULL:
 * all work-groups. pool: threads; NULL: the work-groups run on the caller's thread in ascending
 * order. */
pm_status pm_launch_execute(const pm_launch_run *run, const uint8_t *executed, pm_pool *pool,
                            pm_error *err);

/* Fails if the memory of `groups` work-groups that wait for each other is too large. Defined in
 * run_uncounted.c. */
pm_status pm_check_together(const pm_launch_run *run, size_t groups, pm_error *err);

/* ---- buffer_extent.c: extent of a launch's accesses in its buffers
 * ---------------------------------- */

/* Runs the launch's first work-group. Returns whether one of its warps runs more than `steps` basic
 * blocks, or accesses an invalid address. */
bool pm_launch_is_longer(const pm_launch_run *run, uint64_t steps);

/* Runs the groups at the corners of the grid and some groups spread over it, on the caller's
 * thread. corners[b] and all[b] become the extent of accesses in buffer b, if that is larger: bytes
 * from the buffer's start to the end of the last access. `corners` includes only accesses of the
 * corner groups, `all` those of all groups that ran. whole: true if all groups run, because a later
 * launch depends on the data that they write. */
pm_status pm_launch_reach(const pm_launch_run *run, bool whole, uint64_t *corners, uint64_t *all,
                          pm_error *err);

/* ---- access_table.c: the access table of a kernel (Nakai and Ohno 2017, table 1) ------------ */

/* Adds a launch's counts to the access table of its kernel, which has a row per memory instruction.
 * The first call (kernel->accesses is NULL) allocates the table from `memory`. */
void pm_access_table_add(pm_trace_kernel *kernel, const pm_kernel_code *code,
                         const pm_launch_counts *counts, pm_memory *memory);
/* Divides the sums in a kernel's access table (counts per memory instruction) by the kernel's
 * number of launches. Call this function after the last launch. */
void pm_access_table_finish(pm_trace_kernel *kernel);

/* ---- scale_strata.c: strata of sampled cells, and their sums
 * ------------------------------------- */

typedef struct {
    double cells, groups;
    /* Sums over the sampled cells (a cell is the work-groups of one wave on one compute unit). An
     * event has the count y in a cell, and n is the cell's number of work-groups. `sum` is the sum
     * of y, `square` of y^2, `with_groups` of y n, and groups_square of n^2. */
    double sum[PM_EVENT_COUNT], square[PM_EVENT_COUNT], with_groups[PM_EVENT_COUNT];
    double groups_square, longest; /* longest: largest number of cycles that a work-group takes */
    /* The part of `sum`, for each event, that comes from compare-and-swap retry loops on global
     * memory. */
    double again[PM_EVENT_COUNT];
    pm_site_total *sites;
    /* counts executed machine instructions; NULL: the kernel's machine code is not known */
    pm_sass_counter *machine_code;
} pm_stratum;

pm_status pm_stratum_create(pm_stratum *stratum, const pm_launch_rules *rules, pm_error *err);
void pm_stratum_free(pm_stratum *stratum);

/* Adds the counts of a cell with `groups` work-groups (those of one wave on one compute unit). The
 * instruction mix of the executed basic blocks is added as instruction events. */
void pm_stratum_add(pm_stratum *stratum, const pm_kernel_code *code, uint64_t groups,
                    const pm_tally *tally);

/* Adds to `counts` the events of a stratum (the first wave, or all other waves), scaled from the
 * sampled cells (work-groups of one wave on one compute unit) to all `groups` work-groups of the
 * stratum. The method is the ratio estimator of cluster sampling with its variance (Cochran,
 * Sampling Techniques, 3rd edition, section 11.8), with the cells as clusters. again: factors by
 * which contention increases events in compare-and-swap retry loops on global memory. */
void pm_stratum_scale(const pm_stratum *stratum, double groups, const pm_attempt_scale *again,
                      const pm_kernel_code *code, pm_launch_counts *counts);

#endif
