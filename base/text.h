/* A growing string, for generated source and for lists in messages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_TEXT_H
#define PM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct pm_memory;

/* Appends an item to a comma-separated list in a buffer of `size` bytes. The buffer starts as "".
 * If the item does not fit, the list ends in ", ...". */
void pm_list_add(char *list, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

typedef struct {
    char *name, *text;
} pm_named_text;

/* A string that grows when text is appended. All zero: the empty string. */
typedef struct {
    char *data; /* the string, NUL-terminated; NULL until something is appended */
    size_t length, room;
    /* Allocator of `data` (memory.h). NULL: data comes from malloc, and pm_text_free frees it. */
    struct pm_memory *memory;
    /* true: memory ran out. The text is lost, and further appends are ignored. */
    bool failed;
} pm_text;

void pm_text_add(pm_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pm_text_put(pm_text *text, const char *piece, size_t length);
/* Returns the string. It is "" if nothing was appended or memory ran out, and never NULL. */
const char *pm_text_get(const pm_text *text);
/* Returns the string, which the caller frees, and makes `text` empty. NULL: out of memory. */
char *pm_text_take(pm_text *text);
/* frees the string; `text` is then empty and can be used again */
void pm_text_free(pm_text *text);

#endif
