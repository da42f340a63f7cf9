/* A text that grows, which generated source is put together with, and lists in messages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_TEXT_H
#define PM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct pm_memory;

/* One more item of a list in a message, behind a comma. list has size bytes and starts as "". What
 * no longer fits is told by ", ..." at its end. */
void pm_list_add(char *list, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

typedef struct {
    char *name, *text;
} pm_named_text;

/* All zero is the empty text. */
typedef struct {
    char *data; /* NUL-terminated; NULL as long as nothing was added */
    size_t length, room;
    struct pm_memory *memory; /* that data is taken of (memory.h); NULL: of malloc */
    bool failed;              /* out of memory: the text is lost, and adding more does nothing */
} pm_text;

void pm_text_add(pm_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pm_text_put(pm_text *text, const char *piece, size_t length);
/* Never NULL: "" where there is nothing. */
const char *pm_text_get(const pm_text *text);
/* The text, to free, and the empty one is left behind. NULL: out of memory. */
char *pm_text_take(pm_text *text);
void pm_text_free(pm_text *text); /* what it owns; the empty text is left behind */

#endif
