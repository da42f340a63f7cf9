/* Coalescing: combines the addresses of a warp's access into memory transactions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_MEMORY_COALESCING_H
#define PM_COLLECTOR_ENGINE_MEMORY_COALESCING_H

#include <stdbool.h>

#include "collector/engine/memory/access.h"

/* Largest number of cache lines that a warp's access touches: two for each work-item, because its
 * bytes may span two lines. */
enum { PM_MAX_PIECES = 2 * PM_MAX_WARP };

/* Sectors of one line that an instruction touches. */
typedef struct {
    uint64_t line;    /* address >> line_shift */
    uint32_t sectors; /* bit i is set if the instruction touches sector i of the line */
    /* Used only for stores, and only on a GPU whose L2 reads a partially written sector from memory
     * before L2 writes the sector back (gpu->l2_fills). whole: mask of the sectors that the
     * instruction writes completely. words: number of 4-byte words that it writes in other
     * sectors. */
    uint8_t whole, words;
} pm_line_sectors;

/* Returns the number of set bits. It does not use __builtin_popcount, which is a function call on
 * CPUs without POPCNT. */
static inline unsigned pm_bit_count(uint32_t bits)
{
    bits -= bits >> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
    return ((bits + (bits >> 4)) & 0x0F0F0F0F) * 0x01010101 >> 24;
}

static inline unsigned pm_mask_count(uint64_t mask)
{
    return pm_bit_count((uint32_t)mask) + pm_bit_count((uint32_t)(mask >> 32));
}

/* Lists in `pieces` the lines that the work-items in `mask` touch, each line once, with its touched
 * sectors. Returns the number of lines. Lines have 32 bytes or more, and at most 32 sectors. */
unsigned pm_coalesce_lines(const pm_warp_access *access, uint64_t mask, unsigned line_shift,
                           unsigned sector_shift, pm_line_sectors pieces[PM_MAX_PIECES]);

/* Lists in `pieces` the lines and sectors that contain the `bytes` bytes from address `first` on.
 * Returns the number of lines. bytes is at most the number of bytes that PM_MAX_WARP work-items
 * access. */
unsigned pm_coalesce_span(uint64_t first, unsigned bytes, unsigned line_shift,
                          unsigned sector_shift, pm_line_sectors pieces[PM_MAX_PIECES]);

/* A memory transaction of a GPU of compute capability 1.x: 32, 64 or 128 bytes, aligned to its
 * size. */
typedef struct {
    uint64_t address;
    unsigned bytes;
} pm_segment;

/* Lists in `segments` the memory transactions of a warp's access on compute capability 1.0 and 1.1
 * (strict) or 1.2 and 1.3. Returns their number. Each half-warp is coalesced separately (CUDA C
 * Programming Guide 3.2, G.3.2). Words must be aligned to their size, as these GPUs require.
 * - strict: a coalesced access is one in which work-item k accesses word k of an aligned segment of
 *   16 words. Words of 4 bytes then take one transaction of 64 bytes, words of 8 bytes take one of
 *   128 bytes, and words of 16 bytes take two of 128 bytes. Any other access takes 32 bytes for
 *   each work-item.
 * - not strict: start with the segment that contains the lowest work-item's address. A segment has
 *   32 bytes for words of 1 byte, 64 bytes for words of 2 bytes, and 128 bytes for larger words.
 *   Halve the segment while only one half of it is used. The segment serves all work-items whose
 *   addresses are in it. Repeat this for the other work-items. */
unsigned pm_coalesce_segments(const pm_warp_access *access, unsigned width, bool strict,
                              pm_segment segments[PM_MAX_WARP]);

#endif
