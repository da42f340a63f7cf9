/* Request and result of staging: arrays of global memory are copied to local memory (CUDA: shared
 * memory) and read there (Kamiya et al. 2013).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A staging request is a string that names the arrays to stage. The `variant` column of a dataset
 * has the same string:
 *
 *   shared             every kernel: arrays that fit, most accesses per element first
 *   shared:a+b         the arrays a and b, which are parameters of the kernel
 *   shared:a+b/16      the same, with loops tiled by 16 iterations where tiling is needed
 *   shared:a@k+l       the array a, in kernels k and l only
 *
 * A variant may have several requests, separated by ';'. Layouts (layout.h) come first, and staging
 * then applies to the source that the layouts produce: `soa;shared:pos_x`.
 */
#ifndef PM_TRANSFORM_STAGING_STAGING_H
#define PM_TRANSFORM_STAGING_STAGING_H

#include "base/memory.h"

/* An argument of a kernel launch. */
typedef struct {
    /* true: the argument is passed by value, with 4 or 8 bytes; `value` has its value if the
     * parameter has an integer type */
    bool is_integer;
    long long value;     /* value of the argument as an integer; a 4-byte value is sign-extended */
    size_t buffer_bytes; /* size of the buffer in bytes; 0: unknown, or the argument is no buffer */
    /* id of the buffer; two arguments with equal ids are the same buffer; SIZE_MAX: no buffer */
    size_t buffer;
    /* true: the buffer is temporary: the launch needs no contents from before, and nothing after
     * the launch reads it */
    bool scratch;
} pm_stage_arg;

/* A launch of a kernel. Sizes are in work-items. */
typedef struct {
    const char *kernel;
    unsigned dimensions;
    size_t global[3], local[3], offset[3];
    size_t shared; /* size in bytes of the dynamic shared memory: CUDA's extern __shared__ arrays */
    size_t arg_count;
    const pm_stage_arg *args;
} pm_stage_launch;

typedef struct {
    const char *text; /* the staging request; its syntax is described at the top of this file */
    /* Work-group size for kernels whose size is known neither from the attribute
     * reqd_work_group_size nor from a launch. 0: unknown. */
    size_t work_group[3];
    size_t local_bytes; /* bytes of local memory that a work-group may use */
    /* names of parameters whose buffers are temporary (pm_stage_arg.scratch), separated by '+';
     * NULL: none */
    const char *scratch;
    /* True: analyse the source without rewriting it. The request `text` may then be NULL, and no
     * error is raised if no array can be staged. */
    bool analyse;
    size_t launch_count; /* number of launches; 0: the launches are unknown */
    const pm_stage_launch *launches;
} pm_stage_request;

/* Result of changing kernels so that they copy arrays to local memory (staging): the new source,
 * and a description of each array. include/perfmodel/transform.h declares pm_stage_array. */
typedef struct {
    char *text; /* the new source */
    /* The new source as the text that clang parsed: blanks replace code that clang does not
     * understand. NULL: this result came from the worker process, which does not send it. */
    char *parsed;
    size_t edits;
    size_t array_count;
    pm_stage_array *arrays;
    size_t assumption_count;
    /* Conditions that the new source needs to be correct and that the original source does not
     * prove, one sentence each. */
    char **assumptions;
    pm_memory memory; /* memory of the strings and arrays of this struct */
} pm_staged;

/* Returns true if the name of a variant contains a staging request: one of its parts between ';'
 * starts with "shared". */
bool pm_stage_is_text(const char *text);
/* Splits the name of a variant into layouts and staging request. *share points to the first staging
 * request in `text`; NULL: there is none. *layouts becomes a copy of the layouts before it ("aos"
 * if there are none); the caller frees it. PM_BAD_INPUT if a layout follows a staging request. */
pm_status pm_stage_split(const char *text, char **layouts, const char **share, pm_error *err);

/* What the user has asked to copy to local memory in one kernel: the part of a staging request
 * that applies to it. */
typedef struct {
    bool asked; /* true: the request stages arrays in this kernel */
    /* true: the request names no arrays, so all arrays of the kernel are considered for staging */
    bool automatic;
    size_t array_count;
    char **arrays;
    /* A loop over a staged array may be tiled: a part of the array (the tile) is copied to local
     * memory for this number of iterations at a time. 0: the number is chosen automatically. */
    size_t tile;
} pm_stage_choice;
/* Returns the staging request's choice for the kernel `kernel`; `text` is the request. Raises
 * PM_BAD_INPUT, which pm_attempt with this `memory` returns, if `text` is malformed or names a
 * kernel that is not in kernels[0..kernel_count). */
pm_stage_choice pm_stage_parse(pm_memory *memory, const char *text, const char *kernel,
                               const char *const *kernels, size_t kernel_count);

#endif
