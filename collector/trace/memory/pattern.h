/* Where the addresses of a warp lie from the first of them. An instruction mostly accesses the same
 * pattern again and again, somewhere else each time: what a pattern costs is looked up.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_MEMORY_PATTERN_H
#define PM_COLLECTOR_TRACE_MEMORY_PATTERN_H

#include "collector/trace/memory/banks.h"
#include "collector/trace/memory/coalesce.h"

enum { PM_PATTERN_PLACES = 32, PM_PATTERN_PIECES = 12 };

/* What looks need no search. */
typedef enum {
    PM_SHAPE_ANY,
    PM_SHAPE_SAME,       /* every work-item takes part, all at one address */
    PM_SHAPE_CONSECUTIVE /* every work-item takes part, each next to the one before */
} pm_shape;

/* What a pattern costs that starts at a certain place in a line, or in a row of banks. */
typedef struct {
    uint64_t place;
    pm_bank_cost banks;
    unsigned count; /* number of pieces */
} pm_pattern_cost;

/* Between which addresses they lie. */
typedef struct {
    uint64_t first;      /* that of the first work-item that takes part */
    int64_t least, most; /* distances from it */
    uint64_t low;        /* the bits that any distance has */
} pm_span;

/* All zero: no access was seen yet. */
typedef struct pm_pattern {
    uint64_t mask;
    pm_span span;
    uint64_t on[PM_MAX_WARP];       /* all ones: the work-item takes part */
    uint64_t distance[PM_MAX_WARP]; /* from the first, of those that do */
    unsigned near;                  /* work-items 0 to 128 bytes from the first, itself included */
    bool same;                      /* another work-item has the first one's address */
    pm_shape shape;
    uint32_t known; /* a bit for each of costs */
    pm_pattern_cost costs[PM_PATTERN_PLACES];
    /* pieces[i]: lines and sectors of an access with costs[i]; line numbers are relative to the
     * first address's line. Accesses to shared memory have no pieces, so pm_pattern_cost does not
     * hold them.
     */
    pm_line_sectors pieces[PM_PATTERN_PLACES][PM_PATTERN_PIECES];
} pm_pattern;

/* Takes the next access of one instruction; mask is not 0. bytes: of a work-item. width: of a warp.
 */
void pm_pattern_see(pm_pattern *pattern, const uint64_t *address, uint64_t mask, unsigned bytes,
                    unsigned width);
/* Returns the index in `costs` for this pattern at `place`: offset in bytes of its first address in
 * a line or row of banks, below 2^32. *known: whether the cost is there already. */
unsigned pm_pattern_find(pm_pattern *pattern, uint64_t place, unsigned bytes, bool *known);

static inline pm_shape pm_access_shape(const pm_warp_access *access)
{
    return access->pattern ? access->pattern->shape : PM_SHAPE_ANY;
}

#endif
