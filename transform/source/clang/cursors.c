/* Lists of libclang's cursors (references to syntax nodes), and copies of libclang's strings. See
 * cursors.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/clang/cursors.h"

#include <stdlib.h>

enum { FIRST_ROOM = 256 };

enum CXChildVisitResult pm_cursors_add(pm_cursors *cursors, CXCursor cursor,
                                       enum CXChildVisitResult wanted)
{
    if (cursors->count == cursors->room) {
        const size_t room = cursors->room * 2 + FIRST_ROOM;
        CXCursor *grown = realloc(cursors->items, room * sizeof *grown);

        cursors->failed = !grown;
        if (!grown)
            return CXChildVisit_Break;
        cursors->items = grown;
        cursors->room = room;
    }
    cursors->items[cursors->count++] = cursor;
    return wanted;
}

void pm_cursors_free(pm_cursors *cursors)
{
    free(cursors->items);
    *cursors = (pm_cursors){.items = NULL};
}

char *pm_take_string(pm_memory *memory, CXString string)
{
    const char *text = clang_getCString(string);
    char *copy = pm_copy(memory, text ? text : "");

    clang_disposeString(string);
    return copy;
}
