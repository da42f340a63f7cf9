/* Keywords and expressions of a kernel language, for rewritten and generated source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_KERNEL_WORDS_H
#define PM_TRANSFORM_SOURCE_KERNEL_WORDS_H

#include <stdbool.h>

/* Keywords and expressions of OpenCL C or CUDA. A keyword that precedes other code ends in a blank.
 * A keyword that the language does not have is "". */
typedef struct {
    bool is_cuda;
    const char *language;
    /* keywords of address spaces, for pointers and variables; CUDA has one only for local
     * variables */
    const char *global, *constant, *local;
    const char *function; /* keyword before the result type of a function */
    const char *kernel;   /* keyword before a kernel's result type */
    const char *restricted;
    /* attribute for alignment: text before and after the number of bytes */
    const char *aligned_before, *aligned_behind;
    const char *index, *count; /* types: signed and unsigned 64-bit integer */
    /* statement: barrier for accesses to local memory */
    const char *barrier;
    /* statement: barrier for accesses to local and global memory */
    const char *barrier_all;
    /* Expressions for ids and sizes, for each of three dimensions. */
    const char *local_id[3], *group_id[3], *local_size[3], *group_count[3], *global_id[3];
} pm_kernel_words;

const pm_kernel_words *pm_kernel_words_of(bool is_cuda);
/* Translates a type name of OpenCL C, such as uchar, float4 or longlong, to the name in the
 * language of `words` (CUDA: unsigned char). Returns `type` itself if both languages use the same
 * name. */
const char *pm_kernel_type(const pm_kernel_words *words, const char *type);

#endif
