/* Kernel source in OpenCL C or CUDA: what structs it has arrays of, and what its kernels do with
 * them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_SOURCE_H
#define PM_SOURCE_SOURCE_H

#include <stdint.h>

#include "source/fields.h"

/* A parameter of a kernel. */
/* OPAQUE: an image, a sampler, a pipe, a queue: none of them can be given. */
typedef enum { PM_TAKES_VALUE, PM_TAKES_BUFFER, PM_TAKES_LOCAL, PM_TAKES_OPAQUE } pm_source_takes;
typedef struct {
    char *name;
    pm_source_takes takes;
    char type[16];    /* of the value, or of what it points to: float, uint4; "": no scalar or
                       * vector */
    size_t structure; /* index into the structs; PM_NO_STRUCT: no array of structs in global or
                       * constant memory */
    size_t bytes;     /* of a value */
    size_t element;   /* bytes of what a pointer points to; 0: unknown */
    size_t passed;    /* of a value: index into the structs that are passed; PM_NO_STRUCT: it is
                       * none, or one whose fields cannot be described */
    bool read, written;
    bool is_extent; /* a value that conditions compare with, or that indices are multiplied by */
} pm_source_param;

#define PM_NO_STRUCT ((size_t)-1)

/* A field that a kernel reads or writes, once for each place in the source (the field access tree
 * of Nakai and Ohno 2017, section 6.1). Helper functions count as part of the loop that calls them.
 */
typedef struct {
    size_t structure, field;
    unsigned line, column; /* of the access */
    unsigned loop;         /* line of the innermost loop around it in the kernel; 0: none */
    bool read, written;
} pm_source_access;

/* What a kernel's text tells about the ranges that it is written for. Members are 0 where it tells
 * nothing. */
typedef struct {
    uint64_t dimensions; /* the highest of those whose ids it asks for, counted from 1 */
    uint64_t group[3];   /* of a work-group, by reqd_work_group_size or work_group_size_hint */
    uint64_t most_items; /* of a work-group, by __launch_bounds__ */
    uint64_t tile[2];    /* work-items by the extents of an array in local memory, x first */
    uint64_t element;    /* bytes of an element of its extern __shared__ array */
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
    pm_structs structs; /* those that a kernel takes an array of in global or constant memory */
    pm_structs passed;  /* those that a kernel takes as a value, and those that it takes an array
                         * of but no layout can be made of; a bool in them is an uchar */
    char *left; /* why another that a kernel takes an array of has to stay as it is; NULL: none */
    char *variable; /* of CUDA: one at file scope that is not const, so that launches may hand
                     * values on through it; NULL: none */
    size_t kernel_count;
    pm_source_kernel *kernels;
    size_t template_count;
    char **templates; /* kernels that are templates, with their parameters: turn<T, N> */
    /* All that the source declares at file scope but its kernels' own names: types, tags,
     * functions, constants. Two rewritten sources stand in one text if one of them has these
     * renamed. */
    size_t name_count;
    char **names;
    pm_memory memory; /* of what was read from a message */
} pm_source_info;

/* A CUDA source whose templates' instances are written out, each as a function in its template's
 * place. A template that something else still names (host code, an explicit specialisation, a
 * function of the same name) stays beside them, and they get names of their own; so do several
 * instances of one template. */
typedef struct {
    char *text; /* NULL: nothing has to be written out */
    size_t kernel_count;
    char **kernels; /* of those that were asked for: as the new source calls them */
    char *left;     /* a kernel that is a template of which nobody names an instance; NULL: none */
    pm_memory memory;
} pm_instances;

#endif
