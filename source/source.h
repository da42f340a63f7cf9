/* Kernel source in OpenCL C or CUDA: its arrays of structs, and how its kernels access them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_SOURCE_H
#define PM_SOURCE_SOURCE_H

#include <stdint.h>

#include "source/fields.h"

/* A parameter of a kernel. */
/* OPAQUE: an image, sampler, pipe or queue, for which no argument can be given. */
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
    /* value: index into passed; PM_NO_STRUCT: no struct, or a struct whose fields cannot be
     * described */
    size_t passed;
    bool read, written;
    bool is_extent; /* a value that is compared in conditions or multiplied in indices */
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

/* Launch ranges that a kernel's text implies. A member is 0 if the text implies nothing. */
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
    /* structs without layouts: passed by value, or in an array but no layout can be made; a bool
     * in them is a uchar */
    pm_structs passed;
    /* why another struct, of which a kernel takes an array, gets no layout; NULL: none */
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
 * replaces its template in the text. A template that other code still names stays: host code, an
 * explicit specialization, or a function of the same name. Its instances then get new names, and so
 * do several instances of one template. */
typedef struct {
    char *text; /* NULL: the source needs no instances */
    size_t kernel_count;
    char **kernels; /* per requested kernel: name in the new source */
    char *left;     /* a kernel template of which no instance is named; NULL: none */
    pm_memory memory;
} pm_instances;

#endif
