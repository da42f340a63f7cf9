/* Kernel source in OpenCL C or CUDA: its arrays of structs, and how its kernels access them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_SOURCE_H
#define PM_TRANSFORM_SOURCE_SOURCE_H

#include <stdint.h>

#include "transform/source/fields.h"

/* Kind of argument that a kernel's parameter receives: a value, a pointer to global or constant
 * memory (BUFFER) or to local memory, or an OPAQUE object (image, sampler, pipe or queue). A
 * workload file cannot give an argument for an opaque object. */
typedef enum { PM_TAKES_VALUE, PM_TAKES_BUFFER, PM_TAKES_LOCAL, PM_TAKES_OPAQUE } pm_source_takes;
typedef struct {
    char *name;
    pm_source_takes takes;
    /* type of the value, or of the pointer's target, such as float or uint4; "": neither scalar nor
     * vector */
    char type[16];
    /* index of the array's struct in pm_source_info.structs; PM_NO_STRUCT: the parameter is no
     * array of structs in global or constant memory */
    size_t structure;
    size_t bytes;   /* size in bytes of a parameter that is passed by value */
    size_t element; /* size of the pointer's target in bytes; 0: unknown */
    /* Index in pm_source_info.passed of a struct passed by value. PM_NO_STRUCT: the parameter is no
     * struct passed by value, or the struct's fields cannot be described. */
    size_t passed;
    bool read, written;
    bool is_texture; /* true: a texture object of CUDA */
    /* true: the kernel does not use the parameter; set only for PTX, false if it is not known */
    bool is_unused;
    /* true: the contents of the buffer change no address and no branch of the kernel, unless
     * another argument leads to the same memory; set only for PTX, false if it is not known */
    bool has_spare_contents;
    /* true: the kernel does not write the buffer, unless another argument leads to the same memory;
     * set only for PTX, false if it is not known */
    bool is_read_only;
    /* true: the parameter is probably a problem size, because the kernel compares it with something
     * or computes indices as products with it */
    bool is_extent;
} pm_source_param;

#define PM_NO_STRUCT ((size_t)-1)

/* A read or write of a struct's field at one location in the source: a leaf of the field access
 * tree of Nakai and Ohno 2017, section 6.1. An access in a helper function belongs to the kernel's
 * loop that calls the function. */
typedef struct {
    size_t structure, field;
    unsigned line, column; /* location of the access */
    /* source line of the innermost loop of the kernel that contains the access; 0: none */
    unsigned loop;
    bool read, written;
} pm_source_access;

/* Hints about the launch range of a kernel, from its source code. A member is 0 if there is no
 * hint. */
typedef struct {
    /* number of dimensions of the launch: the largest dimension whose id the kernel reads, plus
     * 1 */
    uint64_t dimensions;
    /* work-group size from the attribute reqd_work_group_size or work_group_size_hint */
    uint64_t group[3];
    uint64_t most_items; /* largest number of work-items of a work-group, from __launch_bounds__ */
    /* work-group size in x and y, guessed from the extents of a two-dimensional local array */
    uint64_t tile[2];
    /* size in bytes of an element of the array `extern __shared__ T name[]`, whose length is given
     * at the launch; 0: there is none */
    uint64_t element;
} pm_source_shape;

typedef struct {
    char *name;
    /* Name of the kernel in the PTX text, which may be mangled. NULL: it is `name`. */
    char *symbol;
    unsigned line;
    size_t param_count;
    pm_source_param *params;
    size_t access_count;
    pm_source_access *accesses;
    pm_source_shape shape;
} pm_source_kernel;

typedef struct {
    /* structs of which a kernel gets an array in global or constant memory, and whose layout can
     * change */
    pm_structs structs;
    /* Structs whose layout does not change. Some are passed to kernels by value. Kernels get arrays
     * of the others, but their layout cannot be changed. Members of type bool have the type uchar
     * here. */
    pm_structs passed;
    /* Message why the layout of a struct cannot change, for one of the arrays of structs that
     * kernels get but whose struct is not in `structs`. NULL: there is no such array. */
    char *left;
    /* CUDA: name of a non-const variable at file scope, in which a launch may leave values for
     * later launches. NULL: none. */
    char *variable;
    size_t kernel_count;
    pm_source_kernel *kernels;
    size_t template_count;
    /* names of kernels that are templates, with their parameters, such as turn<T, N> */
    char **templates;
    /* Names of all types, tags, functions and constants that the source declares at file scope,
     * except its kernels. These names are renamed in one of two rewritten sources if the sources
     * are joined to one text. */
    size_t name_count;
    char **names;
    /* memory of the members if this description was received as a message; else unused */
    pm_memory memory;
} pm_source_info;

/* Returns the kernel with this name. If the source is PTX, the name may also be the kernel's name
 * in the text. NULL: the source has none. */
const pm_source_kernel *pm_source_find_kernel(const pm_source_info *info, const char *name);

/* A CUDA source in which functions replace the instances of function templates. A template stays in
 * the text only if other code still names it: host code, an explicit specialization, or a function
 * of the same name. An instance gets a new name if its template stays, or if the template has
 * several instances. */
typedef struct {
    /* the new text; NULL: the source has no template instances, so it is used unchanged */
    char *text;
    size_t kernel_count;
    char **kernels; /* kernels[k]: name of the requested kernel k in the new source */
    /* name of a kernel template that was removed because no instance of it was requested or used;
     * NULL: none */
    char *left;
    pm_memory memory;
} pm_instances;

#endif
