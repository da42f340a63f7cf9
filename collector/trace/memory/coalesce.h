/* How the addresses of a warp become transactions of global memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_MEMORY_COALESCE_H
#define PM_COLLECTOR_TRACE_MEMORY_COALESCE_H

#include <stdbool.h>

#include "collector/trace/memory/access.h"

/* A work-item's bytes can cross the end of a line. */
enum { PM_MAX_PIECES = 2 * PM_MAX_WARP };

/* Sectors of one line that an instruction touches. */
typedef struct {
    uint64_t line;    /* address >> line_shift */
    uint32_t sectors; /* bit i: sector i of the line */
} pm_line_sectors;

/* Bits that are set. (The builtin is a call where the compiler may not use the instruction.) */
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

/* The lines that the work-items in mask touch, each once, with their sectors; returns their number.
 * Lines are at least 32 bytes and at most 32 sectors long. */
unsigned pm_coalesce_lines(const pm_warp_access *access, uint64_t mask, unsigned line_shift,
                           unsigned sector_shift, pm_line_sectors pieces[PM_MAX_PIECES]);

/* The same for all `bytes` from an address on, at most as many as PM_MAX_WARP work-items access. */
unsigned pm_coalesce_span(uint64_t first, unsigned bytes, unsigned line_shift,
                          unsigned sector_shift, pm_line_sectors pieces[PM_MAX_PIECES]);

/* A transaction of compute capability 1.x: 32, 64 or 128 bytes at a multiple of that. */
typedef struct {
    uint64_t address;
    unsigned bytes;
} pm_segment;

/* The transactions of an access on compute capability 1.0 and 1.1 (strict) or 1.2 and 1.3; returns
 * their number. CUDA C Programming Guide 3.2, G.3.2: each half-warp by itself.
 *   strict   work-item k at word k of an aligned segment of 16 words of 4, 8 or 16 bytes: one
 *            transaction of 64 bytes, one of 128, or two of 128. Anything else: 32 bytes for each
 *            work-item.
 *   else     the segment of the lowest work-item's address (32 bytes for words of 1, 64 for 2, 128
 *            for others), halved while only one half of it is used, serves all work-items in it;
 *            then the next.
 * Words are aligned to their size, as these GPUs demand. */
unsigned pm_coalesce_segments(const pm_warp_access *access, unsigned width, bool strict,
                              pm_segment segments[PM_MAX_WARP]);

#endif
