/* Counts a launch: all of it, or a sample that is scaled up.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_COUNT_H
#define PM_COLLECTOR_TRACE_COUNT_H

#include "base/memory.h"
#include "base/pool.h"
#include "collector/trace/group.h"
#include "collector/trace/sampling.h"

/* A memory instruction's counts, scaled to the whole launch. */
typedef struct {
    double executions, work_items, transactions, near;
    bool same;
} pm_site_total;

typedef struct {
    double values[PM_EVENT_COUNT], variance[PM_EVENT_COUNT]; /* variance: NaN is unknown */
    pm_site_total *sites;
    double sampled; /* share of the work-groups that ran */
} pm_launch_counts;

typedef struct {
    const pm_launch_run *run;
    const pm_gpu *gpu;
    unsigned resident;
    size_t l1_bytes;
    double sample;     /* share of the work-groups; 0: as many as work allows */
    double work, most; /* blocks to run; and then no more than this share, in (0, 1] */
    uint64_t seed;
    pm_pool *pool; /* NULL: one cell after the other */
    pm_l2 *l2;
    pm_code_kind code; /* PM_CODE_SLICE: nothing needs the stores of the sampled groups */
    uint8_t *executed; /* a bit for each group of the launch; those that run are set. May be NULL */
} pm_count_request;

/* l2_* and dram_* stay 0: l2 knows them when all launches have been counted. If all groups have to
 * be run and `code` is PM_CODE_SLICE, nothing is counted and counts->sampled is 0. */
pm_status pm_launch_count(const pm_count_request *request, pm_launch_counts *counts, pm_error *err);
void pm_launch_counts_free(pm_launch_counts *counts);

/* Runs the groups of a launch that executed has no bit of (NULL: all), without counting. pool NULL:
 * in their order. */
pm_status pm_launch_execute(const pm_launch_run *run, const uint8_t *executed, pm_pool *pool,
                            pm_error *err);

/* ---- reach.c: how far a launch goes into its buffers ---------------------------------------- */

/* Whether a warp of the first group runs more than so many basic blocks, or faults. */
bool pm_launch_is_longer(const pm_launch_run *run, uint64_t steps);

/* Runs the groups at the corners of the grid, and some spread over it, on the caller's thread.
 * corners[b] and all[b] become bytes from the start of buffer b to the end of the last access, of
 * the corners alone and of all of these groups, where that is more than they are. whole: all groups
 * run, because what a later launch does depends on what they write. */
pm_status pm_launch_reach(const pm_launch_run *run, bool whole, uint64_t *corners, uint64_t *all,
                          pm_error *err);

/* ---- access_table.c: the access table of a kernel (Nakai and Ohno 2017, table 1) ------------ */

/* Adds a launch's counts to the table of its kernel, which is made on the first call (accesses
 * NULL). */
void pm_access_table_add(pm_trace_kernel *kernel, const pm_kernel_code *code,
                         const pm_launch_counts *counts, pm_memory *memory);
/* Turns the sums into means, after the last launch. */
void pm_access_table_finish(pm_trace_kernel *kernel);

/* ---- stratum.c: cells that stand for a part of a launch, and what they counted -------------- */

typedef struct {
    double cells, groups;
    /* Over the cells: sums of each event, of its square, of it times the cell's groups; and of the
     * squares of the groups. */
    double sum[PM_EVENT_COUNT], square[PM_EVENT_COUNT], with_groups[PM_EVENT_COUNT];
    double groups_square, longest; /* span of a group */
    /* Of the sums, what is of loops that try again to change a place of global memory. */
    double again[PM_EVENT_COUNT];
    pm_site_total *sites;
} pm_stratum;

pm_status pm_stratum_create(pm_stratum *stratum, const pm_kernel_code *code, pm_error *err);
void pm_stratum_free(pm_stratum *stratum);

/* Adds a cell of so many groups; what its blocks are made of becomes the events of instructions. */
void pm_stratum_add(pm_stratum *stratum, const pm_kernel_code *code, uint64_t groups,
                    const pm_tally *tally);

/* Adds to counts what the stratum tells of the `groups` groups that it stands for: the ratio
 * estimator of cluster sampling with its variance (Cochran, Sampling Techniques, 3rd edition,
 * section 11.8), the clusters being the cells. again: for loops that try again to change a place of
 * global memory. */
void pm_stratum_scale(const pm_stratum *stratum, double groups, const pm_attempt_scale *again,
                      const pm_kernel_code *code, pm_launch_counts *counts);

#endif
