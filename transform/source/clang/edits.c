/* Applies replacements and insertions to a text. See edits.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/clang/edits.h"

#include <stdlib.h>
#include <string.h>

void pm_edits_add(pm_edits *edits, size_t begin, size_t end, const char *text)
{
    pm_edit edit = {.begin = begin, .end = end, .text = text};

    for (size_t i = edits->count; i-- > 0;)
        if (edits->items[i].begin == begin && edits->items[i].end == end &&
            strcmp(edits->items[i].text, text) == 0)
            return;
    edit.order = edits->count;
    *pm_add(edits->memory, edits->items, edits->count) = edit;
}

static int compare(const void *left, const void *right)
{
    const pm_edit *a = left, *b = right;

    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    /* If an insertion and a replacement begin at the same offset, the insertion comes first. */
    if ((a->begin == a->end) != (b->begin == b->end))
        return a->begin == a->end ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

bool pm_edits_apply(pm_edits *edits, const char *text, size_t begin, size_t end, pm_text *out)
{
    size_t at = begin;

    if (edits->count > 0)
        qsort(edits->items, edits->count, sizeof *edits->items, compare);
    for (size_t i = 0; i < edits->count; i++) {
        const pm_edit *edit = &edits->items[i];

        if (edit->begin < at || edit->end > end)
            return false;
        pm_text_put(out, text + at, edit->begin - at);
        pm_text_add(out, "%s", edit->text);
        at = edit->end;
    }
    pm_text_put(out, text + at, end - at);
    return true;
}

void pm_edits_drop_lines(char *text)
{
    const char *from = text;
    char *to = text;

    while (*from) {
        const size_t length = strcspn(from, "\n"), whole = length + (from[length] == '\n');

        if (strncmp(from, PM_EDITS_NO_LINE, strlen(PM_EDITS_NO_LINE)) != 0) {
            memmove(to, from, whole);
            to += whole;
        }
        from += whole;
    }
    *to = '\0';
}
