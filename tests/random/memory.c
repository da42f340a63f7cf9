/* Looking at accesses. See memory.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local rd_memory *current;

void rd_memory_use(rd_memory *memory)
{
    current = memory;
}

bool rd_memory_add(rd_memory *m, const rd_region *region)
{
    rd_region *r = &m->regions[m->count];

    if (m->count == RD_REGIONS)
        return false;
    *r = *region;
    if (!r->constant)
        r->shadow = calloc(r->bytes + 1, sizeof *r->shadow);
    m->count++;
    return r->constant || r->shadow;
}

void rd_memory_clear(rd_memory *m)
{
    for (size_t i = 0; i < m->count; i++)
        free(m->regions[i].shadow);
    m->count = m->last = 0;
}

void rd_memory_launch(rd_memory *m, uint32_t group_size)
{
    m->launch++;
    m->group_size = group_size;
    m->local_epoch = m->global_epoch = 1;
}

static void give_up(rd_memory *m, const char *what, const unsigned char *at, size_t bytes,
                    uint32_t other)
{
    const rd_region *r = NULL;
    ptrdiff_t nearest = PTRDIFF_MAX;

    for (size_t i = 0; i < m->count; i++) {
        const rd_region *candidate = &m->regions[i];
        ptrdiff_t past = at - (candidate->start + candidate->bytes);
        ptrdiff_t before = candidate->start - at;
        ptrdiff_t distance = past > before ? past : before;

        if (distance < nearest) {
            nearest = distance;
            r = candidate;
        }
    }
    if (other)
        snprintf(m->error, sizeof m->error, "%s of %zu bytes at %td of %s by work-items %u and %u",
                 what, bytes, r ? at - r->start : 0, r ? r->name : "nothing", other - 1,
                 m->item - 1);
    else
        snprintf(m->error, sizeof m->error,
                 "%s of %zu bytes at %td of %s, which has %zu, by work-item %u", what, bytes,
                 r ? at - r->start : 0, r ? r->name : "nothing", r ? r->bytes : 0, m->item - 1);
    m->give_up(m->context);
}

static uint32_t group_of(const rd_memory *m, uint32_t item)
{
    return (item - 1) / m->group_size;
}

/* Returns whether an access of another work-item in that epoch is unordered with an access now. */
static bool unordered(const rd_memory *m, const rd_region *r, uint32_t other, uint32_t epoch)
{
    if (other == 0 || other == m->item)
        return false;
    if (group_of(m, other) != group_of(m, m->item))
        return !r->local;
    return epoch == (r->local ? m->local_epoch : m->global_epoch);
}

static void note_read(rd_memory *m, const rd_region *r, rd_shadow *s)
{
    uint32_t epoch = r->local ? m->local_epoch : m->global_epoch;
    bool other_group = s->reader && group_of(m, s->reader) != group_of(m, m->item);

    s->many_groups = !r->local && (s->many_groups || other_group);
    s->many_readers = s->reader && s->reader != m->item && s->read_epoch == epoch && !other_group
                          ? true
                          : s->many_readers && s->read_epoch == epoch;
    s->reader = m->item;
    s->read_epoch = epoch;
}

static void look_at_byte(rd_memory *m, const rd_region *r, unsigned char *at, bool write)
{
    rd_shadow *s = &r->shadow[at - r->start];
    uint32_t epoch = r->local ? m->local_epoch : m->global_epoch;

    if (s->launch != m->launch)
        *s = (rd_shadow){.launch = m->launch};
    if (r->local && !write && !m->padded &&
        (!s->writer || group_of(m, s->writer) != group_of(m, m->item)))
        give_up(m, "read of what is not written", at, 1, 0);
    if (unordered(m, r, s->writer, s->write_epoch))
        give_up(m, write ? "two writes" : "a write and a read", at, 1, s->writer);
    if (!write) {
        note_read(m, r, s);
        return;
    }
    if (unordered(m, r, s->reader, s->read_epoch) || s->many_groups ||
        (s->many_readers && s->read_epoch == epoch))
        give_up(m, "a read and a write", at, 1, s->reader);
    s->writer = m->item;
    s->write_epoch = epoch;
}

static bool inside(const void *at, size_t bytes, const void *start, const void *end)
{
    return (uintptr_t)at >= (uintptr_t)start && (uintptr_t)at <= (uintptr_t)end &&
           bytes <= (uintptr_t)end - (uintptr_t)at;
}

static rd_region *region_of(rd_memory *m, const unsigned char *at, size_t bytes)
{
    for (size_t i = 0; i < m->count; i++) {
        size_t number = (m->last + i) % m->count;
        rd_region *r = &m->regions[number];

        if (inside(at, bytes, r->start, r->start + r->bytes)) {
            m->last = number;
            return r;
        }
    }
    return NULL;
}

static void look_at(void *address, size_t bytes, bool write, bool atomic)
{
    rd_memory *m = current;
    unsigned char *at = address;
    rd_region *r = region_of(m, at, bytes);

    if (++m->accesses > m->most)
        give_up(m, "too many accesses, the last", at, bytes, 0);
    if (!r && (inside(at, bytes, m->free_start, m->free_end) ||
               (!write && inside(at, bytes, m->code_start, m->code_end))))
        return;
    if (!r) {
        give_up(m, write ? "write" : "read", at, bytes, 0);
        return;
    }
    if (!r->low || at < r->low)
        r->low = at;
    if (!r->high || at + bytes > r->high)
        r->high = at + bytes;
    for (size_t b = 0; b < bytes && !r->constant && !atomic; b++)
        look_at_byte(m, r, at + b, write);
}

/* ---- functions that instrumented code calls ---------------------------------------------------
 */

#define ACCESS(name, bytes, write)                                                                 \
    void seen_##name(void *at) __asm__("__tsan_" #name);                                           \
    void seen_##name(void *at)                                                                     \
    {                                                                                              \
        look_at(at, bytes, write, false);                                                          \
    }
#define ACCESSES(bytes)                                                                            \
    ACCESS(read##bytes, bytes, false)                                                              \
    ACCESS(write##bytes, bytes, true)                                                              \
    ACCESS(unaligned_read##bytes, bytes, false)                                                    \
    ACCESS(unaligned_write##bytes, bytes, true)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

void seen_start(void) __asm__("__tsan_init");
void *seen_copy(void *to, void *from, size_t bytes) __asm__("__tsan_memcpy");
void *seen_move(void *to, void *from, size_t bytes) __asm__("__tsan_memmove");
void *seen_set(void *to, int byte, size_t bytes) __asm__("__tsan_memset");
void rd_atomic(void *at);

/* The sanitizer's library is initialised here; this library needs no initialisation. */
void seen_start(void)
{
}

void *seen_copy(void *to, void *from, size_t bytes)
{
    return seen_move(to, from, bytes);
}

void *seen_move(void *to, void *from, size_t bytes)
{
    look_at(from, bytes, false, false);
    look_at(to, bytes, true, false);
    return memmove(to, from, bytes);
}

void *seen_set(void *to, int byte, size_t bytes)
{
    look_at(to, bytes, true, false);
    return memset(to, byte, bytes);
}

void rd_atomic(void *at)
{
    look_at(at, 4, true, true);
}
