/* What a statement does, as far as moving accesses to structs across it needs to know.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_LAYOUT_CLANG_EFFECTS_H
#define PM_LAYOUT_CLANG_EFFECTS_H

#include <clang-c/Index.h>

#include "perfmodel.h"

#define PM_ALL_FIELDS ((size_t)-1)

/* An access to an element of an array of structs: p[e].f, p->f, (*p).f, or the element as a whole.
 */
typedef struct {
    CXCursor cursor;  /* the whole expression */
    CXCursor pointer; /* declaration of the pointer that it goes through; null: an expression */
    CXCursor index;   /* the subscript; null: element 0 */
    size_t structure;
    size_t field; /* PM_ALL_FIELDS: a struct, of fields that nobody tells apart */
    bool single;  /* a scalar or vector, all of it; not a member of an array */
    bool read, written;
    bool conditional; /* the statement may run without it */
} pm_element_access;

/* Whether cursor is such an access to a struct whose layout changes; fills all but read, written
 * and conditional. */
typedef bool (*pm_match_access)(void *user, CXCursor cursor, pm_element_access *access);

typedef struct {
    size_t access_count, access_room;
    pm_element_access *accesses; /* in the order of the source */
    size_t modified_count, modified_room;
    CXCursor
        *modified; /* declarations of the variables that it writes, or whose address it takes */
    bool writes_memory; /* something through a pointer that is no field of these structs */
    bool writes_all;    /* may write any field of these structs */
    bool ordered;       /* a barrier, or a jump that the statement does not tell the end of */
} pm_effects;

/* Adds what the statement or expression does. */
pm_status pm_effects_add(pm_effects *effects, CXCursor statement, pm_match_access match, void *user,
                         pm_error *err);
void pm_effects_free(pm_effects *effects); /* what it owns, not itself */

/* ---- what other walks over the source need too ---------------------------------------------- */

/* Children of a cursor, in order. */
typedef struct {
    size_t count, room;
    CXCursor *items;
    bool failed; /* out of memory */
} pm_cursors;
pm_status pm_cursors_of(CXCursor parent, pm_cursors *children, pm_error *err);
void pm_cursors_free(pm_cursors *cursors);

/* The expression inside parentheses and implicit conversions. */
CXCursor pm_inside(CXCursor expression);
/* The variable or parameter that an expression names; null: it is something else. */
CXCursor pm_named_variable(CXCursor expression);

#endif
