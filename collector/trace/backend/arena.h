/* Memory that is freed all at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_ARENA_H
#define PM_COLLECTOR_TRACE_BACKEND_ARENA_H

#include <stddef.h>

typedef struct pm_arena_block pm_arena_block;
typedef struct {
    pm_arena_block *last;
} pm_arena;

/* Zeroed; NULL: out of memory. */
void *pm_arena_alloc(pm_arena *arena, size_t bytes);
/* A copy; "" when out of memory. */
const char *pm_arena_text(pm_arena *arena, const char *text, size_t length);
void pm_arena_free(pm_arena *arena);

#endif
