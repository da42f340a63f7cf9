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
#ifndef PM_LAYOUT_CLANG_WIDE_H
#define PM_LAYOUT_CLANG_WIDE_H

#include "effects.h"
#include "layout/plan.h"

typedef struct {
    size_t part, word; /* the word-th of the part's items, of `bytes` bytes each */
    size_t bytes;      /* 8 or 16 */
} pm_word;

/* One load: reads[i], an expression, is replaced by its member of the word. */
typedef struct {
    pm_element_access element; /* whose pointer and index say which element */
    pm_word word;
    CXCursor before; /* a statement of a block */
    size_t count;
    CXCursor *reads;
    size_t *fields;
} pm_wide_load;

/* One store: assignments[i], a statement, becomes the declaration of a private value. */
typedef struct {
    pm_element_access element;
    pm_word word;
    size_t count;
    CXCursor *assignments; /* in the order of the source; the store stands behind the last */
    CXCursor *values;      /* right-hand sides */
    size_t *fields;
} pm_wide_store;

typedef struct {
    size_t load_count, store_count;
    pm_wide_load *loads;
    pm_wide_store *stores;
} pm_wide;

/* The wide accesses of a function's body. plans[s]: of struct s; NULL: its layout does not change.
 */
pm_status pm_wide_find(CXCursor function, const pm_plan *const *plans, pm_match_access match,
                       void *user, pm_wide *wide, pm_error *err);
void pm_wide_free(pm_wide *wide); /* what it owns, not itself */

/* The word that a field of a scalar or vector lies in; false: it has none (not aligned, an array,
 * across two words, or a part whose items are no whole words). */
bool pm_wide_word(const pm_plan *plan, size_t field, pm_word *word);

#endif
