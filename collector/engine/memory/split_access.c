/* Splits a warp's access into the touched sectors of each line.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/memory/address_pattern.h"
#include "collector/engine/memory/amd_quads.h"
#include "collector/engine/memory/unit_parts.h"

/* Returns the mask of the 4 sectors of 32 bytes that contain the words in a mask of 32 words. */
static inline uint32_t sectors_of_words(uint32_t words)
{
    words |= words >> 4;
    words |= words >> 2;
    words |= words >> 1;
    /* The multiplication moves bits 0, 8, 16 and 24 of the masked `words` to bits 24 to 27. */
    return ((words & 0x01010101) * 0x01020408) >> 24 & 15;
}

/* Splits the range of bytes that a warp accesses into pieces (the touched sectors of one line
 * each), for sectors of 2^sector_shift bytes. Returns the number of pieces. */
static unsigned split_into(const pm_memory_unit *unit, const pm_warp_access *access, pm_shape shape,
                           unsigned sector_shift, pm_line_sectors *pieces)
{
    if (shape == PM_SHAPE_ANY)
        return pm_coalesce_lines(access, access->mask, unit->line_shift, sector_shift, pieces);
    return pm_coalesce_span(access->address[0],
                            shape == PM_SHAPE_SAME ? access->bytes
                                                   : access->bytes * unit->gpu->warp_width,
                            unit->line_shift, sector_shift, pieces);
}

/* Finds which sectors a store writes completely, and how many words it writes in its other sectors,
 * and sets `whole` and `words` of its pieces (the touched sectors of one line each). written: for
 * each piece, the same line with a mask of the written words. `written` may be the array `pieces`
 * itself. */
static void find_whole_sectors(const pm_memory_unit *unit, const pm_line_sectors *written,
                               unsigned count, pm_line_sectors *pieces)
{
    const unsigned of_sector = 1U << (unit->sector_shift - WORD_SHIFT);
    const uint32_t all = UINT32_MAX >> (32 - of_sector);

    for (unsigned i = 0; i < count; i++) {
        unsigned whole = 0, sectors = 0;

        for (unsigned s = 0; s << (unit->sector_shift - WORD_SHIFT) < 32; s++)
            if ((written[i].sectors >> s * of_sector & all) == all) {
                sectors |= 1U << s;
                whole++;
            }
        pieces[i].whole = (uint8_t)sectors;
        pieces[i].words = (uint8_t)(pm_bit_count(written[i].sectors) - whole * of_sector);
    }
}

/* Splits a warp's access into pieces (the touched sectors of one line each), and counts its passes
 * through L1's data banks. wavefronts NULL: don't count passes. Returns the number of pieces. */
static unsigned split_now(const pm_memory_unit *unit, const pm_warp_access *access,
                          pm_line_sectors *pieces, unsigned *wavefronts)
{
    const pm_shape shape = pm_access_shape(access);
    const bool one_part = access->bytes <= 1U << unit->data.word_shift && unit->rows_are_lines &&
                          unit->gpu->global_access != PM_GLOBAL_QUADS;
    const unsigned sectors =
        shape == PM_SHAPE_ANY && one_part ? unit->data.word_shift : unit->sector_shift;
    const unsigned count = split_into(unit, access, shape, sectors, pieces);

    if (unit->sees_parts && access->kind == PM_ACCESS_STORE) {
        pm_line_sectors words[PM_MAX_PIECES];
        const bool are_words = sectors == WORD_SHIFT;

        if (!are_words)
            split_into(unit, access, shape, WORD_SHIFT, words);
        find_whole_sectors(unit, are_words ? pieces : words, count, pieces);
    }
    if (sectors == unit->sector_shift) {
        if (wavefronts)
            *wavefronts = unit->gpu->global_access == PM_GLOBAL_QUADS
                              ? pm_quad_passes(access, unit->gpu->warp_width)
                              : pm_bank_passes(&unit->data, access).wavefronts;
        return count;
    }
    if (wavefronts)
        *wavefronts = pm_bank_depth(pieces, count);
    for (unsigned i = 0; i < count; i++)
        pieces[i].sectors = sectors_of_words(pieces[i].sectors);
    return count;
}

unsigned pm_unit_split(const pm_memory_unit *unit, const pm_warp_access *access,
                       pm_line_sectors *pieces, unsigned *wavefronts)
{
    if (pm_access_shape(access) != PM_SHAPE_ANY || !access->pattern)
        return split_now(unit, access, pieces, wavefronts);
    bool known;
    const uint64_t first = access->pattern->span.first, line = first >> unit->line_shift;
    const unsigned at =
        pm_pattern_find(access->pattern, first & (unit->period - 1), access->bytes, &known);
    pm_pattern_cost *cost = &access->pattern->costs[at];
    pm_line_sectors *kept = access->pattern->pieces[at];
    if (!known) {
        cost->count = split_now(unit, access, pieces, &cost->banks.wavefronts);
        for (unsigned i = 0; i < cost->count && i < PM_PATTERN_PIECES; i++)
            kept[i] = (pm_line_sectors){pieces[i].line - line, pieces[i].sectors, pieces[i].whole,
                                        pieces[i].words};
    } else if (cost->count > PM_PATTERN_PIECES) {
        split_now(unit, access, pieces, NULL);
    } else {
        for (unsigned i = 0; i < cost->count; i++)
            pieces[i] = (pm_line_sectors){kept[i].line + line, kept[i].sectors, kept[i].whole,
                                          kept[i].words};
    }
    *wavefronts = cost->banks.wavefronts;
    return cost->count;
}
