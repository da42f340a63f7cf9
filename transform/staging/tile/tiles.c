/* Allocates and frees tiles (copies of parts of a kernel's arrays in local memory), and stores them
 * in a list. See tile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/tile/tile.h"

#include <stdlib.h>

/* Returns `allocated`, a result of malloc. Raises an error if it is NULL. */
static void *check_allocation(void *allocated, const pm_memory *memory)
{
    if (!allocated)
        pm_leave(memory, PM_FAILED, "out of memory for staging");
    return allocated;
}

/* Boxes are not set to zero, because each has tens of kilobytes and most are never used. */
void pm_tile_allocate(pm_tile *tile, size_t members, const pm_memory *memory)
{
    tile->members = check_allocation(calloc(members, sizeof *tile->members), memory);
    tile->member_count = members;
    tile->copies = (pm_tile_copies){.straight = PM_NONE};
    tile->copies.reasons = check_allocation(calloc(members, sizeof *tile->copies.reasons), memory);
    tile->copies.in.items =
        check_allocation(malloc(PM_MOST_BOXES * sizeof *tile->copies.in.items), memory);
    tile->copies.out.items =
        check_allocation(malloc(PM_MOST_BOXES * sizeof *tile->copies.out.items), memory);
}

void pm_tile_free(pm_tile *tile)
{
    free(tile->members);
    free(tile->copies.reasons);
    free(tile->copies.in.items);
    free(tile->copies.out.items);
    *tile = (pm_tile){.members = NULL};
}

void pm_tiles_add(pm_tiles *tiles, const pm_tile *tile)
{
    tiles->items =
        check_allocation(realloc(tiles->items, (tiles->count + 1) * sizeof *tile), tiles->memory);
    tiles->items[tiles->count++] = *tile;
}

void pm_tiles_cut(pm_tiles *tiles, size_t count)
{
    while (tiles->count > count)
        pm_tile_free(&tiles->items[--tiles->count]);
}

void pm_tiles_free(pm_tiles *tiles)
{
    pm_tiles_cut(tiles, 0);
    free(tiles->items);
    tiles->items = NULL;
    pm_memory_free(&tiles->scratch);
}

const pm_tile *pm_tiles_highest_rank(const pm_tiles *tiles, size_t first, size_t array)
{
    const pm_tile *best = NULL;

    for (size_t t = first; t < tiles->count; t++)
        if (tiles->items[t].array == array && (!best || tiles->items[t].rank > best->rank))
            best = &tiles->items[t];
    return best;
}

bool pm_axis_is_seen(const pm_index *index, const pm_staging_region *region, const pm_axis *axis)
{
    return pm_region_sees(index, region, axis->origin) &&
           pm_region_sees(index, region, axis->stride) &&
           pm_region_sees(index, region, axis->least) && pm_region_sees(index, region, axis->most);
}

const pm_index_access *pm_tile_access(const pm_index *index, const pm_tile *tile, size_t m)
{
    return &index->accesses[tile->members[m].access];
}

bool pm_tile_has_all_accesses(const pm_index *index, const pm_tile *tile)
{
    size_t all = 0;

    for (size_t a = 0; a < index->access_count; a++)
        all += index->accesses[a].array == tile->array;
    return all == tile->member_count;
}

unsigned pm_member_width(const pm_index *index, const pm_tile *tile, const pm_tile_member *member,
                         size_t axis)
{
    return axis + 1 == tile->axis_count ? index->accesses[member->access].width : 1;
}
