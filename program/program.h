/* A program: its variants and sizes, and functions that build their workloads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_PROGRAM_H
#define PM_PROGRAM_PROGRAM_H

#include "program/space.h"
#include "program/workload.h"

/* A variant that is made by a rewrite: the program's first variant in another data layout. */
typedef struct {
    const char *variant, *layouts; /* layouts: text as described in transform/layout/layout.h */
} pm_named_layout;

/* Work-items of a launch (global) and of a work-group (local) in each dimension; 1 in unused
 * dimensions. */
typedef struct {
    size_t global[3], local[3];
} pm_launch_range;

/* Makes a NULL-terminated list with the names of a program's variants or sizes, for use at file
 * scope. */
#define PM_NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A program: its description pm_program_info, and functions that build its workloads. Equal seeds
 * give equal inputs on all machines. */
typedef struct pm_program {
    pm_program_info info;
    /* Path in kernels/ of the workload file of a program of the suite. NULL: the program is not in
     * the suite, or it is the CUDA version of an OpenCL program. */
    const char *file;
    /* OpenCL program of which this is the CUDA version; NULL: none */
    const struct pm_program *twin;
    const char *class; /* class of the program as its workload file names it; NULL: none */
    /* Path of the user's file that describes the program: a workload file, or a source without one.
     * NULL: the program is part of perfmodel. */
    const char *path;
    /* assumptions that were made because the source has no workload file, NULL-terminated; NULL:
     * none */
    const char *const *assumed;
    /* The listed variants that are rewrites of the first variant for other data layouts; ends with
     * {NULL, NULL}; NULL: none. Variants whose name is itself the text of a layout, such as "soa",
     * need not be in this list. */
    const pm_named_layout *layouts;
    /* Builds the workload of a listed variant that has its own source or options, and is not made
     * by a rewrite for another data layout. It is called with the member `context`. NULL: a program
     * of the suite, whose workload file must be read first. */
    pm_workload *(*build_own)(const void *context, const char *variant, const char *size,
                              uint64_t seed, pm_error *err);
    /* Builds a workload as build_own does, except that its results are compared with those of the
     * plain version. Compared are the outputs or, if the program names none, all data that the
     * version writes. NULL: build_own already gives workloads whose results are checked. */
    pm_workload *(*build_against)(const void *context, const char *variant, const char *size,
                                  uint64_t seed, pm_error *err);
    const void *context;
    const pm_tune_space *space; /* tuning parameters; NULL: none */
    /* Sets *allowed to whether the conditions of [tune] (its key `restrict`) allow the version.
     * `values` has one value per parameter. */
    pm_status (*allows)(const void *context, const char *size, const int64_t *values, bool *allowed,
                        pm_error *err);
    /* Sets *range to the sizes of the version's first launch. It needs no compiler. */
    pm_status (*ranges)(const void *context, const char *size, const int64_t *values,
                        pm_launch_range *range, pm_error *err);
} pm_program;

#endif
