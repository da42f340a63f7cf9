/* Represents the global id of a work-group's first work-item in each dimension by a name, with
 * which array indices are then computed. See kernel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/tile/kernel.h"

static void replace_in(pm_poly *poly, size_t atom, const pm_poly *value)
{
    if (pm_poly_has(poly, atom))
        *poly = pm_poly_replace(*poly, atom, *value);
}

static void replace_everywhere(pm_index *index, size_t atom, const pm_poly *value)
{
    for (size_t a = 0; a < index->access_count; a++)
        replace_in(&index->accesses[a].index, atom, value);
    for (size_t r = 0; r < index->root_count; r++)
        replace_in(&index->roots[r].offset, atom, value);
    for (size_t p = 0; p < index->pointer_count; p++)
        replace_in(&index->pointers[p].offset, atom, value);
    for (size_t l = 0; l < index->loop_count; l++) {
        replace_in(&index->loops[l].start, atom, value);
        replace_in(&index->loops[l].end, atom, value);
    }
    for (size_t g = 0; g < index->guard_count; g++) {
        replace_in(&index->guards[g].assumed, atom, value);
        for (size_t b = 0; b < index->guards[g].bound_count; b++)
            replace_in(&index->guards[g].bounds[b], atom, value);
    }
    for (size_t a = 0; a < index->atom_count; a++) {
        replace_in(&index->atoms[a].inner, atom, value);
        replace_in(&index->atoms[a].least, atom, value);
        replace_in(&index->atoms[a].most, atom, value);
        replace_in(&index->atoms[a].assumed, atom, value);
    }
}

void pm_index_name_first_ids(pm_index *index, pm_names *names)
{
    static const char *const wishes[] = {"x0", "y0", "z0"};

    for (unsigned d = 0; d < 3; d++) {
        size_t group = pm_index_find_atom(index, PM_ATOM_GROUP, d);
        size_t offset = pm_index_find_atom(index, PM_ATOM_OFFSET, d);
        pm_atom first = {.kind = PM_ATOM_FIRST, .dimension = d, .uniform = true, .low_known = true};
        pm_poly value;

        if (offset == PM_NO_ATOM)
            continue;
        first.text = pm_names_fresh(names, wishes[d]);
        value = pm_poly_atom(pm_index_add_atom(index, &first));
        if (group != PM_NO_ATOM)
            value = pm_poly_subtract(
                value, pm_poly_scale(pm_poly_atom(group), (long long)index->work_group[d]));
        replace_everywhere(index, offset, &value);
    }
}
