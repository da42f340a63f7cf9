/* A tile (copy of a part of an array in local memory) is filled before a region, a sequence of
 * statements of the kernel. Collects for each region the tiles that are filled before it. See
 * emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "transform/staging/emit/emit.h"

bool pm_place_is_written(const pm_tile_place *place)
{
    for (size_t i = 0; i < place->tile_count; i++)
        if (place->tiles[i]->tile->written)
            return true;
    return false;
}

/* Returns true if the tile can be filled before the first statement of the region, the statements
 * that use it. This is so if all values on which the copies into the tile depend are known there,
 * and do not change in the region. */
static bool sees_tile(const pm_index *index, const pm_staging_region *region, const pm_tile *tile)
{
    bool seen = pm_region_sees(index, region, tile->base);

    for (size_t k = 0; k < tile->axis_count; k++)
        seen = seen && pm_axis_is_seen(index, region, &tile->axes[k]);
    for (size_t b = 0; b < tile->copies.in.count; b++)
        for (size_t l = 0; l < tile->copies.in.items[b].limit_count; l++) {
            const pm_limit *limit = &tile->copies.in.items[b].limits[l];

            for (size_t p = 0; p < limit->part_count; p++)
                for (size_t i = 0; i < limit->parts[p].bound_count; i++)
                    seen = seen && pm_region_sees(index, region, limit->parts[p].bounds[i]);
        }
    return seen;
}

/* Sets *merged to a region (sequence of statements before which tiles are filled) that contains the
 * regions of `place` and of `tile`. This is possible if both regions are in one list of statements,
 * or if both tile the same loop. Otherwise returns false. */
static bool merge_regions(const pm_index *index, const pm_tile_place *place, const pm_tile *tile,
                          pm_staging_region *merged)
{
    const pm_staging_region *a = &place->region, *b = &tile->region;

    if (a->tiled != b->tiled || a->block != b->block)
        return false;
    *merged = *a;
    if (a->tiled != PM_NONE)
        return true;
    merged->first = a->first->begin <= b->first->begin ? a->first : b->first;
    merged->last = a->last->begin >= b->last->begin ? a->last : b->last;
    for (size_t i = 0; i < place->tile_count; i++)
        if (!sees_tile(index, merged, place->tiles[i]->tile))
            return false;
    return sees_tile(index, merged, tile);
}

/* Adds a tile to the entry of `places` (statements before which tiles are filled) whose region can
 * be extended by the statements that use the tile. If there is none, adds a new entry. */
static void add_to_place(const pm_index *index, const pm_named_tile *tile, pm_tile_places *places,
                         pm_memory *memory)
{
    pm_tile_place *place = NULL;

    for (size_t p = 0; p < places->count && !place; p++) {
        pm_staging_region merged;

        if (merge_regions(index, &places->items[p], tile->tile, &merged)) {
            place = &places->items[p];
            place->region = merged;
        }
    }
    if (!place) {
        place = pm_add(memory, places->items, places->count);
        *place = (pm_tile_place){.region = tile->tile->region};
        place->region.counts = NULL;
    }
    *pm_add(memory, place->tiles, place->tile_count) = tile;
}

/* Comparison function for qsort: orders regions (statements before which tiles are filled) by their
 * starts. At equal starts, longer regions come first and tiled loops last. */
static int compare_places(const void *left, const void *right)
{
    const pm_staging_region *a = &((const pm_tile_place *)left)->region,
                            *b = &((const pm_tile_place *)right)->region;

    if (a->first->begin != b->first->begin)
        return a->first->begin < b->first->begin ? -1 : 1;
    if (a->last->end != b->last->end)
        return a->last->end > b->last->end ? -1 : 1;
    if (a->first->number != b->first->number)
        return a->first->number < b->first->number ? -1 : 1;
    return (a->tiled != PM_NONE) - (b->tiled != PM_NONE);
}

pm_tile_places pm_places_find(const pm_index *index, const pm_named_tile *tiles, size_t count,
                              pm_memory *memory)
{
    pm_tile_places places = {.count = 0};

    for (size_t i = 0; i < count; i++)
        add_to_place(index, &tiles[i], &places, memory);
    if (places.count > 0)
        qsort(places.items, places.count, sizeof *places.items, compare_places);
    return places;
}
