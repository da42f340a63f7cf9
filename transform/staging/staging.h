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
 * Items are separated by ';'. Layout items (layout.h) come first, and staging then applies to the
 * source that the layouts produce: `soa;shared:pos_x`.
 */
#ifndef PM_TRANSFORM_STAGING_STAGING_H
#define PM_TRANSFORM_STAGING_STAGING_H

#include "base/memory.h"

/* One argument of a kernel launch. */
typedef struct {
    bool is_integer;     /* passed by value: 4 or 8 bytes if the parameter has an integer type */
    long long value;     /* value of the integer; 4-byte values are sign-extended */
    size_t buffer_bytes; /* size of the buffer in bytes; 0: unknown, or not a buffer */
    /* id of the buffer: equal ids mean the same buffer; SIZE_MAX: not a buffer */
    size_t buffer;
    bool scratch; /* the buffer's contents are not needed before the launch nor after it */
} pm_stage_arg;

/* One launch of a kernel. Sizes are in work-items. */
typedef struct {
    const char *kernel;
    unsigned dimensions;
    size_t global[3], local[3], offset[3];
    size_t shared; /* size of CUDA's extern __shared__ arrays in bytes */
    size_t arg_count;
    const pm_stage_arg *args;
} pm_stage_launch;

typedef struct {
    const char *text; /* staging request as a string, see the top of this file */
    /* Work-group size of kernels that have no reqd_work_group_size and no launch; 0: unknown. */
    size_t work_group[3];
    size_t local_bytes; /* local memory available to a work-group, in bytes */
    /* names of scratch parameters (pm_stage_arg.scratch), separated by '+'; NULL: none */
    const char *scratch;
    /* true: the source is analysed but not changed. `text` may then be NULL, and it is no error if
     * no array can be staged. */
    bool analyse;
    size_t launch_count; /* 0: the source comes without launches */
    const pm_stage_launch *launches;
} pm_stage_request;

/* Result of staging. pm_stage_array is in perfmodel.h. */
typedef struct {
    char *text; /* the new source */
    /* The new source in the form that clang parses, for the process that made it; else NULL. */
    char *parsed;
    size_t edits;
    size_t array_count;
    pm_stage_array *arrays;
    size_t assumption_count;
    /* Conditions that staging needs and that the source does not prove, one sentence each. */
    char **assumptions;
    pm_memory memory; /* owns the strings and arrays of this struct */
} pm_staged;

/* Returns true if the string contains a staging request: one of its items starts with "shared". */
bool pm_stage_is_text(const char *text);
/* Splits the name of a variant into its layouts and its staging request. *share points to the first
 * staging item in `text`, or is NULL if there is none. *layouts becomes a copy of the items before
 * that item ("aos" if there are none); the caller frees it. Fails with PM_BAD_INPUT if a layout
 * follows a staging item. */
pm_status pm_stage_split(const char *text, char **layouts, const char **share, pm_error *err);

/* The part of a staging request that applies to one kernel. */
typedef struct {
    bool asked;     /* the request includes this kernel */
    bool automatic; /* the request names no arrays; all arrays of the kernel are candidates */
    size_t array_count;
    char **arrays;
    size_t tile; /* iterations per tile of a loop; 0: chosen automatically */
} pm_stage_choice;
/* Parses a staging request for the kernel `kernel`. Ends the attempt (pm_attempt) with PM_BAD_INPUT
 * if `text` is malformed or names a kernel that is not in kernels[0..kernel_count). */
pm_stage_choice pm_stage_parse(pm_memory *memory, const char *text, const char *kernel,
                               const char *const *kernels, size_t kernel_count);

#endif
