/* Chooses which parts of a kernel's arrays are copied to local memory (tiles), so that all of them
 * together fit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_STAGING_TILE_CHOOSE_H
#define PM_TRANSFORM_STAGING_TILE_CHOOSE_H

#include "transform/staging/tile/tile.h"

/* fewest accesses per element of a tile; with fewer, the copy costs as much as it saves */
enum { PM_LEAST_RANK = 2 };

/* Input of the choice of tiles (copies of parts of arrays in local memory) for a kernel. */
typedef struct {
    /* Analysis of the kernel. While regions are tried, atoms (symbolic values) are appended. */
    pm_index *index;
    const pm_kernel_launches *launches;
    const pm_stage_choice *asked; /* the request for this kernel */
    pm_memory *memory;            /* owns the arrays of the output */
} pm_choice_input;

/* Output of the choice of tiles (copies of parts of arrays in local memory) for a kernel. */
typedef struct {
    /* all possible tiles whose assumptions hold in the known launches; pm_tiles_free() frees
     * them */
    pm_tiles candidates;
    size_t count;
    const pm_tile **tiles; /* chosen tiles, which are in `candidates` */
    /* reasons[array]: why the array has no tile, or why some of its accesses cannot have one;
     * empty: no reason */
    pm_text *reasons;
} pm_chosen_tiles;

/* ---- candidates.c */

/* Makes all possible tiles of the kernel's arrays. For an array without tiles, reasons[array] gets
 * the reason, as in pm_chosen_tiles. */
void pm_candidates_make(const pm_choice_input *in, pm_tiles *candidates, pm_text *reasons);
/* Returns true if the request names the array, or if it names no arrays. */
bool pm_array_is_asked(const pm_choice_input *in, size_t array);

/* ---- choose.c */

/* Makes the possible tiles and chooses some of them: those with the most accesses per element
 * first, while they fit into local memory. */
void pm_tiles_choose(const pm_choice_input *in, pm_chosen_tiles *chosen);
/* Returns true if a tile of the array is chosen. */
bool pm_array_has_tile(const pm_chosen_tiles *chosen, size_t array);

#endif
