/* Wide accesses: which reads of several members of an element one load can do, and which writes one
 * store.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An aligned part is read and written in words of 16 or 8 bytes. In the statements of a block:
 *
 *   A load of a word stands before the first statement that surely reads a member in it, and serves
 *   every read of that word that follows in the block, as long as nothing between could change what
 *   is read: a write to the same field of any element, a barrier, a call that may write, or a write
 *   to a variable of the element's expression. Two or more fields make a load.
 *   A store stands behind a run of assignments, one to a field, that fill all members of a word, if
 *   no value on their right reads a field that the run wrote before.
 *
 * Different fields never overlap, in whatever layout; that is what lets reads of other fields of
 * the same structs pass. The rest of a word is read along (nobody looks at it), and padding is
 * written.
 */
#ifndef PM_LAYOUT_CLANG_VECTORIZE_H
#define PM_LAYOUT_CLANG_VECTORIZE_H

#include "layout/clang/rewrite.h"
#include "source/clang/effects.h"

typedef struct {
    size_t part, word; /* the word-th of the part's items, of `bytes` bytes each */
    size_t bytes;      /* 8 or 16 */
} pm_word;

/* A member of a word: the read that is replaced by it, or the assignment, a statement that becomes
 * the declaration of a private value. */
typedef struct {
    pm_node *node;
    pm_node *value; /* the assignment's right-hand side */
    size_t field;
} pm_word_member;

/* One load or store. */
typedef struct {
    const pm_element_access *element; /* whose pointer and index say which element */
    pm_word word;
    pm_node *before; /* load: a statement of a block. A store stands behind its last assignment. */
    size_t count;
    pm_word_member *members; /* in the order of the source */
} pm_wide_access;

/* The wide accesses of a function's body. */
typedef struct {
    pm_rewrite *rw;
    size_t addressed_count;
    const pm_node **addressed; /* variables whose address the function takes */
    size_t load_count, store_count;
    pm_wide_access *loads, *stores;
} pm_vector;

/* A statement of a block and what it does. */
typedef struct {
    pm_node *node;
    pm_effects effects;
} pm_vector_statement;

void pm_vector_find(pm_rewrite *rw, pm_node *function, pm_vector *wide);
void pm_vector_find_stores(pm_vector *wide, const pm_vector_statement *block, size_t count);
void pm_vector_find_loads(pm_vector *wide, const pm_vector_statement *block, size_t count);

/* The word that a field of a scalar or vector lies in; false: it has none (not aligned, an array,
 * across two words, or a part whose items are no whole words). */
bool pm_vector_word(const pm_plan *plan, size_t field, pm_word *word);
bool pm_vector_same_word(const pm_word *a, const pm_word *b);
/* As pm_element_key_of; false also where a variable may be written through its address. */
bool pm_vector_key(const pm_vector *wide, const pm_element_access *access, pm_element_key *key);

#endif
