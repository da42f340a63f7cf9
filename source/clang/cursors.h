/* A list of cursors that libclang's visitors fill: it calls back from where nothing may leave, so
 * that running out of memory is noted, and told by whoever asked for the visit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SOURCE_CLANG_CURSORS_H
#define PM_SOURCE_CLANG_CURSORS_H

#include <clang-c/Index.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    CXCursor *items; /* of malloc; pm_cursors_free */
    size_t count, room;
    bool failed; /* out of memory; the list lacks some */
} pm_cursors;

/* How the visit goes on: as wanted, or not at all once memory has run out. */
enum CXChildVisitResult pm_cursors_add(pm_cursors *cursors, CXCursor cursor,
                                       enum CXChildVisitResult wanted);
void pm_cursors_free(pm_cursors *cursors);

#endif
