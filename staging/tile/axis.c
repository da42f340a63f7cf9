/* The coordinates of a group of accesses: from which to which, in steps of what, and how they are
 * clamped. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "staging/tile/parts.h"
#include "staging/tile/stage.h"

static long long constant_of(const pm_poly *form)
{
    return form->count > 0 && form->terms[0].factor_count == 0 ? form->terms[0].coefficient : 0;
}

/* The largest number that all coordinates of an axis are multiples of, but for their lowest. */
static long long unit_of(const pm_sharing *s, const pm_bunch *g, size_t k)
{
    long long unit = 0;

    for (size_t m = 0; m < g->member_count; m++) {
        const pm_poly *form = &g->places[m].forms[k];

        if (s->index.accesses[g->members[m]].width > 1 ||
            pm_stage_needs_pointer(s, s->index.accesses[g->members[m]].array))
            return 1;

        for (size_t t = 0; t < form->count; t++)
            if (form->terms[t].factor_count > 0)
                unit = pm_gcd(unit, form->terms[t].coefficient);
        unit = pm_gcd(unit, constant_of(form) - constant_of(&g->places[0].forms[k]));
    }
    return unit > 0 && !g->clamps ? unit : 1;
}

/* Each term is a number times one thing that varies. */
static bool is_linear(const pm_sharing *s, const pm_poly *form)
{
    for (size_t t = 0; t < form->count; t++) {
        const pm_term *term = &form->terms[t];

        if (term->factor_count > 1 ||
            (term->factor_count == 1 && (!pm_stage_varies(s, term->factors[0]) ||
                                         s->index.atoms[term->factors[0]].kind == PM_ATOM_CLAMP)))
            return false;
    }
    return true;
}

bool pm_axis_make(pm_sharing *s, const pm_bunch *g, size_t k, pm_axis *axis, const pm_node *node,
                  pm_text *why)
{
    long long low = 0, high = 0;

    *axis = (pm_axis){.key = g->keys[k], .unit = unit_of(s, g, k), .origin = pm_poly_constant(0)};
    for (size_t m = 0; m < g->member_count; m++) {
        const pm_placed *place = &g->places[m];
        long long first, last;

        if (!is_linear(s, &place->forms[k]) || !pm_form_range(s, place->forms[k], &first, &last))
            return pm_stage_why(why, node,
                                "the index is not known to stay within a range that a group "
                                "of work-items has");
        low = m == 0 || first < low ? first : low;
        last += axis->key.count && axis->key.terms[0].factor_count == 0
                    ? s->index.accesses[g->members[m]].width - 1
                    : 0;
        high = m == 0 || last > high ? last : high;
    }
    axis->low = low;
    axis->extent = (size_t)((high - low) / axis->unit) + 1;
    axis->stride = pm_poly_scale(axis->key, axis->unit);
    if (g->clamps)
        axis->origin = g->places[0].origins[k];
    return high - low < 1 << 24;
}

/* Bounds that some of the members are clamped to hold for all. */
bool pm_axis_clamp(pm_sharing *s, const pm_staging_region *region, const pm_bunch *g, size_t k,
                   pm_axis *axis)
{
    for (size_t m = 0; m < g->member_count; m++) {
        size_t atom = g->places[m].clamp[k];
        pm_poly least, most;

        if (atom == PM_NO_ATOM)
            continue;
        axis->clamped = true;
        least = pm_region_form(s, region, s->index.atoms[atom].least);
        most = pm_region_form(s, region, s->index.atoms[atom].most);
        if ((least.known && axis->least.known && !pm_poly_equal(least, axis->least)) ||
            (most.known && axis->most.known && !pm_poly_equal(most, axis->most)))
            return false;
        axis->least = least.known ? least : axis->least;
        axis->most = most.known ? most : axis->most;
    }
    return true;
}
