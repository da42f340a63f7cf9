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

/* Size of the change from the base of a program to a version. Effort is estimated from it
 * (answer/cost/effort.h). */
typedef struct {
    size_t kernels;      /* number of kernels that change */
    size_t structs;      /* structs whose layout changes, and so the host code that fills them */
    size_t source_lines; /* lines of kernel source that are added or changed */
    size_t host_lines;   /* added lines of host code: packing, unpacking, buffers, arguments */
    bool by_hand;        /* true: the program lists the version; false: a transform wrote it */
    uint64_t reserved[4];
} pm_rewrite_size;

/* A kernel of a version, over all its launches in one pass. Kernels that convert layouts are
 * included. */
typedef struct {
    const char *kernel;
    double predicted_s, lo_s, hi_s; /* time and its 90 % interval; NaN: it cannot be predicted */
    double measured_s;              /* measured time; NaN: the target's datasets do not have it */
    pm_explanation why;             /* terms of predicted_s */
    pm_roofline roofline;           /* point at measured_s if it is known, else at predicted_s */
    uint64_t reserved[4];
} pm_choice_kernel;

/* A version of a program with its predicted time and gain. The gain is the base's time divided by
 * the version's time. A pass runs all kernels of the version once, conversions included. */
typedef struct {
    char *variant; /* name in the variant column: a listed variant or the text of a transform */
    double predicted_s; /* time of a pass, seconds; NaN: it cannot be predicted */
    double gain;        /* gain by predicted times */
    double lo, hi;      /* 90 % interval of gain; NaN: too few programs to estimate it; base: 1 */
    double lo_s, hi_s;  /* 90 % interval of predicted_s, seconds */
    double chance;      /* probability that gain > 1, 0 ... 1; NaN: unknown, or the base itself */
    double measured_s;  /* measured time of a pass; NaN: the target's datasets do not have it */
    double energy_j;    /* measured energy of a pass in J; NaN: the target's datasets lack it */
    double energy_s;    /* time of a pass in the measurement of energy_j, seconds; NaN likewise */
    bool missed;        /* true: measured_s is outside of lo_s ... hi_s */
    /* measured: the times of the version and of the base were both measured. measured_gain: gain by
     * measured times, with its 90 % interval from the standard errors of the median times. NaN if
     * measured is false, which it also is for the base. */
    bool measured;
    double measured_gain, measured_lo, measured_hi;
    pm_explanation why;   /* terms of predicted_s, summed over the kernels */
    pm_roofline roofline; /* sum of the kernels, at measured_s if it is known, else predicted_s */
    size_t kernel_count;
    pm_choice_kernel *kernels;    /* kernel_count members, in the order of their first launches */
    pm_rewrite_size rewrite;      /* size of the change from the base */
    const char *registers_source; /* source of its register counts: estimate, or a ptxas version */
    uint64_t reserved[8];
} pm_choice;

/* Steps of the method of Nakai and Ohno (2017) for each struct of a program. */
typedef struct pm_nakai pm_nakai;

/* Ranked versions of a program for a target. */
typedef struct {
    char *target, *program, *size;
    const char *basis; /* "dataset" or "profile", as in pm_predictions */
    char *base;        /* variant that gains are relative to */
    /* Variant with the largest gain: the measured gain if it is known, else the predicted one. G is
     * the largest gain of the versions that do not stage arrays in local memory, at least 1. A
     * version that does is chosen only if its gain is at least 1.02 G and the low end of its
     * interval is not below G. */
    char *best;
    /* Layout that the method of Nakai and Ohno chooses, for the last struct if there are several;
     * aos: no other layout is better. NULL: the program has no array of structs, or
     * options->variants is not NULL. */
    char *nakai;
    /* Steps of that method on a trace of all work-groups in the program's smallest size. NULL: as
     * nakai. */
    pm_nakai *steps;
    size_t examined; /* number of layouts that the search ranked before some were traced */
    /* Check of the best version. It runs all work-groups in the trace engine and compares the
     * results with those of the plain version, or of the reference of a program of the suite.
     * checked: "trace" if the version passed, "no" if it was not run. */
    const char *checked;
    char *checked_size;   /* size that the check ran; NULL: there was no check */
    char *unchecked;      /* reason that there was no check; NULL: there was one */
    double power_limit_w; /* power limit of the target's board in W; NaN: unknown */
    pm_roofs roofs;       /* peaks of the target; NaN if devices.csv does not have the target */
    size_t n;
    pm_choice *choices;             /* n versions and the base among them, fastest first */
    struct pm_memory_block *memory; /* memory of the advice and all its members */
    /* Assumptions about the launches of bare sources (perfmodel/launch.h). NULL-terminated. Owned
     * by the session. NULL: none. */
    const char *const *assumed;
    uint64_t reserved[7];
} pm_advice;

typedef struct {
    const char *target;         /* GPU to advise for, a row of devices.csv */
    const char *program, *size; /* program of the suite; size NULL: the largest */
    /* Variants to compare with the base, NULL-terminated. NULL: variants that perfmodel searches
     * and the program lists. */
    const char *const *variants;
    const char *workload;   /* user's own workload, as in pm_trace_options; NULL: `program` */
    pm_leave_out leave_out; /* samples of the program that the model is fitted without */
    size_t clusters;        /* number of clustered layouts to trace for each struct; 0: 10 */
    /* Largest number of instructions of work-items for the check of the best version. A larger
     * check is left out. 0: PM_CHECK_LIMIT. Infinity: no limit. */
    double check_limit;
    uint64_t reserved[8];
} pm_advise_options;

#define PM_CHECK_LIMIT 4e9

/* Searches layouts of the program's structs, and arrays to stage in local memory. Traces each such
 * version and each version that the program lists by the target's rules. Predicts their times and
 * ranks them. Free the result with pm_advice_free before the session. NULL on failure. */
pm_advice *pm_advise(pm_session *session, const pm_advise_options *options, pm_error *err);
void pm_advice_free(pm_advice *advice);

/* Returns a workload file (docs/workloads.md) as a template, with comments. It works unchanged.
 * Free it with free(). NULL on failure. */
char *pm_workload_template(pm_error *err);
/* Returns the same for a source in CUDA C++. */
char *pm_workload_template_cuda(pm_error *err);

#ifdef __cplusplus
}
#endif

#endif
