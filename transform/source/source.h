/* Kernel source in OpenCL C or CUDA: its arrays of structs, and how its kernels access them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_SOURCE_H
#define PM_TRANSFORM_SOURCE_SOURCE_H

#include <stdint.h>

#include "transform/source/fields.h"

/* Kind of a kernel's parameter. OPAQUE: an image, sampler, pipe or queue, for which a workload
 * cannot give an argument. */
typedef enum { PM_TAKES_VALUE, PM_TAKES_BUFFER, PM_TAKES_LOCAL, PM_TAKES_OPAQUE } pm_source_takes;
typedef struct {
    char *name;
    pm_source_takes takes;
    /* type of the value or of the pointer's target: float, uint4; "": neither scalar nor vector */
    char type[16];
    /* index into structs; PM_NO_STRUCT: no array of structs in global or constant memory */
    size_t structure;
    size_t bytes;   /* size of a value */
    size_t element; /* size of the pointer's target in bytes; 0: unknown */
    /* VALUE: index of its struct in pm_source_info.passed. PM_NO_STRUCT: it is no struct, or its
     * fields cannot be described. */
    size_t passed;
    bool read, written;
    bool is_extent; /* probably a problem size: conditions compare it, or indices multiply by it */
} pm_source_param;

#define PM_NO_STRUCT ((size_t)-1)

/* A read or write of a field, once per location in the source (the field access tree of Nakai and
 * Ohno 2017, section 6.1). Helper functions count as part of the loop that calls them. */
typedef struct {
    size_t structure, field;
    unsigned line, column; /* location of the access */
    unsigned loop;         /* line of the innermost enclosing loop in the kernel; 0: none */
    bool read, written;
} pm_source_access;

/* Hints about a kernel's launch range from its source code. A member is 0 if there is no hint. */
typedef struct {
    /* number of dimensions: the highest whose id the kernel reads, counted from 1 */
    uint64_t dimensions;
    uint64_t group[3];   /* work-group size from reqd_work_group_size or work_group_size_hint */
    uint64_t most_items; /* most work-items of a work-group, from __launch_bounds__ */
    uint64_t tile[2];    /* work-group size from the extents of a local array, x first */
    uint64_t element;    /* element size in bytes of the kernel's extern __shared__ array */
} pm_source_shape;

typedef struct {
    char *name;
    unsigned line;
    size_t param_count;
    pm_source_param *params;
    size_t access_count;
    pm_source_access *accesses;
    pm_source_shape shape;
} pm_source_kernel;

typedef struct {
    pm_structs structs; /* structs of which a kernel takes an array in global or constant memory */
    /* Structs whose layout cannot change: passed by value, or in an array for which no layout is
     * possible. Their bool members have the type uchar here. */
    pm_structs passed;
    /* If a kernel takes an array of a struct that is not in `structs`: the reason. NULL: there is
     * no such struct. */
    char *left;
    /* CUDA: a non-const variable at file scope, through which launches may pass values on; NULL:
     * none */
    char *variable;
    size_t kernel_count;
    pm_source_kernel *kernels;
    size_t template_count;
    char **templates; /* kernels that are templates, with their parameters: turn<T, N> */
    /* All names that the source declares at file scope, except its kernels: types, tags, functions
     * and constants. Two rewritten sources can be joined in one text if one of them has these names
     * renamed. */
    size_t name_count;
    char **names;
    pm_memory memory; /* owns the members if they were read from a message */
} pm_source_info;

/* A CUDA source with the instances of its templates written out. Each instance is a function that
 * replaces its template in the text. A template stays in the text if other code
 * still names it: host code, an explicit specialization, or a function with the same name.
 * Instances get new names if their template stays, or if the template has several instances. */
typedef struct {
    char *text; /* NULL: the source needs no instances */
    size_t kernel_count;
    char **kernels; /* per requested kernel: name in the new source */
    char *left;     /* name of a kernel template that was left out, because no instance of it was
                     * requested or used; NULL: none */
    pm_memory memory;
} pm_instances;

#endif
