/* Changes of a text by offsets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_CLANG_EDITS_H
#define PM_SOURCE_CLANG_EDITS_H

#include "base/memory.h"
#include "base/text.h"

typedef struct {
    size_t begin, end; /* replaced; begin == end: inserted there */
    const char *text;
    size_t order;
} pm_edit;

typedef struct {
    pm_memory *memory; /* of the edits */
    pm_edit *items;
    size_t count;
} pm_edits;

/* text has to last. The same edit once more is left out. */
void pm_edits_add(pm_edits *edits, size_t begin, size_t end, const char *text);
/* Adds the text from begin to end with the edits done to out; false: two of them overlap. */
bool pm_edits_apply(pm_edits *edits, const char *text, size_t begin, size_t end, pm_text *out);

/* The beginning of a line that is there for the numbers of lines alone, while the text is looked
 * at: of what was taken out, or a #line. */
#define PM_EDITS_NO_LINE "\v"
/* Takes such lines out. */
void pm_edits_drop_lines(char *text);

#endif
