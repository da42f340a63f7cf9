/* Finds the pointers in recorded contents by the addresses of the recorded memory. See replay.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "capture/replay/replay.h"

/* Returns the index of the launch's memory that contains an address; memory_count: none does. */
static size_t memory_at(const pm_captured_launch *launch, uint64_t address)
{
    size_t m = 0;

    while (m < launch->memory_count &&
           address - launch->memories[m].address >= launch->memories[m].bytes)
        m++;
    return m;
}

pm_replay_pointers pm_replay_find_pointers(pm_memory *memory, const uint8_t *bytes, size_t size,
                                           const pm_captured_launch *launch, const size_t *buffers)
{
    pm_replay_pointers found = {0};

    for (size_t at = 0; size - at >= sizeof(uint64_t) && at < size; at += sizeof(uint64_t)) {
        uint64_t word;
        size_t m;

        memcpy(&word, bytes + at, sizeof word);
        m = word == 0 ? launch->memory_count : memory_at(launch, word);
        if (m < launch->memory_count)
            *pm_add(memory, found.items, found.count) = (pm_replay_pointer){
                .at = at, .buffer = buffers[m], .offset = word - launch->memories[m].address};
    }
    return found;
}

bool pm_replay_same_pointers(const pm_replay_pointers *a, const pm_replay_pointers *b)
{
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

const char *pm_replay_pointer_text(pm_memory *memory, const pm_replay *replay,
                                   const pm_replay_pointers *pointers, const char *between)
{
    pm_text text = {.memory = memory};

    for (size_t i = 0; i < pointers->count; i++) {
        const pm_replay_pointer *p = &pointers->items[i];

        pm_text_add(&text, "%s%zu: %s", i ? between : "", p->at, replay->buffers[p->buffer].name);
        if (p->offset > 0)
            pm_text_add(&text, " + %zu", p->offset);
    }
    return pm_text_get(&text);
}
