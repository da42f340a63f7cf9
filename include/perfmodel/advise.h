/* Which version of a program is fastest on a GPU. See perfmodel.h.
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

/* How much of a program a version rewrites: what its effort is estimated from (cost/effort.h). */
typedef struct {
    size_t kernels;      /* that change */
    size_t structs;      /* whose layout changes, and with it the host code that fills them */
    size_t source_lines; /* of OpenCL C that are added or changed */
    size_t host_lines;   /* of host code that are added: packing, unpacking, buffers, arguments */
    bool by_hand;        /* the program's own version; no tool wrote it */
    uint64_t reserved[4];
} pm_rewrite_size;

/* All launches of a kernel of a version, conversions among them. */
typedef struct {
    const char *kernel;
    double predicted_s, lo_s, hi_s; /* 90 % interval; NaN: it could not be predicted */
    double measured_s;              /* NaN where the target's datasets have no such row */
    pm_explanation why;
    pm_roofline roofline; /* at measured_s, else at predicted_s */
    uint64_t reserved[4];
} pm_choice_kernel;

/* A version of a program, and what it is expected to do. */
typedef struct {
    char *variant;      /* as the variant column has it: listed, or the text of a transform */
    double predicted_s; /* of one pass over all kernels, conversions included */
    double gain;        /* the base's time / this one's */
    double lo, hi;      /* 90 % interval of the gain */
    double lo_s, hi_s;  /* 90 % interval of predicted_s */
    double chance;      /* that it is faster than the base, 0 ... 1; NaN: of the base, or unknown */
    double measured_s;  /* NaN where the target's datasets have no such rows */
    double energy_j;    /* measured, of such a pass; NaN where the target's datasets lack it */
    double energy_s;    /* that the pass took beside it */
    bool missed;        /* measured_s is outside of lo_s ... hi_s */
    /* Where both it and the base were measured: the gain by these times, and its 90 % interval by
     * the standard errors of their medians. Else false, and NaN. */
    bool measured;
    double measured_gain, measured_lo, measured_hi;
    pm_explanation why;   /* of predicted_s, over all kernels */
    pm_roofline roofline; /* of all kernels together, at measured_s, else at predicted_s */
    size_t kernel_count;
    pm_choice_kernel *kernels;    /* in the order in which they first run */
    pm_rewrite_size rewrite;      /* how much of the base's source it changes */
    const char *registers_source; /* of its trace: estimate, or a version of ptxas */
    uint64_t reserved[8];
} pm_choice;

/* The steps of the method of Nakai and Ohno (2017) on each of a program's structs. */
typedef struct pm_nakai pm_nakai;

typedef struct {
    char *target, *program, *size;
    const char *basis; /* dataset or profile, as in pm_predictions */
    char *base;        /* the variant that gains are over */
    char *best;      /* of the largest gain, as measured where that is known, else as predicted; but
                      * one in local memory only if its gain over the best without is at least 1.02
                      * and more than the interval says is noise */
    char *nakai;     /* what the method of Nakai and Ohno chooses; aos: neither layout is better;
                      * NULL: the program has no array of structs */
    pm_nakai *steps; /* how it came to that, on a whole trace of the program's smallest size; NULL:
                      * as nakai */
    size_t examined; /* layouts that the search ranked before it chose which to trace */
    /* Whether the best was run and left the results of the plain version (of the suite's programs:
     * their references'). */
    const char *checked;  /* trace: all work-groups in the trace engine; no */
    char *checked_size;   /* the size that it was run in; NULL: it was not */
    char *unchecked;      /* why it was not; NULL: it was */
    double power_limit_w; /* of the target's board; NaN: unknown */
    pm_roofs roofs;       /* of the target; all unknown where devices.csv does not have it */
    size_t n;
    pm_choice *choices;             /* fastest first */
    struct pm_memory_block *memory; /* of all that is here, and of itself */
    /* What was assumed of bare sources (perfmodel/launch.h), NULL-terminated and of the session;
     * NULL: nothing. */
    const char *const *assumed;
    uint64_t reserved[7];
} pm_advice;

typedef struct {
    const char *target;          /* a GPU with a row in devices.csv, or a dataset, or both */
    const char *program, *size;  /* size NULL: the largest */
    const char *const *variants; /* only these beside the base, NULL-terminated; NULL: those that
                                  * are worth a try */
    const char *workload;        /* as in pm_trace_options */
    pm_leave_out leave_out;      /* of the program */
    size_t clusters;             /* clustered layouts to trace; 0: 10 */
    double check_limit;          /* instructions of work-items that running the best version to see
                                  * whether it is right may take; 0: PM_CHECK_LIMIT; infinity: any */
    uint64_t reserved[8];
} pm_advise_options;

#define PM_CHECK_LIMIT 4e9

/* Finds layouts of the program's structs and arrays to stage in local memory. Traces each version,
 * and those that the program lists, by the target's rules, predicts their times, and ranks them. */
pm_advice *pm_advise(pm_session *session, const pm_advise_options *options, pm_error *err);
void pm_advice_free(pm_advice *advice);

/* A workload file (docs/workloads.md) to fill in, with comments; it works as it stands. To free. */
char *pm_workload_template(pm_error *err);
/* The same of a source in CUDA C++. */
char *pm_workload_template_cuda(pm_error *err);

#ifdef __cplusplus
}
#endif

#endif
