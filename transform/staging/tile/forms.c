/* Computes properties of the positions of accesses along a tile's axes: ranges, widths, and whether
 * they depend on data. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/tile/parts.h"
#include "transform/staging/tile/stage.h"

bool pm_form_range(const pm_sharing *s, pm_poly form, long long *low, long long *high)
{
    return pm_index_low(&s->index, form, low) && pm_index_high(&s->index, form, high);
}

unsigned pm_member_width(const pm_sharing *s, const pm_tile *tile, const pm_tile_member *member,
                         size_t axis)
{
    return axis + 1 == tile->axis_count ? s->index.accesses[member->access].width : 1;
}

bool pm_stage_has_item(const pm_sharing *s, const pm_poly *poly)
{
    for (size_t a = 0; a < s->index.atom_count; a++)
        if (s->index.atoms[a].kind == PM_ATOM_ITEM && pm_poly_has(poly, a))
            return true;
    return false;
}
