/* Memory that is freed all at once. See arena.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/trace/backend/arena.h"

#include <stdlib.h>
#include <string.h>

struct pm_arena_block {
    pm_arena_block *before;
    max_align_t data[];
};

void *pm_arena_alloc(pm_arena *arena, size_t bytes)
{
    pm_arena_block *block = calloc(1, sizeof *block + bytes);

    if (!block)
        return NULL;
    block->before = arena->last;
    arena->last = block;
    return block->data;
}

const char *pm_arena_text(pm_arena *arena, const char *text, size_t length)
{
    char *copy = pm_arena_alloc(arena, length + 1);

    if (!copy)
        return "";
    memcpy(copy, text, length);
    return copy;
}

void pm_arena_free(pm_arena *arena)
{
    while (arena->last) {
        pm_arena_block *block = arena->last;

        arena->last = block->before;
        free(block);
    }
}
