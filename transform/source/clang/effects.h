/* Side effects of a statement, as needed to decide whether accesses to structs can be moved across
 * it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_CLANG_EFFECTS_H
#define PM_TRANSFORM_SOURCE_CLANG_EFFECTS_H

#include "transform/source/clang/source_unit.h"

#define PM_ALL_FIELDS ((size_t)-1)

/* An access to an element of an array of structs: to a field (p[e].f, p->f, (*p).f), or to the
 * element as a whole. */
typedef struct {
    pm_node *node; /* the whole expression */
    /* declaration of the pointer variable; NULL: the pointer is another expression */
    const pm_node *pointer;
    pm_node *index; /* subscript of the element; NULL: element 0 */
    size_t structure;
    size_t field; /* index of the field; PM_ALL_FIELDS: the whole struct, or an unknown field */
    bool single;  /* true: the access is to one scalar or vector as a whole, whose field is known */
    bool read, written;
    bool conditional; /* true: the statement may be executed without this access */
} pm_element_access;

typedef struct {
    const pm_source_unit *unit;
    const bool *active; /* active[struct]: whether accesses to arrays of this struct are recorded */
    pm_memory *memory;
    size_t access_count;
    pm_element_access *accesses; /* recorded accesses, in the order of the source */
    size_t modified_count;
    /* Declarations of the variables that the statement writes or takes the address of. */
    const pm_node **modified;
    /* true: may write memory through a pointer, except fields of the structs in `active` */
    bool writes_memory;
    bool writes_all; /* true: may write any field of the structs in `active` */
    bool ordered;    /* true: contains a barrier, or a jump out of the statement */
} pm_effects;

/* Adds the effects of a statement or expression to `effects`. */
void pm_effects_add(pm_effects *effects, pm_node *statement);

/* ---- element_key.c: finds accesses that address the same element */

enum { PM_KEY_VARIABLES = 16, PM_KEY_LENGTH = 256 };

/* Key of an element. Two accesses with equal texts address the same element if no variable of the
 * key is modified between them. If reads_memory, memory must not be written between them either. */
typedef struct {
    char text[PM_KEY_LENGTH];
    size_t variable_count;
    const pm_node *variables[PM_KEY_VARIABLES];
    bool reads_memory;
} pm_element_key;

/* Makes the key of an access. Returns false if the element's expression has side effects or is too
 * long. */
bool pm_element_key_of(const pm_ast *ast, const pm_element_access *access, pm_element_key *key);

#endif
