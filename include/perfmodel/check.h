/* Checks: whether kernels became slower since a baseline was written. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_CHECK_H
#define PERFMODEL_CHECK_H

#include "perfmodel/collect.h"
#include "perfmodel/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Verdict on a kernel, compared with the baseline. A verdict is certain if its probability is at
 * least 95 %. */
typedef enum {
    PM_CHECK_SAME,    /* No counter differs. */
    PM_CHECK_CHANGED, /* A counter differs, but a change of time beyond tolerance is not certain. */
    PM_CHECK_FASTER,  /* The kernel is certainly faster by more than the tolerance. */
    PM_CHECK_SLOWER,  /* The kernel is certainly slower by more than the tolerance. */
    PM_CHECK_NEW,     /* The baseline does not have the kernel. */
    PM_CHECK_GONE,    /* Only the baseline has the kernel. */
    /* The kernel is not certainly slower, but has a finding that options->fail_on selects. */
    PM_CHECK_WORSE
} pm_check_verdict;

/* Bits: findings for which a kernel can fail (docs/check.md). PM_CHECK_TIME is a longer predicted
 * time. Each other finding is a counter that grew by more than the tolerance, in a kernel that is
 * not predicted to be faster. */
typedef enum {
    PM_CHECK_TIME = 1,    /* The verdict is PM_CHECK_SLOWER. */
    PM_CHECK_SPILLS = 2,  /* accesses of local memory: spilled registers, private arrays */
    PM_CHECK_DOUBLES = 4, /* instructions in double precision */
    PM_CHECK_SECTORS = 8, /* 32-byte sectors per warp-level access of global memory */
    /* number of waits for loads, divided by the number of loads; a larger value means fewer loads
     * in flight */
    PM_CHECK_WAITS = 16,
    PM_CHECK_BARRIERS = 32, /* barriers */
    PM_CHECK_EVERYTHING = 63
} pm_check_finding;

/* Value of a counter in the baseline and now. No later version adds members, so the struct is
 * Complete. */
typedef struct {
    const char *name;
    double before, after;
} pm_check_count;

/* A kernel of a workload on a GPU, in the baseline and now. Times of both are predicted by the same
 * model. Kernels are matched by the names of their launches in the workload file, then by their own
 * names, then by the order of their launches. Kernels that have launches in common, because a
 * kernel was split, are compared as their sum with the name "a + b". */
typedef struct {
    const char *target, *program, *variant, *size, *kernel;
    pm_check_verdict verdict;
    double before_s, after_s; /* predicted times; NaN: there is no such kernel, or no prediction */
    double ratio, lo, hi;     /* after_s / before_s and its 90 % interval; NaN: unknown */
    /* probability that ratio > 1 + tolerance; docs/check.md has the formula */
    double chance;
    const char *unit; /* functional unit with the largest change of time; NULL: no change */
    double unit_before_s, unit_after_s; /* seconds that the unit adds to the two times */
    size_t count_count;
    pm_check_count *counts; /* counters that differ, by decreasing ratio */
    /* Source lines that caused the difference: path of the file (NULL: unknown), first line and
     * last line (0: unknown). */
    const char *file;
    unsigned line, last_line;
    const char *reason; /* cause, a sentence without a full stop; NULL: unknown */
    /* bits of pm_check_finding; findings that fail_on does not select are included */
    unsigned findings;
    bool failed; /* true: the kernel has a finding that fail_on selects */
    /* name in the baseline; NULL: it equals `kernel`, or the baseline does not have the kernel */
    const char *kernel_before;
    uint64_t reserved[6];
} pm_check_kernel;

/* Result of a check. */
typedef struct {
    double tolerance; /* tolerance that was used: the copy of pm_check_options.tolerance */
    size_t slower;    /* number of kernels with verdict PM_CHECK_SLOWER */
    size_t n;
    pm_check_kernel *kernels; /* n kernels, in the order of targets, workloads, variants, sizes */
    /* block from which the check and all its members are allocated */
    struct pm_memory_block *memory;
    size_t failed; /* number of kernels that failed */
    /* Assumptions that perfmodel made about launches of kernels whose source has no workload file
     * (perfmodel/launch.h). NULL-terminated. Owned by the session. NULL: none. */
    const char *const *assumed;
    uint64_t reserved[6];
} pm_check;

/* Options of pm_check_run. Lists are NULL-terminated. */
typedef struct {
    /* workload files, sources, captures and folders of them */
    const char *const *workloads;
    const char *const *targets; /* GPUs; NULL: the GPUs of the baseline */
    /* names of the variants and sizes to check; NULL: all */
    const char *const *variants, *const *sizes;
    const char *against; /* path of the baseline; NULL: nothing is compared */
    const char *output;  /* path to write the counters of this call as a baseline; NULL: none */
    /* tolerated relative growth of a time or a counter, at least 0: 0.05 means 5 % */
    double tolerance;
    unsigned fail_on; /* bits of pm_check_finding: findings for which a kernel fails; 0: all */
    uint64_t reserved[7];
} pm_check_options;

/* Traces all kernels of workloads as each target GPU would run them, and compares counters and
 * predicted times with a baseline that an earlier call wrote. Without a baseline all kernels are
 * PM_CHECK_NEW. Equal sources give a baseline with equal bytes. Free the result with pm_check_free
 * before the session. NULL on failure. PM_BAD_INPUT if the baseline was written with another
 * version of perfmodel, another seed or another fraction of sampled work-groups, because its
 * counters could differ for that reason. */
pm_check *pm_check_run(pm_session *session, const pm_check_options *options, pm_error *err);
void pm_check_free(pm_check *check);

/* Traces the workloads of one shard of a check, and writes their counters to the shard's file:
 * NAME-IofN.jsonl if options->output is NAME.json. Nothing is compared. The baseline is used only
 * for its targets, if options->targets is NULL. If a call is interrupted, the same call resumes it.
 */
pm_status pm_check_share(pm_session *session, const pm_check_options *options,
                         const pm_shard *shard, pm_share_result *result, pm_error *err);
/* Compares as pm_check_run does, but reads the counters from the files of shards instead of tracing
 * workloads. paths: the files of all shards, NULL-terminated. Only the options against, output,
 * tolerance and fail_on are used. PM_FAILED if a shard is missing or incomplete. All other errors
 * and notices are those of pm_merge. */
pm_check *pm_check_join(pm_session *session, const char *const *paths,
                        const pm_check_options *options, pm_error *err);

#ifdef __cplusplus
}
#endif

#endif
