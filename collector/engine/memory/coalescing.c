/* Combines a warp's addresses into lines and sectors of a cache, as compute capability 2.0 and
 * later do.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * These functions run once for every memory instruction of every warp, so they must be fast. The
 * lines of consecutive work-items are mostly in ascending order, and then no search is needed. At
 * the first line out of order, all lines so far are put into a hash table.
 */
#include "collector/engine/memory/coalescing.h"

#include <string.h>

/* size of the hash table, at least twice PM_MAX_PIECES, so that searches are short */
enum { SLOTS = 256 };

typedef struct {
    pm_line_sectors *pieces;
    unsigned count;
    bool hashed;
    uint8_t slot[SLOTS]; /* hash table of lines: index in `pieces` + 1; 0: free */
} line_set;

/* Returns a 32-bit word in which the bits `first` to `last` are set. */
static uint32_t bits(unsigned first, unsigned last)
{
    return (UINT32_MAX >> (31 - (last - first))) << first;
}

unsigned pm_coalesce_span(uint64_t first, unsigned bytes, unsigned line_shift,
                          unsigned sector_shift, pm_line_sectors pieces[PM_MAX_PIECES])
{
    const unsigned top = (1U << (line_shift - sector_shift)) - 1;
    const uint64_t last = first + bytes - 1;
    unsigned count = 0;

    for (uint64_t line = first >> line_shift; line <= last >> line_shift; line++) {
        const unsigned from = line == first >> line_shift ? first >> sector_shift & top : 0;
        const unsigned to = line == last >> line_shift ? last >> sector_shift & top : top;
        pieces[count++] = (pm_line_sectors){.line = line, .sectors = bits(from, to)};
    }
    return count;
}

static unsigned slot_of(uint64_t line)
{
    return (uint32_t)((uint32_t)line * UINT32_C(0x9E3779B1)) >> 24;
}

static void insert(line_set *set, unsigned index)
{
    unsigned slot = slot_of(set->pieces[index].line);

    while (set->slot[slot])
        slot = (slot + 1) % SLOTS;
    set->slot[slot] = (uint8_t)(index + 1);
}

static void add_any(line_set *set, uint64_t line, uint32_t sectors)
{
    if (!set->hashed) {
        memset(set->slot, 0, sizeof set->slot);
        for (unsigned i = 0; i < set->count; i++)
            insert(set, i);
        set->hashed = true;
    }
    for (unsigned slot = slot_of(line); set->slot[slot]; slot = (slot + 1) % SLOTS) {
        pm_line_sectors *piece = &set->pieces[set->slot[slot] - 1];
        if (piece->line == line) {
            piece->sectors |= sectors;
            return;
        }
    }
    set->pieces[set->count] = (pm_line_sectors){.line = line, .sectors = sectors};
    insert(set, set->count++);
}

static inline void add(line_set *set, uint64_t line, uint32_t sectors)
{
    if (set->count && set->pieces[set->count - 1].line == line)
        set->pieces[set->count - 1].sectors |= sectors;
    else if (!set->hashed && (!set->count || set->pieces[set->count - 1].line < line))
        set->pieces[set->count++] = (pm_line_sectors){.line = line, .sectors = sectors};
    else
        add_any(set, line, sectors);
}

unsigned pm_coalesce_lines(const pm_warp_access *access, uint64_t mask, unsigned line_shift,
                           unsigned sector_shift, pm_line_sectors pieces[PM_MAX_PIECES])
{
    const uint64_t *address = access->address;
    const unsigned bytes = access->bytes, top = (1U << (line_shift - sector_shift)) - 1;
    line_set set;

    set.pieces = pieces;
    set.count = 0;
    set.hashed = false;
    for (; mask; mask &= mask - 1) {
        const uint64_t first = address[__builtin_ctzll(mask)], last = first + bytes - 1;
        const uint64_t line = first >> line_shift;

        if (first >> sector_shift == last >> sector_shift) {
            add(&set, line, UINT32_C(1) << (first >> sector_shift & top));
        } else if (line == last >> line_shift) {
            add(&set, line, bits(first >> sector_shift & top, last >> sector_shift & top));
        } else {
            pm_line_sectors both[PM_MAX_PIECES];
            const unsigned count = pm_coalesce_span(first, bytes, line_shift, sector_shift, both);
            for (unsigned i = 0; i < count; i++)
                add(&set, both[i].line, both[i].sectors);
        }
    }
    return set.count;
}
