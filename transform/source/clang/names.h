/* A set of the identifiers of a source, so that generated names do not collide with them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_CLANG_NAMES_H
#define PM_TRANSFORM_SOURCE_CLANG_NAMES_H

#include "base/memory.h"

typedef struct {
    pm_memory *memory;
    /* names; items[0 ... sorted - 1] are sorted, and names that were added later follow unsorted */
    const char **items;
    size_t count, room, sorted;
} pm_names;

void pm_names_add(pm_names *names, const char *name); /* adds a name, which must outlive the list */
/* Adds all identifiers in text, except those in comments. */
void pm_names_read(pm_names *names, const char *text);
bool pm_names_has(pm_names *names, const char *name);
/* Returns a name that the list does not have: `wish`, or `wish` with a number appended. The name
 * lives as long as names->memory or `wish`. */
const char *pm_names_unused(pm_names *names, const char *wish);
/* Returns a name as pm_names_unused() does, and adds it to the list. */
const char *pm_names_fresh(pm_names *names, const char *wish);
/* Returns whether the name is a type of OpenCL C that ends in _t, such as size_t. A source's
 * parameters and fields may have the name of a type, which would collide with the type in generated
 * code. */
bool pm_names_is_type(const char *name);

/* Finds the next token of the text in [at, end). Skips comments, blanks and line continuations.
 * Returns false if there is no further token. */
bool pm_token(const char *text, size_t at, size_t end, size_t *token_begin, size_t *token_end);
/* Returns the offset of the start of the line that contains offset `at`. */
size_t pm_line_start(const char *text, size_t at);
/* Returns whether text[begin, end) is exactly the word `word`. */
bool pm_token_is(const char *text, size_t begin, size_t end, const char *word);
/* Returns whether one of the tokens of `text` is the word `word`. */
bool pm_has_token(const char *text, const char *word);

#endif
