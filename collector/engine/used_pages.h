/* Notes which pages of buffers the launches of a workload read and write, to find the pages whose
 * initial contents the workload needs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_USED_PAGES_H
#define PM_COLLECTOR_ENGINE_USED_PAGES_H

#include "collector/engine/l2/l2.h"
#include "collector/engine/memory/access.h"
#include "program/page_use.h"

/* The accesses to all buffers of a workload so far. */
typedef struct pm_used_pages pm_used_pages;

/* Creates an empty record of accesses. regions[b]: buffer b, `count` buffers. NULL: out of memory.
 */
pm_used_pages *pm_used_pages_create(const pm_memory_region *regions, size_t count);
void pm_used_pages_free(pm_used_pages *self);

/* Records an access of `bytes` bytes from byte `offset` of a buffer on. */
void pm_used_pages_note(pm_used_pages *self, size_t buffer, uint64_t offset, unsigned bytes,
                        pm_access_kind kind);

/* Returns, for each page of a buffer, a pm_page_use: whether the launches need the page's initial
 * contents. Call it after all launches have run. */
const uint8_t *pm_used_pages_of(pm_used_pages *self, size_t buffer);

#endif
