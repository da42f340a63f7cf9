/* Words of a kernel language, for rewritten and generated source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_KERNEL_WORDS_H
#define PM_TRANSFORM_SOURCE_KERNEL_WORDS_H

#include <stdbool.h>

/* Keywords and expressions of one language. A keyword that precedes other code ends in a blank, or
 * is empty if the language has none. */
typedef struct {
    bool is_cuda;
    const char *language;
    /* address spaces of pointers and variables; in CUDA, only local variables have a word */
    const char *global, *constant, *local;
    const char *function; /* before the result type of a function */
    const char *kernel;   /* before the name of a kernel */
    const char *restricted;
    const char *aligned_before, *aligned_behind; /* before and after a number of bytes */
    const char *index, *count;                   /* signed and unsigned 64-bit integers */
    const char *barrier;                         /* barrier for local memory, as a statement */
    const char *barrier_all;                     /* barrier for local and global memory */
    /* Expressions of the work-item, per dimension. */
    const char *local_id[3], *group_id[3], *local_size[3], *group_count[3], *global_id[3];
} pm_kernel_words;

const pm_kernel_words *pm_kernel_words_of(bool is_cuda);
/* Returns the language's word for a type that the description calls uchar, float4 or longlong. If
 * the language has the same word, returns type itself. */
const char *pm_kernel_type(const pm_kernel_words *words, const char *type);

#endif
