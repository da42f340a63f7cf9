/* Names in PTX: a table of names with scopes, and plain names of mangled kernels.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_PTX_NAMES_H
#define PM_COMPILER_PTX_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

/* The meaning of a name in a scope (text between braces, a function, or the whole module). */
typedef struct pm_ptx_binding {
    const char *name;
    void *item;                   /* what the name means */
    struct pm_ptx_binding *outer; /* the name's meaning in an enclosing scope; NULL: none */
    /* the binding that was added just before this one, whatever its name */
    struct pm_ptx_binding *next;
} pm_ptx_binding;

/* A hash table of names with open addressing. A struct with all members 0 is an empty table. */
typedef struct {
    pm_ptx_binding **slots;
    size_t capacity, used;
    pm_ptx_binding *latest; /* the binding that was added last; each leads to the one before */
} pm_ptx_names;

/* Returns the meaning of a name in the innermost scope that has it. NULL: no scope has it. */
void *pm_ptx_names_find(const pm_ptx_names *names, const char *name);
/* Gives a name a meaning in the current scope. item is not NULL. */
void pm_ptx_names_add(pm_memory *memory, pm_ptx_names *names, const char *name, void *item);
/* Ends a scope: forgets the bindings that were added after `mark`, the value of names->latest when
 * the scope began. */
void pm_ptx_names_leave(pm_ptx_names *names, const pm_ptx_binding *mark);

/* Returns the name of a function in CUDA C++ without parameters and template arguments, made from
 * the name in PTX: ns::sum for _ZN2ns3sumEPf. Other names are returned as they are. */
char *pm_ptx_plain_name(pm_memory *memory, const char *name);

#endif
