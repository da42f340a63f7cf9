/* Counts accesses to private memory, which is interleaved word by word between work-items.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/memory/texture_units.h"
#include "collector/engine/memory/unit_parts.h"

/* Splits a warp's access to word number `word` of each work-item's value into pieces (sectors of
 * one line each). Adjacent work-items have adjacent words, so that words at equal offsets form a
 * line. */
static unsigned split_private(const pm_memory_unit *unit, const pm_warp_access *access,
                              unsigned word, pm_line_sectors *pieces)
{
    const unsigned width = unit->gpu->warp_width;
    uint64_t address[PM_MAX_WARP];
    pm_warp_access one = {.bytes = WORD_BYTES, .mask = access->mask, .address = address};

    for (uint64_t left = access->mask; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(left);

        address[lane] = access->home +
                        ((access->address[lane] / WORD_BYTES + word) * width + lane) * WORD_BYTES;
    }
    return pm_coalesce_lines(&one, one.mask, unit->line_shift, unit->sector_shift, pieces);
}

/* Returns whether accesses to private memory go directly to L2, because the GPU has no L1 (compute
 * capability 5.x and 6.1). A GTX 1070's L2 reads and writes all sectors that its local loads and
 * stores touch (docs/results.md). */
static bool private_is_in_l2(const pm_gpu *gpu)
{
    return gpu->l1_bytes == 0 && gpu->l2_bytes > 0 && pm_unit_has_lines(gpu);
}

/* Simulates an access to private memory in L1. Loads hit or miss L1, if the GPU has one. Stores
 * leave their data in L1 and also go to L2. words: number of words of 4 bytes that each work-item
 * accesses. */
static void pass_private(pm_memory_unit *unit, const pm_warp_access *access, unsigned words,
                         pm_events *events)
{
    pm_line_sectors pieces[PM_MAX_PIECES];
    bool slow = false;

    for (unsigned word = 0; word < words; word++) {
        const unsigned count = split_private(unit, access, word, pieces);

        if (access->kind == PM_ACCESS_LOAD && unit->cached) {
            events->count[PM_EVENT_local_load_miss] +=
                pm_unit_load(unit, &unit->l1, pieces, count, false);
            slow = slow || unit->slow;
            continue;
        }
        if (unit->cached)
            pm_unit_store(unit, pieces, count, true);
        slow = access->kind == PM_ACCESS_LOAD;
        events->count[PM_EVENT_local_store_tag] += slow ? 0 : count;
        for (unsigned i = 0; i < count; i++)
            events->count[slow ? PM_EVENT_local_load_miss : PM_EVENT_local_store_sector] +=
                pm_bit_count(pieces[i].sectors);
    }
    unit->slow = slow;
}

/* Returns the number of L1 passes of a warp's access to one word of private memory per
 * work-item. */
static unsigned private_passes(const pm_memory_unit *unit, const pm_warp_access *access)
{
    const unsigned texture = pm_texture_passes(unit->gpu, access, WORD_BYTES);

    return texture > unit->word_passes ? texture : unit->word_passes;
}

unsigned pm_unit_access_private(pm_memory_unit *unit, const pm_warp_access *access,
                                pm_events *events)
{
    const unsigned words = access->bytes > WORD_BYTES ? access->bytes / WORD_BYTES : 1;

    events->count[access->kind == PM_ACCESS_LOAD ? PM_EVENT_local_load : PM_EVENT_local_store]++;
    unit->slow = false;
    if (access->mask && pm_unit_has_lines(unit->gpu))
        events->count[PM_EVENT_global_wavefront] +=
            unit->loops ? pm_unit_loop_passes(unit, access) : words * private_passes(unit, access);
    if (access->mask && (unit->cached || private_is_in_l2(unit->gpu)))
        pass_private(unit, access, words, events);
    return access->mask ? words : 0;
}
