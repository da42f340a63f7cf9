/* A program: GPU kernels with several variants (versions of their source) and sizes of input, and
 * functions that build a workload (launches and data) from a variant and size.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_PROGRAM_H
#define PM_PROGRAM_PROGRAM_H

#include "program/space.h"
#include "program/workload.h"

/* A variant that is made by a rewrite: the program's first variant in another data layout. */
typedef struct {
    /* variant: its name. layouts: the data layout, as a text that transform/layout/layout.h
     * describes. */
    const char *variant, *layouts;
} pm_named_layout;

/* Work-items of a launch (global) and of a work-group (local) in each dimension; 1 in unused
 * dimensions. */
typedef struct {
    size_t global[3], local[3];
} pm_launch_range;

/* Makes a NULL-terminated list of names, such as those of a program's variants or sizes. The macro
 * is for use at file scope. */
#define PM_NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* A program: its description pm_program_info, and functions that build its workloads. Equal seeds
 * give equal inputs on all machines. */
typedef struct pm_program {
    pm_program_info info;
    /* Path in the installed folder kernels/ of the workload file that describes a program of the
     * suite. NULL: the program is not in the suite, or it is the CUDA version of an OpenCL
     * program. */
    const char *file;
    /* OpenCL program of the suite of which this program is the CUDA version; NULL: none */
    const struct pm_program *twin;
    /* class of the program (a group of similar programs) in its workload file; NULL: the file names
     * none */
    const char *class;
    /* Path of the user's file that describes the program: a workload file, or a source without one.
     * NULL: the program is part of perfmodel. */
    const char *path;
    /* assumptions that were made because the source has no workload file, NULL-terminated; NULL:
     * none */
    const char *const *assumed;
    /* Listed variants that are rewrites of the first variant in other data layouts; {NULL, NULL}
     * ends the list. NULL: none. A variant whose name is itself the text of a layout, such as
     * "soa", need not be in this list. */
    const pm_named_layout *layouts;
    /* Function that builds the workload of a listed variant with a source or options of its own,
     * which is no rewrite in another data layout. context: the member `context`. It returns NULL on
     * failure. The member is NULL for a program of the suite whose workload file has not been
     * read. */
    pm_workload *(*build_own)(const void *context, const char *variant, const char *size,
                              uint64_t seed, pm_error *err);
    /* Builds a workload as build_own does, except that its results are compared with those of the
     * program's source without transforms. The outputs are compared, or, if the program names none,
     * all data that the workload writes. NULL: workloads of build_own have a check of their results
     * already. */
    pm_workload *(*build_against)(const void *context, const char *variant, const char *size,
                                  uint64_t seed, pm_error *err);
    const void *context;
    const pm_tune_space *space; /* tuning parameters; NULL: none */
    /* Sets *allowed to whether the tuning parameters fulfil the conditions of section [tune] (its
     * key `restrict`). values: the value of each tuning parameter. */
    pm_status (*allows)(const void *context, const char *size, const int64_t *values, bool *allowed,
                        pm_error *err);
    /* Computes, without a compiler, the global and local size of the first launch for given tuning
     * parameters. values: the value of each tuning parameter. */
    pm_status (*ranges)(const void *context, const char *size, const int64_t *values,
                        pm_launch_range *range, pm_error *err);
} pm_program;

#endif
