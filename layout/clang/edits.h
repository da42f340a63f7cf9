/* Changes of a text by offsets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_LAYOUT_CLANG_EDITS_H
#define PM_LAYOUT_CLANG_EDITS_H

#include <stdbool.h>
#include <stddef.h>

#include "layout/text.h"

typedef struct {
    size_t begin, end; /* replaced; begin == end: inserted there */
    char *text;
    size_t order;
} pm_edit;

typedef struct {
    pm_edit *items;
    size_t count, room;
    bool failed; /* out of memory */
} pm_edits;

/* Takes a copy of text. The same edit once more is left out. */
void pm_edits_add(pm_edits *edits, size_t begin, size_t end, const char *text);
/* The text from begin to end with the edits done; false: two of them overlap. */
bool pm_edits_apply(pm_edits *edits, const char *text, size_t begin, size_t end, pm_text *out);
void pm_edits_free(pm_edits *edits);

#endif
