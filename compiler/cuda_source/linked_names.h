/* Lists the functions and variables of a CUDA text that other files may define or hide.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CUDA_SOURCE_LINKED_NAMES_H
#define PM_COMPILER_CUDA_SOURCE_LINKED_NAMES_H

#include "base/memory.h"

typedef struct {
    const char *name; /* without namespaces; owned by the memory */
    bool defined;     /* true: defined at least once; false: only declared */
    bool is_internal; /* true: other files cannot refer to the name */
    bool is_host;     /* true: a function without __device__ and __global__ */
    size_t count;     /* number of declarations and definitions */
} pm_linked_name;

typedef struct {
    size_t count;
    pm_linked_name *items;
} pm_linked_names;

/* Lists the names of functions with __device__ or __global__, and of variables with __device__,
 * __constant__ or __managed__, and of functions of host code, which other files may define. Also
 * lists the definitions of internal names: templates, constants and static declarations, also those
 * of host code. Members of classes are left out. */
void pm_linked_names_list(const char *text, pm_memory *memory, pm_linked_names *names);
/* Returns the name in the list. NULL: it is not there. */
const pm_linked_name *pm_linked_names_find(const pm_linked_names *names, const char *name);
/* Returns how often a word occurs in a text, outside of comments, literals and directives. */
size_t pm_count_word(const char *text, const char *word);

#endif
