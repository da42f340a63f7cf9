/* Finds which variables and memory a statement of a kernel source reads, writes and may change. The
 * result decides whether an access to a struct can be moved across the statement.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_CLANG_EFFECTS_H
#define PM_TRANSFORM_SOURCE_CLANG_EFFECTS_H

#include "transform/source/clang/source_unit.h"

#define PM_ALL_FIELDS ((size_t)-1)

/* An access to an element of an array of structs: to one field (p[e].f, p->f, (*p).f), or to the
 * whole element. */
typedef struct {
    pm_node *node; /* the whole access expression */
    /* declaration of the pointer variable through which the element is accessed; NULL: the pointer
     * is another expression */
    const pm_node *pointer;
    pm_node *index; /* subscript of the element; NULL: element 0 */
    size_t structure;
    /* index of the accessed field in the struct; PM_ALL_FIELDS: the whole struct, or an unknown
     * field */
    size_t field;
    bool single; /* true: the access is to exactly one scalar or vector, in a known field */
    bool read, written;
    bool conditional; /* true: the statement may be executed without this access */
} pm_element_access;

typedef struct {
    const pm_source_unit *unit;
    const bool *active; /* active[struct]: true if accesses to arrays of this struct are recorded */
    pm_memory *memory;
    size_t access_count;
    pm_element_access *accesses; /* recorded accesses, in the order of the source */
    size_t modified_count;
    /* Declarations of the variables that the statement writes or whose address it takes. */
    const pm_node **modified;
    /* true: the statement may write memory through a pointer, other than fields of structs in
     * `active` */
    bool writes_memory;
    bool writes_all; /* true: the statement may write any field of the structs in `active` */
    bool ordered;    /* true: the statement contains a barrier or a jump out of itself */
} pm_effects;

/* Adds the effects of a statement or expression to `effects`. */
void pm_effects_add(pm_effects *effects, pm_node *statement);

/* ---- element_key.c: finds accesses that address the same element */

enum { PM_KEY_VARIABLES = 16, PM_KEY_LENGTH = 256 };

/* Key of an array element: the text of the expression that addresses it. Two accesses with equal
 * texts address the same element if none of the key's variables is modified between them. If
 * `reads_memory` is true, no memory may be written between the accesses either. */
typedef struct {
    char text[PM_KEY_LENGTH];
    size_t variable_count;
    const pm_node *variables[PM_KEY_VARIABLES];
    bool reads_memory;
} pm_element_key;

/* Makes the key of the element that an access addresses. Returns false if the element's expression
 * has side effects or is too long. */
bool pm_element_key_of(const pm_ast *ast, const pm_element_access *access, pm_element_key *key);

#endif
