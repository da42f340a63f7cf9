/* Lists the functions and variables of a CUDA text that another file may define, or may define
 * under the same name.
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

/* Lists three kinds of names. First, functions with __device__ or __global__, and variables with
 * __device__, __constant__ or __managed__. Second, functions of host code that other files may
 * define. Third, definitions of internal names, which other files cannot refer to: templates,
 * constants and static declarations, also those of host code. Members of classes are not listed. */
void pm_linked_names_list(const char *text, pm_memory *memory, pm_linked_names *names);
/* Returns the element of the list with this name. NULL: the list does not have the name. */
const pm_linked_name *pm_linked_names_find(const pm_linked_names *names, const char *name);
/* Returns how often a word occurs in a text, outside of comments, literals and directives. */
size_t pm_count_word(const char *text, const char *word);

#endif
