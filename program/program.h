/* Program: how the workloads of its variants and sizes are built.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_PROGRAM_H
#define PM_PROGRAM_PROGRAM_H

#include "program/space.h"
#include "program/workload.h"

/* A variant that is another data layout of a program's first one. */
typedef struct {
    const char *variant, *layouts; /* as layout/layout.h has them */
} pm_named_layout;

/* Work-items of a launch and of a work-group; 1 where it has no such dimension. */
typedef struct {
    size_t global[3], local[3];
} pm_launch_range;

/* The variants or sizes of a program, at file scope. */
#define PM_NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A program: what pm_program_info tells, and how its workloads are built. The same seed gives the
 * same inputs everywhere. */
typedef struct {
    pm_program_info info;
    const char *source; /* under kernels/; NULL: PROGRAM/PROGRAM_VARIANT.cl */
    const char *class;  /* as its workload file has it; NULL: it says none */
    const char *path;   /* of the workload file that describes it, or of a bare source; NULL: none
                         * does */
    const char *const *assumed; /* of a bare source, NULL-terminated; NULL: nothing was assumed */
    /* Fills a workload that has its names, of those listed, and its source. */
    void (*build)(pm_workload *workload, uint64_t seed);
    const pm_named_layout *layouts; /* listed variants; ends with {NULL, NULL}, may be NULL */
    /* Of a program that is no part of the suite: called in place of build, with its context, for
     * all listed variants, also where the program has layouts, unless it names some of them. */
    pm_workload *(*build_own)(const void *context, const char *variant, const char *size,
                              uint64_t seed, pm_error *err);
    /* The same, with the plain version as its reference: what that leaves in the outputs or, where
     * the program names none, in all that it writes. NULL: the workload's own check knows. */
    pm_workload *(*build_against)(const void *context, const char *variant, const char *size,
                                  uint64_t seed, pm_error *err);
    const void *context;
    const pm_tune_space *space; /* what it can be tuned by; NULL: nothing */
    /* Whether a version of that size, a value a parameter, is one that may be run. */
    pm_status (*allows)(const void *context, const char *size, const int64_t *values, bool *allowed,
                        pm_error *err);
    /* The range of its first launch, which needs no compiler. */
    pm_status (*ranges)(const void *context, const char *size, const int64_t *values,
                        pm_launch_range *range, pm_error *err);
} pm_program;

/* The workload of a listed variant, which is not one of the named layouts. */
pm_workload *pm_program_make(const pm_program *program, const char *variant, const char *size,
                             uint64_t seed, pm_error *err);

#endif
