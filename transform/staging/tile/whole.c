/* Makes tiles that contain whole arrays. See stage.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * If an index depends on data, the only known fact is that it lies in the array. Then the whole
 * array is staged if its buffer is small.
 */
#include <stdlib.h>

#include "transform/staging/tile/parts.h"
#include "transform/staging/tile/stage.h"

/* Returns the number of the array's elements, if all known launches of the kernel have the same
 * number. Otherwise returns 0. */
static size_t elements_of(const pm_sharing *s, const pm_index_array *array)
{
    size_t elements = 0;

    for (size_t l = 0; l < s->launch_count; l++) {
        const pm_stage_launch *launch = s->launches[l];
        size_t own;

        if (array->argument >= launch->arg_count)
            return 0;
        own = launch->args[array->argument].buffer_bytes / array->element_bytes;
        if (own == 0 || (elements > 0 && own != elements))
            return 0;
        elements = own;
    }
    return elements;
}

static bool has_unknown_index(const pm_sharing *s, const size_t *accesses, size_t count)
{
    for (size_t a = 0; a < count; a++)
        if (!s->index.accesses[accesses[a]].index.known)
            return true;
    return false;
}

static bool serves_all(const pm_sharing *s, const pm_staging_region *region, const size_t *accesses,
                       size_t count)
{
    for (size_t a = 0; a < count; a++)
        if (!pm_region_has(region, s->index.accesses[accesses[a]].statement))
            return false;
    return true;
}

/* Describes a tile of the whole array in *tile. Copying all elements is correct, because all are in
 * the buffer. */
static void fill_tile(pm_sharing *s, pm_tile *tile, size_t elements, const size_t *accesses,
                      size_t count)
{
    tile->axis_count = 1;
    tile->axes[0] = (pm_axis){.key = pm_poly_constant(1),
                              .stride = pm_poly_constant(1),
                              .unit = 1,
                              .extent = elements,
                              .origin = pm_poly_constant(0)};
    tile->base = pm_poly_constant(0);
    pm_tile_room(s, tile, count);
    for (size_t m = 0; m < count; m++)
        tile->members[m].access = accesses[m];
    tile->read = true;
    tile->boxes[0] = (pm_box){.extent = {elements}};
    tile->box_count = 1;
    tile->whole = true;
}

void pm_tile_whole(pm_sharing *s, size_t array, const pm_staging_region *region,
                   const size_t *accesses, size_t count, pm_text *why)
{
    const pm_index_array *own = &s->index.arrays[array];
    pm_tile tile = {.array = array, .straight = PM_NONE};
    size_t elements = elements_of(s, own);

    if (region->tiled != PM_NONE || own->written || elements == 0 ||
        elements * own->element_bytes > s->request->local_bytes ||
        !has_unknown_index(s, accesses, count) || !serves_all(s, region, accesses, count))
        return;
    tile.region = pm_region_copy(s, region);
    fill_tile(s, &tile, elements, accesses, count);
    if (pm_tile_may_be_pointed_to(s, &tile, why)) {
        pm_tile_count_whole(s, &tile);
        pm_stage_add_candidate(s, &tile);
    } else
        pm_tile_free(&tile);
}
