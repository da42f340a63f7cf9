/* The words of a language that kernels are written in: what rewritten and generated source says.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_KERNEL_WORDS_H
#define PM_SOURCE_KERNEL_WORDS_H

#include <stdbool.h>

/* Words that stand in front of others end in a blank, or are empty. */
typedef struct {
    bool is_cuda;
    const char *language;
    const char *global, *constant, *local; /* of memory that is pointed to, or declared: of
                                            * variables only local has a word in CUDA */
    const char *function;                  /* in front of what a function returns */
    const char *kernel;                    /* in front of a kernel's name */
    const char *restricted;
    const char *aligned_before, *aligned_behind; /* around a number of bytes */
    const char *index, *count;                   /* signed and unsigned integers of 64 bits */
    const char *barrier;                         /* for local memory, as a statement */
    const char *barrier_all;                     /* for global memory too */
    /* Of the work-item, by dimension. */
    const char *local_id[3], *group_id[3], *local_size[3], *group_count[3], *global_id[3];
} pm_kernel_words;

const pm_kernel_words *pm_kernel_words_of(bool is_cuda);
/* How the language says the type of a field or parameter that the description calls uchar, float4,
 * longlong; the same text where it has the same word. */
const char *pm_kernel_type(const pm_kernel_words *words, const char *type);

#endif
