/* Groups the chosen tiles by the region of the kernel before which they are filled (pm_tile_place).
 * See emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "transform/staging/tile/emit.h"

pm_tile *pm_place_tile(const pm_emit *e, const pm_tile_place *place, size_t i)
{
    return &e->s->candidates[place->tiles[i]];
}

bool pm_place_is_written(const pm_emit *e, const pm_tile_place *place)
{
    for (size_t i = 0; i < place->tile_count; i++)
        if (pm_place_tile(e, place, i)->written)
            return true;
    return false;
}

static bool sees_tile(const pm_sharing *s, const pm_staging_region *region, const pm_tile *tile)
{
    bool seen = pm_region_sees(s, region, tile->base);

    for (size_t k = 0; k < tile->axis_count; k++)
        seen = seen && pm_region_sees_axis(s, region, &tile->axes[k]);
    for (size_t b = 0; b < tile->box_count; b++)
        for (size_t l = 0; l < tile->boxes[b].limit_count; l++)
            for (size_t p = 0; p < tile->boxes[b].limits[l].part_count; p++)
                for (size_t i = 0; i < tile->boxes[b].limits[l].parts[p].bound_count; i++)
                    seen = seen &&
                           pm_region_sees(s, region, tile->boxes[b].limits[l].parts[p].bounds[i]);
    return seen;
}

/* Merges the statements (region) before which tiles of `place` are filled with those of a further
 * tile. This is possible if both are in one list of statements or tile the same loop. Otherwise
 * returns false. */
static bool merge_regions(const pm_emit *e, const pm_tile_place *place, const pm_tile *tile,
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
        if (!sees_tile(e->s, merged, pm_place_tile(e, place, i)))
            return false;
    return sees_tile(e->s, merged, tile);
}

static void add_to_place(pm_emit *e, size_t candidate)
{
    pm_tile_place *place = NULL;
    const pm_tile *tile = &e->s->candidates[candidate];

    for (size_t p = 0; p < e->place_count && !place; p++) {
        pm_staging_region merged;

        if (merge_regions(e, &e->places[p], tile, &merged)) {
            place = &e->places[p];
            place->region = merged;
        }
    }
    if (!place) {
        place = pm_add(e->memory, e->places, e->place_count);
        *place = (pm_tile_place){.region = tile->region};
        place->region.counts = NULL;
    }
    *pm_add(e->memory, place->tiles, place->tile_count) = candidate;
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

void pm_places_find(pm_emit *e)
{
    for (size_t i = 0; i < e->s->chosen_count; i++)
        add_to_place(e, e->s->chosen[i]);
    if (e->place_count > 0)
        qsort(e->places, e->place_count, sizeof *e->places, compare_places);
}
