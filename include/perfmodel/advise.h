/* Advice: the version of a program that is predicted to be fastest on a GPU. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_ADVISE_H
#define PERFMODEL_ADVISE_H

#include "perfmodel/predict.h"
#include "perfmodel/roofline.h"
#include "perfmodel/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Amount of code that differs between a version of a program and the program's base variant.
 * answer/cost/effort.h estimates the hours of work from it. */
typedef struct {
    size_t kernels; /* number of kernels that change */
    /* structs whose layout changes; the host code that fills them changes, too */
    size_t structs;
    size_t source_lines; /* lines of kernel source that are added or changed */
    size_t host_lines;   /* added lines of host code: packing, unpacking, buffers, arguments */
    /* true: the version is listed in the program's workload file; false: a transform wrote it */
    bool by_hand;
    uint64_t reserved[4];
} pm_rewrite_size;

/* A kernel of a version, with times summed over all its launches in one pass (each launch of the
 * version once). Kernels that convert layouts are included. */
typedef struct {
    const char *kernel;
    double predicted_s, lo_s, hi_s; /* time and its 90 % interval; NaN: it cannot be predicted */
    double measured_s;              /* measured time; NaN: the target's datasets do not have it */
    pm_explanation why;             /* predicted_s, broken down by functional unit */
    /* roofline point of the kernel, computed with the time measured_s if it is known, else with
     * predicted_s */
    pm_roofline roofline;
    uint64_t reserved[4];
} pm_choice_kernel;

/* A version of a program with its predicted time and gain. The gain is the time of the base variant
 * divided by the version's time. A pass runs all kernels of the version once, layout conversions
 * included. */
typedef struct {
    /* name of the version in the column `variant` of datasets: a listed variant, or the text of a
     * transform */
    char *variant;
    /* predicted time of one pass (each launch of the version once), seconds; NaN: it cannot be
     * predicted */
    double predicted_s;
    double gain; /* gain by predicted times */
    /* 90 % interval of gain; NaN: too few programs to estimate it. Both are 1 for the base
     * variant. */
    double lo, hi;
    double lo_s, hi_s; /* 90 % interval of predicted_s, seconds */
    /* probability that gain > 1, 0 ... 1; NaN: unknown, or this is the base variant */
    double chance;
    /* measured time of one pass (each launch once), seconds; NaN: the target's datasets do not have
     * it */
    double measured_s;
    /* measured energy of one pass (each launch once), J; NaN: the target's datasets lack it */
    double energy_j;
    double energy_s; /* time of the pass whose energy is energy_j, seconds; NaN: not measured */
    bool missed;     /* true: measured_s is outside of lo_s ... hi_s */
    /* measured: the times of the version and of the base variant were both measured. measured_gain:
     * gain by measured times, with its 90 % interval from the standard errors of the median times.
     * NaN if measured is false, which it also is for the base variant. */
    bool measured;
    double measured_gain, measured_lo, measured_hi;
    /* contributions of the functional units to predicted_s, summed over the kernels */
    pm_explanation why;
    /* roofline point of the version (sums over its kernels), computed with the time measured_s if
     * it is known, else with predicted_s */
    pm_roofline roofline;
    size_t kernel_count;
    pm_choice_kernel *kernels; /* kernel_count members, in the order of their first launches */
    pm_rewrite_size rewrite;   /* size of the change from the base variant */
    /* source of the register counts: "estimate", or a ptxas version */
    const char *registers_source;
    uint64_t reserved[8];
} pm_choice;

/* Result of the layout method of Nakai and Ohno (2017), step by step, for each struct of a
 * program. */
typedef struct pm_nakai pm_nakai;

/* Versions of a program, ranked by predicted time on a target GPU. */
typedef struct {
    char *target, *program, *size;
    /* "dataset": the model was fitted to the target's own times; "profile": to times of other
     * GPUs */
    const char *basis;
    char *base; /* variant that gains are relative to */
    /* Variant with the largest gain: the measured gain if it is known, else the predicted one. G is
     * the largest gain of the versions that do not stage arrays in local memory, at least 1. A
     * version that does is chosen only if its gain is at least 1.02 G and the low end of its
     * interval is not below G. */
    char *best;
    /* Layout that the method of Nakai and Ohno chooses; "aos" if no other layout is better. If the
     * program has several structs, it is the layout of the last one. NULL: the program has no array
     * of structs, or options->variants is not NULL. */
    char *nakai;
    /* Steps of the method of Nakai and Ohno. The input of the method is a trace of all work-groups
     * in the program's smallest size. NULL under the same conditions as `nakai`. */
    pm_nakai *steps;
    /* number of layouts that the search ranked by estimates, before it traced some of them */
    size_t examined;
    /* Check of the best version. It runs all work-groups in the trace engine and compares the
     * results with those of the base variant, or of the reference of a program of the suite.
     * checked: "trace" if the version passed, "no" if it was not run. */
    const char *checked;
    /* size of the program in which the check ran the version; NULL: there was no check */
    char *checked_size;
    char *unchecked;      /* reason that there was no check; NULL: there was one */
    double power_limit_w; /* power limit of the target's board in W; NaN: unknown */
    pm_roofs roofs;       /* peaks of the target; NaN if devices.csv does not have the target */
    size_t n;
    pm_choice *choices; /* n versions, including the base variant, fastest first */
    /* block from which the advice and all its members are allocated */
    struct pm_memory_block *memory;
    /* Assumptions that perfmodel made about launches of kernels whose source has no workload file
     * (perfmodel/launch.h). NULL-terminated. Owned by the session. NULL: none. */
    const char *const *assumed;
    uint64_t reserved[7];
} pm_advice;

typedef struct {
    const char *target; /* GPU to advise for, a row of devices.csv */
    /* name of a program of the suite, and its size; size NULL: the largest size */
    const char *program, *size;
    /* Variants to compare with the base variant, NULL-terminated. NULL: the variants that the
     * search finds, and those that the program lists. */
    const char *const *variants;
    /* path of the user's own workload, which is used instead of `program`; NULL: none */
    const char *workload;
    pm_leave_out leave_out; /* samples of the program that are left out when the model is fitted */
    size_t clusters;        /* number of clustered layouts to trace for each struct; 0: 10 */
    /* Largest number of instructions, summed over the work-items, that the check of the best
     * version may run. A larger check is not run. 0: PM_CHECK_LIMIT. Infinity: no limit. */
    double check_limit;
    uint64_t reserved[8];
} pm_advise_options;

#define PM_CHECK_LIMIT 4e9

/* Searches layouts of the program's structs, and arrays to stage in local memory. Traces each
 * version that the search finds, and each version that the program lists, as the target GPU would
 * run it. Predicts and ranks their times. Free the result with pm_advice_free before the session.
 * NULL on failure. */
pm_advice *pm_advise(pm_session *session, const pm_advise_options *options, pm_error *err);
void pm_advice_free(pm_advice *advice);

/* Returns a workload file (docs/workloads.md) as a template, with comments. The template works
 * unchanged. Free it with free(). NULL on failure. */
char *pm_workload_template(pm_error *err);
/* Returns a workload file as a template, as pm_workload_template does, for a source in CUDA C++. */
char *pm_workload_template_cuda(pm_error *err);

#ifdef __cplusplus
}
#endif

#endif
