/* Lists of libclang's cursors, and copies of its strings.
 *
 * libclang's visitor callbacks fill a list. Callbacks cannot raise errors, so the list records
 * whether memory ran out, and the code that started the visit reports it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_SOURCE_CLANG_CURSORS_H
#define PM_TRANSFORM_SOURCE_CLANG_CURSORS_H

#include <clang-c/Index.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

typedef struct {
    CXCursor *items; /* free with pm_cursors_free */
    size_t count, room;
    bool failed; /* true: memory ran out, and the list is incomplete */
} pm_cursors;

/* Adds a cursor to the list. Returns `wanted`, the value that the visitor callback returns to
 * libclang, or CXChildVisit_Break if memory has run out. */
enum CXChildVisitResult pm_cursors_add(pm_cursors *cursors, CXCursor cursor,
                                       enum CXChildVisitResult wanted);
void pm_cursors_free(pm_cursors *cursors);

/* Returns a copy of libclang's string, allocated in `memory`, and disposes of the string. "":
 * libclang has none. */
char *pm_take_string(pm_memory *memory, CXString string);

#endif
