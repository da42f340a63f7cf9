/* A program: its variants and sizes, and functions that build their workloads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_PROGRAM_H
#define PM_PROGRAM_PROGRAM_H

#include "program/space.h"
#include "program/workload.h"

/* A variant that is another data layout of the program's first variant. */
typedef struct {
    const char *variant, *layouts; /* as in transform/layout/layout.h */
} pm_named_layout;

/* Work-items of a launch and of a work-group, by dimension; 1 in unused dimensions. */
typedef struct {
    size_t global[3], local[3];
} pm_launch_range;

/* The variants or sizes of a program, at file scope. */
#define PM_NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A program: the description of pm_program_info, and functions that build its workloads. Equal
 * seeds give equal inputs on all machines. */
typedef struct pm_program {
    pm_program_info info;
    /* Workload file of a program of the suite, in kernels/; NULL: another program. */
    const char *file;
    const struct pm_program *twin; /* OpenCL program whose CUDA version this is; NULL: none */
    const char *class;             /* class from its workload file; NULL: none */
    /* Path of the workload file that describes it, or of a bare source; NULL: neither exists. */
    const char *path;
    const char *const *assumed; /* assumptions about a bare source, NULL-terminated; NULL: none */
    /* Listed variants that are layouts; ends with {NULL, NULL}; may be NULL. A variant whose name
     * is the text of a layout need not be in it. */
    const pm_named_layout *layouts;
    /* Builds a listed variant, except layouts, with `context`. NULL: a program of the suite, whose
     * workload file is read first. */
    pm_workload *(*build_own)(const void *context, const char *variant, const char *size,
                              uint64_t seed, pm_error *err);
    /* Like build_own, but the check compares with the plain version. It compares the outputs or, if
     * the program names none, all data that the version writes. NULL: the workload has its own
     * check. */
    pm_workload *(*build_against)(const void *context, const char *variant, const char *size,
                                  uint64_t seed, pm_error *err);
    const void *context;
    const pm_tune_space *space; /* tuning parameters; NULL: none */
    /* Sets *allowed to whether the version may be run. `values` has one value per parameter. */
    pm_status (*allows)(const void *context, const char *size, const int64_t *values, bool *allowed,
                        pm_error *err);
    /* Sets the range of its first launch, without a compiler. */
    pm_status (*ranges)(const void *context, const char *size, const int64_t *values,
                        pm_launch_range *range, pm_error *err);
} pm_program;

#endif
