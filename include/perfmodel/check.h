/* Whether kernels became slower since a baseline. See perfmodel.h.
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

/* What became of a kernel since a baseline was written. */
typedef enum {
    PM_CHECK_SAME,    /* nothing that is counted differs */
    PM_CHECK_CHANGED, /* something does, and the time by no more than the tolerance, or not surely
                       */
    PM_CHECK_FASTER,  /* by more than the tolerance, with a probability of 95 % or more */
    PM_CHECK_SLOWER,  /* the same */
    PM_CHECK_NEW,     /* the baseline does not have it */
    PM_CHECK_GONE,    /* the baseline alone has it */
    PM_CHECK_WORSE    /* not surely slower, but a finding that was asked for is there */
} pm_check_verdict;

/* Bits: what a kernel can fail for [docs/check.md]. All but the first are told by the counts, where
 * they grew by more than the tolerance and the kernel is not predicted to be faster. */
typedef enum {
    PM_CHECK_TIME = 1,      /* PM_CHECK_SLOWER */
    PM_CHECK_SPILLS = 2,    /* accesses of local memory: spilled registers, private arrays */
    PM_CHECK_DOUBLES = 4,   /* instructions of double precision */
    PM_CHECK_SECTORS = 8,   /* 32-byte sectors for each warp's access of global memory */
    PM_CHECK_WAITS = 16,    /* waits for loads, for each load: fewer are under way together */
    PM_CHECK_BARRIERS = 32, /* barriers */
    PM_CHECK_EVERYTHING = 63
} pm_check_finding;

/* A counter then and now. Complete. */
typedef struct {
    const char *name;
    double before, after;
} pm_check_count;

/* A kernel of a workload on a GPU, then and now: both predicted by today's model. Kernels are
 * matched by the names of their launches in the workload file, then by their own names, then by
 * their places among the launches. Kernels that share launches, as one was divided, are one here,
 * called "a + b". */
typedef struct {
    const char *target, *program, *variant, *size, *kernel;
    pm_check_verdict verdict;
    double before_s, after_s;           /* NaN: it is not there, or could not be predicted */
    double ratio, lo, hi;               /* after_s / before_s and its 90 % interval */
    double chance;                      /* that the ratio is above 1 + tolerance [docs/check.md] */
    const char *unit;                   /* that adds most to the difference; NULL: there is none */
    double unit_before_s, unit_after_s; /* what it adds to the two times */
    size_t count_count;
    pm_check_count *counts; /* counters that differ, what changed by the largest factor first */
    /* The place in the source that made the difference, as far as is known. */
    const char *file;          /* NULL: unknown */
    unsigned line, last_line;  /* 0: unknown */
    const char *reason;        /* a sentence without a full stop; NULL: unknown */
    unsigned findings;         /* of pm_check_finding, asked for or not */
    bool failed;               /* one that was asked for is there */
    const char *kernel_before; /* its name in the baseline; NULL: the same, or it is not there */
    uint64_t reserved[6];
} pm_check_kernel;

typedef struct {
    double tolerance;
    size_t slower; /* kernels of that verdict */
    size_t n;
    pm_check_kernel *kernels;       /* in the order of targets, workloads, variants and sizes */
    struct pm_memory_block *memory; /* of all that is here, and of itself */
    size_t failed;
    /* What was assumed of bare sources (perfmodel/launch.h), NULL-terminated and of the session;
     * NULL: nothing. */
    const char *const *assumed;
    uint64_t reserved[6];
} pm_check;

typedef struct {
    const char *const *workloads;               /* as in pm_collect_options */
    const char *const *targets;                 /* NULL-terminated; NULL: those of the baseline */
    const char *const *variants, *const *sizes; /* NULL-terminated; NULL: all */
    const char
        *against;       /* the baseline to hold them against; NULL: none, and nothing is compared */
    const char *output; /* where to write what was counted now, as a baseline; NULL: nowhere */
    double tolerance;   /* by how much a kernel may become slower: 0.05 for 5 % */
    unsigned fail_on;   /* of pm_check_finding; 0: everything */
    uint64_t reserved[7];
} pm_check_options;

/* Traces all kernels of workloads by the rules of targets and holds counts and predicted times
 * against a baseline that it wrote before. A baseline of another version of perfmodel, seed or
 * sample is PM_BAD_INPUT, as its counts could differ for that alone. Without a baseline kernels are
 * PM_CHECK_NEW. The same sources give the same bytes. */
pm_check *pm_check_run(pm_session *session, const pm_check_options *options, pm_error *err);
void pm_check_free(pm_check *check);

/* A share of a check: counts the variants of programs that shard has into the share's file,
 * NAME-IofN.jsonl for an output of NAME.json, and judges nothing. Of a baseline it takes the
 * targets alone, where none are named. Ended at any point, the same call goes on where it was. */
pm_status pm_check_share(pm_session *session, const pm_check_options *options,
                         const pm_shard *shard, pm_share_result *result, pm_error *err);
/* What pm_check_run finds, and the baseline that it writes, of what shares have counted (paths is
 * NULL-terminated) in place of workloads. One that is missing or not finished is PM_FAILED, as
 * nothing can be told of it; other errors and notices are those of pm_merge. options has against,
 * output, tolerance and fail_on. */
pm_check *pm_check_join(pm_session *session, const char *const *paths,
                        const pm_check_options *options, pm_error *err);

#ifdef __cplusplus
}
#endif

#endif
