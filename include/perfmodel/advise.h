/* Finds the version of a program (another data layout, or arrays copied to local memory) that is
 * predicted to be fastest on a GPU. See perfmodel.h.
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

/* Amount of code that differs between a version of a program and the unmodified program.
 * answer/cost/effort.h estimates the hours of work from it. */
typedef struct {
    size_t kernels; /* number of kernels that change */
    /* number of structs whose memory layout changes; the host code that fills them changes, too */
    size_t structs;
    /* lines of kernel source that are added or changed, compared with the base variant */
    size_t source_lines;
    /* lines of host code that are added: to pack and unpack structs, and for buffers and arguments
     */
    size_t host_lines;
    /* true: the version is listed in the program's workload file; false: a transform wrote it */
    bool by_hand;
    uint64_t reserved[4];
} pm_rewrite_size;

/* A kernel of a program's version, with times summed over all its launches in one pass (each
 * launch of the version once). Kernels that convert layouts are included. */
typedef struct {
    const char *kernel;
    /* predicted_s: predicted time of the kernel, seconds. lo_s, hi_s: its 90 % interval. NaN: the
     * time cannot be predicted. */
    double predicted_s, lo_s, hi_s;
    /* measured time of the kernel, seconds; NaN: the target's datasets do not have it */
    double measured_s;
    /* contributions of the functional units of the GPU to predicted_s */
    pm_explanation why;
    /* Roofline point of the kernel: its arithmetic intensities and achieved rate. The rate is
     * computed with the time measured_s if that is known, else with predicted_s. */
    pm_roofline roofline;
    uint64_t reserved[4];
} pm_choice_kernel;

/* A version of a program with its predicted time and gain. The gain is the time of the base variant
 * divided by the version's time. A pass runs all kernels of the version once, layout conversions
 * included. */
typedef struct {
    /* Name of the version in the column `variant` of datasets. It is the name of a variant that the
     * program lists, or the text of a transform such as "soa". */
    char *variant;
    /* predicted time of one pass (each launch of the version once), seconds; NaN: it cannot be
     * predicted */
    double predicted_s;
    double gain; /* gain by predicted times */
    /* lo and hi: 90 % interval of the predicted gain (time of the base variant / time of the
     * version). Both are NaN if there are too few programs to estimate the interval, and 1 for the
     * base variant. */
    double lo, hi;
    double lo_s, hi_s; /* 90 % interval of predicted_s, seconds */
    /* probability (0 ... 1) that the version is faster than the base variant; NaN: unknown, or this
     * version is the base variant */
    double chance;
    /* measured time of one pass (each launch once), seconds; NaN: the target's datasets do not have
     * it */
    double measured_s;
    /* measured energy of one pass (each launch once), J; NaN: the target's datasets lack it */
    double energy_j;
    /* Time of the pass whose energy is energy_j, seconds. energy_j / energy_s is the mean power.
     * NaN: not measured. */
    double energy_s;
    /* true: the measured time is outside of the 90 % interval lo_s ... hi_s of the predicted time
     */
    bool missed;
    /* measured: true if the times of the version and of the base variant were both measured; always
     * false for the base variant. measured_gain: measured time of the base variant / measured time
     * of the version. measured_lo, measured_hi: its 90 % interval, from the standard errors of the
     * median times. The three numbers are NaN if measured is false. */
    bool measured;
    double measured_gain, measured_lo, measured_hi;
    /* contributions of the functional units to predicted_s, summed over the kernels */
    pm_explanation why;
    /* Roofline point of the version: arithmetic intensities and achieved rate of the sums over its
     * kernels. The rate is computed with the time measured_s if that is known, else with
     * predicted_s. */
    pm_roofline roofline;
    size_t kernel_count;
    /* kernels of the version, kernel_count members, in the order of their first launches */
    pm_choice_kernel *kernels;
    pm_rewrite_size rewrite; /* amount of code that differs from the base variant */
    /* Tool that gave the register counts of the kernels: a version of ptxas, or "estimate" if
     * perfmodel estimated them without ptxas. */
    const char *registers_source;
    uint64_t reserved[8];
} pm_choice;

/* Result of the method of Nakai and Ohno (2017), which chooses the memory layout of each struct
 * of a program, with all intermediate results. */
typedef struct pm_nakai pm_nakai;

/* Versions of a program, ranked by predicted time on a target GPU. */
typedef struct {
    char *target, *program, *size;
    /* Measurements to which the model was fitted. "dataset": times of the target GPU itself.
     * "profile": times of other GPUs. */
    const char *basis;
    char *base; /* name of the base variant: each gain is its time divided by a version's time */
    /* Name of the advised version: the version with the largest gain (the measured gain if it is
     * known, else the predicted one). The rule is stricter for versions that stage arrays in local
     * memory. G is the largest gain of all other versions, at least 1. A staging version is advised
     * only if its gain is at least 1.02 G and the low end of the gain's interval is not below G. */
    char *best;
    /* Layout that the method of Nakai and Ohno chooses. "aos" (array of structures): no other
     * layout is better. If the program has several structs, it is the layout of the last one. NULL:
     * the program has no array of structs, or the caller named the versions
     * (pm_advise_options.variants). */
    char *nakai;
    /* Steps of the layout method of Nakai and Ohno. The input of the method is a trace of all
     * work-groups in the program's smallest size. NULL: the program has no array of structs, or the
     * caller named the versions (pm_advise_options.variants). */
    pm_nakai *steps;
    /* number of layouts whose times the search estimated, before it traced the most promising ones
     */
    size_t examined;
    /* Result of the check whether the advised version computes correct results. The trace engine
     * runs all work-groups, and the results are compared with those of the base variant, or with
     * the reference of a program of the suite. "trace": the version passed. "no": it was not
     * run. */
    const char *checked;
    /* size of the program's input for which the check ran the version; NULL: there was no check */
    char *checked_size;
    /* reason that the results of the advised version were not checked; NULL: they were */
    char *unchecked;
    double power_limit_w; /* power limit of the target's board in W; NaN: unknown */
    /* peak rates of the target; each is NaN if devices.csv does not have the target */
    pm_roofs roofs;
    size_t n;
    pm_choice *choices; /* n versions, including the base variant, fastest first */
    /* allocation that contains the advice and all its members; pm_advice_free frees it */
    struct pm_memory_block *memory;
    /* Assumptions that perfmodel made about launches of kernels whose source has no workload file
     * (perfmodel/launch.h). NULL-terminated. Owned by the session. NULL: none. */
    const char *const *assumed;
    uint64_t reserved[7];
} pm_advice;

typedef struct {
    const char *target; /* GPU to advise for, a row of devices.csv */
    /* program: name of a program of the suite. size: name of one of its sizes; NULL: the largest
     * size. */
    const char *program, *size;
    /* Names of the versions to compare with the base variant, NULL-terminated. NULL: the versions
     * that the search finds, and the variants that the program lists. */
    const char *const *variants;
    /* path of the user's own workload, which is used instead of `program`; NULL: none */
    const char *workload;
    /* samples of the advised program to exclude from the fit of the model */
    pm_leave_out leave_out;
    /* Number of layouts with clustered fields (groups of fields in structs of their own) to trace
     * for each struct. 0: 10. */
    size_t clusters;
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
