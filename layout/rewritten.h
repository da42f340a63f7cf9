/* A source rewritten for other layouts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_LAYOUT_REWRITTEN_H
#define PM_LAYOUT_REWRITTEN_H

#include "base/memory.h"

/* What becomes of a kernel's parameters. */
typedef enum { PM_PARAM_SAME, PM_PARAM_PART, PM_PARAM_COUNT } pm_param_kind;
typedef struct {
    pm_param_kind kind;
    size_t argument; /* SAME: which of the old ones; PART, COUNT: the array of structs */
    size_t part;     /* PART */
} pm_param_map;
typedef struct {
    char *name;
    size_t count;
    pm_param_map *params; /* in the order of the new kernel's parameters; COUNT is a ulong */
} pm_kernel_map;

typedef struct {
    char *text;
    size_t kernel_count; /* as in the description, in the same order */
    pm_kernel_map *kernels;
    size_t edits; /* places of the source that changed */
    /* The wide accesses that were made of several: reads and writes of parts as a whole. */
    size_t wide_loads, wide_stores;
    pm_memory memory; /* of what is here */
} pm_rewritten;

#endif
