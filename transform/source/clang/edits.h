/* A list of changes of a text, by offsets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_CLANG_EDITS_H
#define PM_TRANSFORM_SOURCE_CLANG_EDITS_H

#include "base/memory.h"
#include "base/text.h"

typedef struct {
    size_t begin, end; /* offsets of the text that is replaced; begin == end: text is inserted */
    const char *text;
    size_t order;
} pm_edit;

typedef struct {
    pm_memory *memory; /* owns the list of edits */
    pm_edit *items;
    size_t count;
} pm_edits;

/* Adds an edit. text must outlive the edits. An edit that was added before is ignored. */
void pm_edits_add(pm_edits *edits, size_t begin, size_t end, const char *text);
/* Appends text[begin, end) to out, with the edits applied. Returns false if two edits overlap. */
bool pm_edits_apply(pm_edits *edits, const char *text, size_t begin, size_t end, pm_text *out);

/* Start of a line that exists only so that line numbers do not change while the text is processed:
 * a removed line, or a #line directive. */
#define PM_EDITS_NO_LINE "\v"
/* Removes the lines that start with PM_EDITS_NO_LINE from text. */
void pm_edits_drop_lines(char *text);

#endif
