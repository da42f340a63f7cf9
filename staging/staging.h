/* Staging arrays of global memory in local (CUDA: shared) memory: what is asked for, and what the
 * analysis of a source found (Kamiya et al. 2013).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What to stage is a text, which is also what stands in the `variant` column of a dataset:
 *
 *   shared             in every kernel arrays by accesses per element, as long as there is room
 *   shared:a+b         these arrays: names of the kernel's parameters
 *   shared:a+b/16      loops that have to be tiled are, 16 iterations at a time
 *   shared:a@k+l       only in kernels k and l
 *
 * with ';' between several. Behind texts of layouts (layout.h) it is for the source that these
 * make: `soa;shared:pos_x`.
 */
#ifndef PM_STAGING_STAGING_H
#define PM_STAGING_STAGING_H

#include "base/memory.h"

/* An argument of a launch, as far as it is known. */
typedef struct {
    bool is_integer;     /* 4 or 8 bytes by value, if the parameter's type is an integer */
    long long value;     /* of an integer; 4 bytes are sign-extended */
    size_t buffer_bytes; /* of a buffer; 0: unknown, or none */
    size_t buffer;       /* equal for arguments that are the same buffer; SIZE_MAX: no buffer */
    bool scratch; /* nobody needs what the buffer held before the launch, or holds after it */
} pm_stage_arg;

/* How a kernel is run. */
typedef struct {
    const char *kernel;
    unsigned dimensions;
    size_t global[3], local[3], offset[3];
    size_t shared; /* bytes that CUDA's extern __shared__ arrays take */
    size_t arg_count;
    const pm_stage_arg *args;
} pm_stage_launch;

typedef struct {
    const char *text;     /* as above */
    size_t work_group[3]; /* of all kernels that do not say theirs (reqd_work_group_size) and that
                           * no launch tells it of; 0: unknown */
    size_t local_bytes;   /* of local memory that a work-group may have in all */
    const char *scratch;  /* names of parameters with '+' between them; NULL: none */
    bool analyse;         /* no text, and it is no error that nothing can be staged */
    size_t launch_count;  /* 0: the source is all there is */
    const pm_stage_launch *launches;
} pm_stage_request;

/* The arrays (pm_stage_array) are in perfmodel.h. */
typedef struct {
    char *text;   /* the new source */
    char *parsed; /* what clang is to see of it, in the process that made it; else NULL */
    size_t edits;
    size_t array_count;
    pm_stage_array *arrays;
    size_t assumption_count;
    char **assumptions; /* what has to hold and cannot be seen in the source, a sentence each */
    pm_memory memory;   /* of what is here */
} pm_staged;

/* Whether an item of the text starts with "shared". */
bool pm_stage_is_text(const char *text);
/* Cuts a text of layouts and staging in two. *share is the end of text, NULL where it has no
 * staging; *layouts is to free, and "aos" where there is nothing else. A text that has a layout
 * behind staging is PM_BAD_INPUT. */
pm_status pm_stage_split(const char *text, char **layouts, const char **share, pm_error *err);

/* What a text says of one kernel. */
typedef struct {
    bool asked;     /* something is to be staged there */
    bool automatic; /* no arrays are named */
    size_t array_count;
    char **arrays;
    size_t tile; /* iterations; 0: as suits */
} pm_stage_choice;
/* PM_BAD_INPUT ends the attempt: the text is wrong, or names a kernel that is not among those
 * given.
 */
pm_stage_choice pm_stage_parse(pm_memory *memory, const char *text, const char *kernel,
                               const char *const *kernels, size_t kernel_count);

#endif
