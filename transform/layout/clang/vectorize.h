/* Vector ("wide") accesses: one load replaces reads of several members of a struct, and one store
 * replaces writes of several members.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A part (buffer) of an aligned layout is accessed in words of 16 or 8 bytes. Among the statements
 * of a block ({ }):
 *
 *   A load of a word comes before the first statement that always reads one of its members. It
 *   replaces the later reads of the word in the block, up to a statement that may change the
 *   result: a write to the same field of any element, a barrier, a call that may write, or a write
 *   to a variable of the element's expression. A load must replace reads of two or more fields.
 *   A store comes after a run of assignments to different fields that together fill all members
 *   of a word. No value in the run may read a field that the run has written before.
 *
 * Different fields never overlap in any layout, so a write to one field does not affect reads of
 * other fields. A load also reads unused members of the word, and a store also writes padding.
 */
#ifndef PM_TRANSFORM_LAYOUT_CLANG_VECTORIZE_H
#define PM_TRANSFORM_LAYOUT_CLANG_VECTORIZE_H

#include "transform/layout/clang/rewrite.h"
#include "transform/source/clang/effects.h"

typedef struct {
    /* part: index of a buffer of the new layout. word: index of a vector word in the struct that
     * this buffer stores for one element, if the struct is divided into words of `bytes` bytes. */
    size_t part, word;
    size_t bytes; /* size of a word in bytes: 8 or 16 */
} pm_word;

/* Access in the source to one field of a vector word, which a vector access replaces. If the vector
 * access is a load, `node` is the read. If it is a store, `node` is an assignment; it becomes the
 * declaration of a private variable with the value to store. */
typedef struct {
    pm_node *node;
    pm_node *value; /* right-hand side of the assignment, for a store */
    size_t field;
} pm_word_member;

/* A vector load or store that replaces accesses in the source to several fields of one element. */
typedef struct {
    /* any of the replaced accesses; it gives the pointer and index of the element */
    const pm_element_access *element;
    pm_word word;
    /* statement before which a load is inserted; NULL if this is a store, which is inserted after
     * the last assignment that it replaces */
    pm_node *before;
    size_t count;
    pm_word_member *members; /* replaced reads or assignments, in source order */
} pm_wide_access;

/* The vector accesses that were found in a function's body. */
typedef struct {
    pm_rewrite *rw;
    size_t addressed_count;
    const pm_node **addressed; /* variables whose address the function takes */
    size_t load_count, store_count;
    pm_wide_access *loads, *stores;
} pm_vector;

/* A statement of a block ({ }), and the memory and variables that it reads and writes. */
typedef struct {
    pm_node *node;
    pm_effects effects;
} pm_vector_statement;

void pm_vector_find(pm_rewrite *rw, pm_node *function, pm_vector *wide);
void pm_vector_find_stores(pm_vector *wide, const pm_vector_statement *block, size_t count);
void pm_vector_find_loads(pm_vector *wide, const pm_vector_statement *block, size_t count);

/* ---- vectorize_word.c */

/* Finds the vector word that contains a field. Returns false if there is none. This is so if the
 * part (buffer of the new layout) is not aligned, or if the field is an array or crosses a word
 * boundary. It is also so if the size of the part's structs is not a multiple of the word size. */
bool pm_vector_word(const pm_plan *plan, size_t field, pm_word *word);
bool pm_vector_same_word(const pm_word *a, const pm_word *b);
/* Makes the key of the array element that an access addresses; accesses with equal keys address the
 * same element (pm_element_key_of()). Returns false if no key can be made, or if a variable on
 * which the element's index depends may be changed through its address. */
bool pm_vector_key(const pm_vector *wide, const pm_element_access *access, pm_element_key *key);

#endif
