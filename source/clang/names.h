/* The words of a source, so that what is generated does not take one of them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_CLANG_NAMES_H
#define PM_SOURCE_CLANG_NAMES_H

#include "base/memory.h"

typedef struct {
    pm_memory *memory;
    const char **items; /* sorted up to `sorted`, then new ones */
    size_t count, room, sorted;
} pm_names;

void pm_names_add(pm_names *names, const char *name); /* which has to last */
/* Every identifier in text, comments left out. */
void pm_names_read(pm_names *names, const char *text);
bool pm_names_has(pm_names *names, const char *name);
/* A type of OpenCL C that ends in _t, which a parameter's and a field's name could make up. */
bool pm_names_is_type(const char *name);

/* The next token of text at or behind at, before end: its begin and end. Comments, blanks and
 * continued lines are passed over. false: there is none. */
bool pm_token(const char *text, size_t at, size_t end, size_t *token_begin, size_t *token_end);
/* Where the line begins that has the offset. */
size_t pm_line_start(const char *text, size_t at);
/* text[begin, end) is that word. */
bool pm_token_is(const char *text, size_t begin, size_t end, const char *word);
/* One of its tokens is. */
bool pm_has_token(const char *text, const char *word);

#endif
