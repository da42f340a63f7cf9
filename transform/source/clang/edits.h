/* A list of replacements and insertions in a text. All offsets are those of the original text.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_CLANG_EDITS_H
#define PM_TRANSFORM_SOURCE_CLANG_EDITS_H

#include "base/memory.h"
#include "base/text.h"

typedef struct {
    /* range of offsets in the original text that is replaced; if begin == end, text is inserted */
    size_t begin, end;
    const char *text;
    size_t order;
} pm_edit;

typedef struct {
    pm_memory *memory; /* owns the list of edits */
    pm_edit *items;
    size_t count;
} pm_edits;

/* Adds an edit that replaces [begin, end) by `text`, which must outlive the list. If the list has
 * an equal edit, the new one is ignored. */
void pm_edits_add(pm_edits *edits, size_t begin, size_t end, const char *text);
/* Appends the range [begin, end) of `text` to `out`, with the edits applied. Returns false if two
 * edits overlap. */
bool pm_edits_apply(pm_edits *edits, const char *text, size_t begin, size_t end, pm_text *out);

/* Character at the start of a line that pm_edits_drop_lines() removes when the text is complete.
 * Until then, lines of removed code and #line directives remain in the text with this mark, so that
 * the numbers of all other lines do not change. */
#define PM_EDITS_NO_LINE "\v"
/* Removes the lines that start with PM_EDITS_NO_LINE from text. */
void pm_edits_drop_lines(char *text);

#endif
