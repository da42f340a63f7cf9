/* Makes tiles in local memory that contain a whole array of the kernel and not only a part of it.
 * See tile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * If an index depends on data, the only known fact is that it lies in the array. Then the whole
 * array is staged if its buffer is small.
 */
#include "transform/staging/tile/tile.h"

/* Returns true if a tile must contain the whole array: an index into the array is unknown, and the
 * region (the statements before which the tile is filled) has all accesses of the array. */
static bool needs_whole_array(const pm_tile_input *in)
{
    bool unknown = false;

    for (size_t a = 0; a < in->accesses.count; a++) {
        const pm_index_access *access = &in->index->accesses[in->accesses.items[a]];

        if (!pm_region_has(in->region, access->statement))
            return false;
        unknown |= !access->index.known;
    }
    return unknown;
}

/* Describes a tile of the whole array in *tile. Copying all elements is correct, because all are in
 * the buffer. */
static void fill_tile(pm_tile *tile, size_t elements, const pm_array_accesses *accesses,
                      const pm_memory *memory)
{
    tile->axis_count = 1;
    tile->axes[0] = (pm_axis){.key = pm_poly_constant(1),
                              .stride = pm_poly_constant(1),
                              .unit = 1,
                              .extent = elements,
                              .origin = pm_poly_constant(0)};
    tile->base = pm_poly_constant(0);
    pm_tile_allocate(tile, accesses->count, memory);
    for (size_t m = 0; m < accesses->count; m++)
        tile->members[m].access = accesses->items[m];
    tile->read = true;
    tile->copies.in.items[tile->copies.in.count++] = (pm_box){.extent = {elements}};
    tile->whole = true;
}

void pm_tile_make_whole(const pm_tile_input *in, pm_tiles *tiles, pm_text *why)
{
    const pm_index_array *array = &in->index->arrays[in->array];
    const size_t elements = in->launches->arrays[in->array].elements;
    pm_tile tile = {.array = in->array};

    if (in->region->tiled != PM_NONE || array->written || elements == 0 ||
        elements * array->element_bytes > in->launches->local_bytes || !needs_whole_array(in))
        return;
    tile.region = pm_region_copy(in->index, in->region, tiles->memory);
    fill_tile(&tile, elements, &in->accesses, tiles->memory);
    if (pm_tile_may_be_pointed_to(in->index, &tile, why)) {
        pm_tile_count_whole(in->index, &tile);
        pm_tiles_add(tiles, &tile);
    } else
        pm_tile_free(&tile);
}
