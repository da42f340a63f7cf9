/* Assumptions: conditions that staging needs to be correct and that the source does not prove.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_STAGING_TILE_ASSUME_H
#define PM_TRANSFORM_STAGING_TILE_ASSUME_H

#include "transform/staging/tile/tile.h"

typedef struct {
    enum { PM_APART, PM_NOT_NEGATIVE, PM_SOMEWHERE, PM_WITHIN } kind;
    /* For PM_APART: arrays a and b do not overlap. For PM_WITHIN: array a has an element with the
     * index `value`. a and b are indices in pm_index.arrays. */
    size_t a, b;
    /* For PM_NOT_NEGATIVE: value >= 0 in every work-item. For PM_SOMEWHERE: value >= 0 in at least
     * one work-item. */
    pm_poly value;
    const char *text; /* the assumption as a sentence for users */
} pm_assumption;

/* A list of assumptions; each text occurs once. */
typedef struct {
    pm_memory *memory; /* owns the list and its texts */
    size_t count;
    pm_assumption *items;
} pm_assumptions;

/* ---- assume.c */

/* Adds the assumptions on which a tile depends to the list. */
void pm_tile_assume(const pm_index *index, const pm_tile *tile, pm_assumptions *list);
/* Returns true if the access is in a loop with an unknown iteration count, even if the kernel's
 * arguments are known. Only loops in the region (statements before which the tile is filled) are
 * examined. */
bool pm_member_in_unknown_loop(const pm_index *index, const pm_tile *tile,
                               const pm_tile_member *member);

/* ---- hold.c */

/* Returns true if all assumptions hold in all known launches. Otherwise sets `why` to the first
 * assumption that fails or is unknown, with the line of `node`. */
bool pm_assumptions_hold(const pm_index *index, const pm_kernel_launches *launches,
                         const pm_assumptions *assumptions, const pm_node *node, pm_text *why);

#endif
