/* Address patterns of a warp: distances from the first work-item's address. An instruction mostly
 * repeats the same pattern at different base addresses, so the costs of a pattern are cached.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_MEMORY_ADDRESS_PATTERN_H
#define PM_COLLECTOR_ENGINE_MEMORY_ADDRESS_PATTERN_H

#include "collector/engine/memory/bank_conflicts.h"
#include "collector/engine/memory/coalescing.h"

enum { PM_PATTERN_PLACES = 32, PM_PATTERN_PIECES = 12 };

/* Shapes of a warp's addresses. The costs of all except PM_SHAPE_ANY need no analysis of the single
 * addresses. */
typedef enum {
    PM_SHAPE_ANY,
    PM_SHAPE_SAME,       /* all work-items take part, all at one address */
    PM_SHAPE_CONSECUTIVE /* all work-items take part, each adjacent to the previous one */
} pm_shape;

/* Cost of an access with a certain address pattern, whose first address is `place` bytes after the
 * start of a cache line, or of a row of banks (one word of each bank). */
typedef struct {
    uint64_t place;
    pm_bank_cost banks;
    unsigned count; /* number of cache lines that the access touches (pieces) */
} pm_pattern_cost;

/* The range of the addresses that a warp accesses. */
typedef struct {
    uint64_t first;      /* address of the first participating work-item */
    int64_t least, most; /* smallest and largest distance from `first` in bytes */
    uint64_t low;        /* bitwise OR of all distances, to check that all addresses are aligned */
} pm_span;

/* The addresses of the last access by a memory instruction, as distances from the first work-item's
 * address, and the costs that were computed for them. Zero-initialise the struct before the first
 * access. */
typedef struct pm_pattern {
    uint64_t mask;
    pm_span span;
    /* number of work-items whose address is less than 128 bytes after the first work-item's;
     * includes the first work-item */
    unsigned near;
    bool same; /* true: another work-item has the same address as the first */
    pm_shape shape;
    uint32_t known; /* bit i: costs[i] is valid */
    /* distance[l]: bytes from span.first to the address of work-item l, if it makes the access */
    uint64_t distance[PM_MAX_WARP];
    /* masks of participation: all bits of on[l] are set if work-item l makes the access, else 0 */
    uint64_t on[PM_MAX_WARP];
    pm_pattern_cost costs[PM_PATTERN_PLACES];
    /* pieces[i]: lines and sectors that an access with costs[i] touches. Line numbers are relative
     * to the line of the first address. The pieces are kept outside of `costs`, so that accesses to
     * shared memory, which have no lines, read less memory of the host. */
    pm_line_sectors pieces[PM_PATTERN_PLACES][PM_PATTERN_PIECES];
} pm_pattern;

/* Sets the pattern to the addresses of an instruction's next access. If the addresses have the same
 * distances as before, the costs that the pattern already has remain valid. mask is not 0. bytes:
 * bytes per work-item. width: work-items per warp. */
void pm_pattern_see(pm_pattern *pattern, const uint64_t *address, uint64_t mask, unsigned bytes,
                    unsigned width);
/* Returns a mask: bit i is set if the addresses of instruction i, row i of `addresses`, repeat its
 * pattern patterns[i] for the same work-items. In such a pattern only span.first may have changed.
 * count is at most 64, mask not 0. */
uint64_t pm_patterns_repeated(const pm_pattern *patterns, const uint64_t *addresses, unsigned count,
                              uint64_t mask, unsigned width);
/* Returns the index in `costs` for this pattern at offset `place`: bytes of the pattern's first
 * address from the start of a cache line, or of a row of banks (one word of each bank), below 2^32.
 * bytes: bytes per work-item, a power of two. *known: true if the cost at this index is valid for
 * this offset; false if the caller must compute it. */
unsigned pm_pattern_find(pm_pattern *pattern, uint64_t place, unsigned bytes, bool *known);

/* Returns the cost of the pattern at offset `place`: bytes of the pattern's first address from the
 * start of a cache line, or of a row of banks (one word of each bank). bytes: bytes per work-item.
 * NULL: not known yet. */
static inline const pm_pattern_cost *pm_pattern_known(const pm_pattern *pattern, uint64_t place,
                                                      unsigned bytes)
{
    const unsigned i = (uint32_t)place >> __builtin_ctz(bytes) & (PM_PATTERN_PLACES - 1);

    return (pattern->known >> i & 1) && pattern->costs[i].place == place ? &pattern->costs[i]
                                                                         : NULL;
}

static inline pm_shape pm_access_shape(const pm_warp_access *access)
{
    return access->pattern ? access->pattern->shape : PM_SHAPE_ANY;
}

#endif
