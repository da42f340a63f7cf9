/* Simulates the effect of loads, stores and atomics on L1.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rules, and the programs in datasets/h100.csv whose counters show them:
 *
 * - A load brings its missing sectors into L1. Later loads hit these sectors, even while they are
 *   still in transit. In program copy, variant float8, the second load accesses the other halves of
 *   the first load's sectors and hits L1 for 524192 of 524288 sectors.
 *
 * - If L1 and shared memory are one array (from compute capability 7.0 on), a store leaves its
 *   sectors valid in L1, even if it wrote only part of them. Programs dct8x8 and haar1d, variant
 *   nolocal, miss the data that they load first, and hit all data that the work-group itself
 *   stored. If L1 and shared memory are separate, a store invalidates its sectors in L1.
 */
#include "collector/engine/memory/memory_unit.h"
#include "collector/engine/memory/unit_parts.h"

static pm_fill *fill_of(pm_memory_unit *unit, uint64_t line)
{
    return &unit->recent[(line ^ line >> 10) % FILLS];
}

static void remember_fill(pm_memory_unit *unit, uint64_t line, uint32_t sectors)
{
    pm_fill *fill = fill_of(unit, line);

    if (fill->line != line || fill->round != unit->round)
        *fill = (pm_fill){.line = line, .round = unit->round};
    fill->sectors |= sectors;
}

/* Returns whether another warp has requested some of the piece's sectors (touched sectors of one
 * line) from L2 in the same round (one execution of every warp). These sectors are then still in
 * transit, so a hit on them waits as long as a miss. */
static bool is_on_its_way(pm_memory_unit *unit, const pm_line_sectors *piece)
{
    const pm_fill *fill = fill_of(unit, piece->line);

    return fill->line == piece->line && (fill->sectors & piece->sectors) &&
           unit->round == fill->round;
}

unsigned pm_unit_load(pm_memory_unit *unit, pm_cache *cache, const pm_line_sectors *pieces,
                      unsigned count, bool ask)
{
    unsigned misses = 0;

    unit->slow = false;

    for (unsigned i = 0; i < count; i++) {
        uint32_t lost;
        pm_cache_line *line = pm_cache_touch(cache, pieces[i].line, &lost);
        const uint32_t missing = pieces[i].sectors & ~(uint32_t)line->valid;

        unit->slow = unit->slow || missing || is_on_its_way(unit, &pieces[i]);
        if (!missing)
            continue;
        misses += pm_bit_count(missing);
        line->valid |= (uint8_t)missing;
        remember_fill(unit, pieces[i].line, missing);
        if (ask)
            pm_requests_ask(&unit->asked, pieces[i].line, missing, PM_L2_READ);
    }
    return misses;
}

/* Updates L1 after a store or an atomic to some sectors of a line (the piece). stays: true if the
 * sectors become valid in L1; false if they are invalidated. */
static void change_piece(pm_memory_unit *unit, const pm_line_sectors *piece, bool stays)
{
    pm_cache_line *line;
    uint32_t lost;

    if (stays) {
        pm_cache_touch(&unit->l1, piece->line, &lost)->valid |= (uint8_t)piece->sectors;
        return;
    }
    line = pm_cache_find(&unit->l1, piece->line);
    if (line)
        line->valid &= (uint8_t)~piece->sectors;
}

void pm_unit_store(pm_memory_unit *unit, const pm_line_sectors *pieces, unsigned count, bool stays)
{
    for (unsigned i = 0; i < count; i++)
        change_piece(unit, &pieces[i], stays);
}

void pm_unit_keep_whole_lines(pm_memory_unit *unit, const pm_warp_access *access)
{
    const uint32_t all = UINT32_MAX >> (32 - (1U << (unit->line_shift - WORD_SHIFT)));
    pm_line_sectors words[PM_MAX_PIECES];
    const unsigned count =
        pm_coalesce_lines(access, access->mask, unit->line_shift, WORD_SHIFT, words);

    for (unsigned i = 0; i < count; i++) {
        const pm_line_sectors whole = {.line = words[i].line, .sectors = unit->whole_line};

        change_piece(unit, &whole, words[i].sectors == all);
    }
}

void pm_unit_write_back(pm_memory_unit *unit, const pm_line_sectors *pieces, unsigned count)
{
    pm_unit_load(unit, &unit->l1, pieces, count, true);
    for (unsigned i = 0; i < count; i++) {
        pm_cache_line *line = pm_cache_find(&unit->l1, pieces[i].line);
        const uint32_t clean = line ? pieces[i].sectors & ~(uint32_t)line->dirty : 0;

        if (!clean)
            continue;
        line->dirty |= (uint8_t)clean;
        pm_requests_ask(&unit->asked, pieces[i].line, clean, PM_L2_WRITE);
    }
}
