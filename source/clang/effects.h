/* What a statement does, as far as moving accesses to structs across it needs to know.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_CLANG_EFFECTS_H
#define PM_SOURCE_CLANG_EFFECTS_H

#include "source/clang/source_unit.h"

#define PM_ALL_FIELDS ((size_t)-1)

/* An access to an element of an array of structs: p[e].f, p->f, (*p).f, or the element as a whole.
 */
typedef struct {
    pm_node *node; /* the whole expression */
    const pm_node
        *pointer;   /* declaration of the pointer that it goes through; NULL: an expression */
    pm_node *index; /* the subscript; NULL: element 0 */
    size_t structure;
    size_t field; /* PM_ALL_FIELDS: a struct, of fields that nobody tells apart */
    bool single;  /* a scalar or vector, all of it, of a part that has a name */
    bool read, written;
    bool conditional; /* the statement may run without it */
} pm_element_access;

typedef struct {
    const pm_source_unit *unit;
    const bool *active; /* by struct: accesses to it are looked for */
    pm_memory *memory;
    size_t access_count;
    pm_element_access *accesses; /* in the order of the source */
    size_t modified_count;
    const pm_node *
        *modified;      /* declarations of the variables that it writes or takes the address of */
    bool writes_memory; /* something through a pointer that is no field of these structs */
    bool writes_all;    /* may write any field of these structs */
    bool ordered;       /* a barrier, or a jump that the statement does not tell the end of */
} pm_effects;

/* Adds what the statement or expression does. */
void pm_effects_add(pm_effects *effects, pm_node *statement);

/* ---- element_key.c: the same element, wherever two expressions stand between two statements */

enum { PM_KEY_VARIABLES = 16, PM_KEY_LENGTH = 256 };

/* Equal texts name the same element as long as none of the variables is modified, and, with
 * reads_memory, nothing is written to memory. */
typedef struct {
    char text[PM_KEY_LENGTH];
    size_t variable_count;
    const pm_node *variables[PM_KEY_VARIABLES];
    bool reads_memory;
} pm_element_key;

/* False: the expression has side effects, or is too much to follow. */
bool pm_element_key_of(const pm_ast *ast, const pm_element_access *access, pm_element_key *key);

#endif
