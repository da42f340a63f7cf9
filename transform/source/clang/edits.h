/* A list of changes of a text, by offsets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_CLANG_EDITS_H
#define PM_TRANSFORM_SOURCE_CLANG_EDITS_H

#include "base/memory.h"
#include "base/text.h"

typedef struct {
    size_t begin, end; /* range that is replaced; begin == end: insertion */
    const char *text;
    size_t order;
} pm_edit;

typedef struct {
    pm_memory *memory; /* owns the list of edits */
    pm_edit *items;
    size_t count;
} pm_edits;

/* Adds an edit. text must outlive the edits. A repeated edit is ignored. */
void pm_edits_add(pm_edits *edits, size_t begin, size_t end, const char *text);
/* Appends text[begin, end) with the edits applied to out. Returns false if two edits overlap. */
bool pm_edits_apply(pm_edits *edits, const char *text, size_t begin, size_t end, pm_text *out);

/* Start of a line that exists only to keep line numbers right while the text is processed: a
 * removed line, or a #line. */
#define PM_EDITS_NO_LINE "\v"
/* Removes these lines from text. */
void pm_edits_drop_lines(char *text);

#endif
