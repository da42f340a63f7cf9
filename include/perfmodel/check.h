/* Checks whether GPU kernels became slower since a baseline (a file of earlier event counts) was
 * written. See perfmodel.h.
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
    PM_CHECK_SAME, /* No counter differs. */
    /* PM_CHECK_CHANGED: a counter differs, but it is not certain that the time changed by more than
     * the tolerance. */
    PM_CHECK_CHANGED,
    /* PM_CHECK_FASTER: the kernel is certainly faster by more than the tolerance. */
    PM_CHECK_FASTER,
    PM_CHECK_SLOWER, /* The kernel is certainly slower by more than the tolerance. */
    PM_CHECK_NEW,    /* PM_CHECK_NEW: the baseline does not have the kernel. */
    PM_CHECK_GONE,   /* PM_CHECK_GONE: only the baseline has the kernel. */
    /* PM_CHECK_WORSE: the kernel is not certainly slower, but has a finding, such as more register
     * spills, that options->fail_on selects. */
    PM_CHECK_WORSE
} pm_check_verdict;

/* Bits: findings for which a kernel can fail (docs/check.md). PM_CHECK_TIME is a longer predicted
 * time. Each other finding is a counter that grew by more than the tolerance, in a kernel that is
 * not predicted to be faster. */
typedef enum {
    PM_CHECK_TIME = 1,    /* The verdict is PM_CHECK_SLOWER. */
    PM_CHECK_SPILLS = 2,  /* more accesses of local memory: spilled registers or private arrays */
    PM_CHECK_DOUBLES = 4, /* more instructions in double precision */
    /* more 32-byte sectors per warp-level access of global memory: worse coalescing */
    PM_CHECK_SECTORS = 8,
    /* more waits for loads, divided by the number of loads: fewer loads are in flight at a time */
    PM_CHECK_WAITS = 16,
    PM_CHECK_BARRIERS = 32, /* barriers */
    PM_CHECK_EVERYTHING = 63
} pm_check_finding;

/* Value of a kernel's event counter in the baseline (an earlier state of the source) and in the
 * current source. No later version adds members. */
typedef struct {
    const char *name;
    double before, after;
} pm_check_count;

/* A kernel of a workload on a GPU, in the baseline and now. One model predicts both times. A kernel
 * of the baseline is matched with a kernel of now by the names of their launches in the workload
 * file, else by the kernels' names, else by the order of their launches. If a kernel was split into
 * several, or several were joined, kernels with common launches are compared as their sum, which
 * has the name "a + b". */
typedef struct {
    const char *target, *program, *variant, *size, *kernel;
    pm_check_verdict verdict;
    /* predicted times in the baseline and now, seconds; NaN: there is no such kernel, or no
     * prediction */
    double before_s, after_s;
    double ratio, lo, hi; /* after_s / before_s and its 90 % interval; NaN: unknown */
    /* probability (0 ... 1) that ratio > 1 + tolerance, so that the kernel became slower;
     * docs/check.md has the formula */
    double chance;
    /* functional unit of the GPU whose time changed most, such as "dram"; NULL: no change */
    const char *unit;
    /* seconds that this functional unit contributes to before_s and to after_s */
    double unit_before_s, unit_after_s;
    size_t count_count;
    /* counters that differ between the baseline and now, by decreasing ratio */
    pm_check_count *counts;
    /* Source lines that caused the difference: path of the file (NULL: unknown), first line and
     * last line (0: unknown). */
    const char *file;
    unsigned line, last_line;
    /* cause of the difference, as a sentence without a full stop; NULL: unknown */
    const char *reason;
    /* findings about the kernel, as bits of pm_check_finding; those that fail_on does not select
     * are included */
    unsigned findings;
    bool failed; /* true: the kernel has a finding that fail_on selects */
    /* Name of the kernel in the baseline. NULL: it equals `kernel`, or the baseline does not have
     * the kernel. */
    const char *kernel_before;
    uint64_t reserved[6];
} pm_check_kernel;

/* Result of a check whether kernels became slower: the verdict on each kernel, and totals. */
typedef struct {
    double tolerance; /* tolerance that was used: the copy of pm_check_options.tolerance */
    size_t slower;    /* number of kernels with verdict PM_CHECK_SLOWER */
    size_t n;
    /* n kernels, ordered by target, then by workload, variant and size */
    pm_check_kernel *kernels;
    /* allocation that contains the check and all its members; pm_check_free frees it */
    struct pm_memory_block *memory;
    size_t failed; /* number of kernels with a finding that options->fail_on selects */
    /* Assumptions that perfmodel made about launches of kernels whose source has no workload file
     * (perfmodel/launch.h). NULL-terminated. Owned by the session. NULL: none. */
    const char *const *assumed;
    uint64_t reserved[6];
} pm_check;

/* Options of pm_check_run. Lists are NULL-terminated. */
typedef struct {
    /* paths of the workloads to check: workload files, sources, captures, or folders of them */
    const char *const *workloads;
    /* names of the GPUs to simulate; NULL: the GPUs of the baseline */
    const char *const *targets;
    /* names of the variants and sizes to check; NULL: all */
    const char *const *variants, *const *sizes;
    const char *against; /* path of the baseline to compare with; NULL: nothing is compared */
    /* path to which the counters of this call are written as a new baseline; NULL: none */
    const char *output;
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

/* Traces the workloads of one shard (part) of a check that is divided among machines. Writes their
 * counters to the shard's file: NAME-IofN.jsonl if options->output is NAME.json, I is the shard and
 * N the number of shards. Nothing is compared. The baseline is used only for its targets, if
 * options->targets is NULL. If a call is interrupted, the same call resumes it. */
pm_status pm_check_share(pm_session *session, const pm_check_options *options,
                         const pm_shard *shard, pm_share_result *result, pm_error *err);
/* Compares with a baseline as pm_check_run does, but reads the counters from the files that
 * pm_check_share wrote instead of tracing workloads. paths: the files of all shards,
 * NULL-terminated. Only the options against, output, tolerance and fail_on are used. PM_FAILED if a
 * shard is missing or incomplete. All other errors and notices are those of pm_merge. */
pm_check *pm_check_join(pm_session *session, const char *const *paths,
                        const pm_check_options *options, pm_error *err);

#ifdef __cplusplus
}
#endif

#endif
