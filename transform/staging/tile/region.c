/* Operations on regions (sequences of a kernel's statements before which a tile in local memory can
 * be filled): copies them, counts the iterations of their loops, and expresses array indices by
 * iteration numbers. See region.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/tile/region.h"

#include <string.h>

/* ---- regions -------------------------------------------------------------------------------- */

pm_staging_region pm_region_copy(const pm_index *index, const pm_staging_region *region,
                                 pm_memory *memory)
{
    pm_staging_region copy = *region;

    copy.counts = pm_take(memory, index->loop_count, sizeof *copy.counts);
    if (index->loop_count > 0)
        memcpy(copy.counts, region->counts, index->loop_count * sizeof *copy.counts);
    return copy;
}

bool pm_region_has(const pm_staging_region *region, const pm_node *node)
{
    for (const pm_node *at = region->first; at; at = at == region->last ? NULL : at->next)
        if (pm_ast_is_within(node, at))
            return true;
    return false;
}

/* ---- loops in a region ---------------------------------------------------------------------- */

pm_poly pm_region_form(const pm_index *index, const pm_staging_region *region, pm_poly form)
{
    for (size_t l = index->loop_count; l-- > 0 && form.known;) { /* from inner to outer loops */
        const pm_loop *loop = &index->loops[l];
        pm_poly start;

        if (loop->atom == PM_NO_ATOM || !pm_poly_has(&form, loop->atom) ||
            !pm_region_has(region, loop->node))
            continue;
        if (region->counts[l] == PM_NO_ATOM)
            return (pm_poly){.known = false};
        start = region->tiled == l ? pm_poly_atom(region->piece) : loop->start;
        form = pm_poly_replace(
            form, loop->atom,
            pm_poly_add(start, pm_poly_scale(pm_poly_atom(region->counts[l]), loop->step)));
    }
    return form;
}

/* Returns the code of the iteration number of a loop, from its variable. */
static const char *write_count(pm_index *index, const pm_loop *loop)
{
    const char *text = index->atoms[loop->atom].text;
    pm_text start = {.memory = &index->memory};
    long long zero;

    if (!pm_poly_is_constant(loop->start, &zero) || zero != 0) {
        pm_poly_operand(&loop->start, pm_index_names(index, &index->memory, ""), &start);
        text = pm_format(&index->memory, "(%s - %s)", text, pm_text_get(&start));
    }
    return loop->step == 1 ? text : pm_format(&index->memory, "(%s / %lld)", text, loop->step);
}

/* Returns a new atom (symbolic value) for the iteration number of a loop. Returns PM_NO_ATOM if it
 * is unknown how many iterations the loop has. */
static size_t add_count(pm_index *index, const pm_staging_region *region, size_t l)
{
    const pm_loop *loop = &index->loops[l];
    pm_poly length = pm_poly_subtract(loop->end, loop->start);
    pm_atom atom = {
        .kind = PM_ATOM_LOOP, .variable = loop->node, .low_known = true, .high_known = true};
    long long iterations;

    if (loop->atom == PM_NO_ATOM || loop->jumps)
        return PM_NO_ATOM;
    if (!pm_poly_is_constant(pm_region_form(index, region, length), &iterations) || iterations <= 0)
        return PM_NO_ATOM;
    atom.high = (iterations - 1) / loop->step;
    atom.text = write_count(index, loop);
    return pm_index_add_atom(index, &atom);
}

void pm_region_cut(pm_index *index, pm_staging_region *region, size_t iterations)
{
    const pm_loop *loop = &index->loops[region->tiled];
    const char *variable = index->atoms[loop->atom].text;
    pm_atom count = {.kind = PM_ATOM_LOOP,
                     .variable = loop->node,
                     .low_known = true,
                     .high_known = true,
                     .high = (long long)iterations - 1};
    pm_atom piece = {.kind = PM_ATOM_VALUE, .uniform = true};

    /* This name is provisional, for messages. Later the variable of the new outer loop gets its own
     * name. */
    if (region->piece == PM_NO_ATOM) {
        piece.text = pm_format(&index->memory, "%s_first", variable);
        region->piece = pm_index_add_atom(index, &piece);
    }
    count.text = pm_format(&index->memory, "(%s - %s_first)", variable, variable);
    region->counts[region->tiled] = pm_index_add_atom(index, &count);
    region->iterations = iterations;
}

void pm_region_count_loops(pm_index *index, pm_staging_region *region)
{
    region->counts = pm_take(&index->memory, index->loop_count, sizeof *region->counts);
    for (size_t l = 0; l < index->loop_count; l++)
        region->counts[l] = PM_NO_ATOM;
    for (size_t l = 0; l < index->loop_count; l++) /* from outer to inner loops */
        if (l == region->tiled)
            pm_region_cut(index, region, 1);
        else if (pm_region_has(region, index->loops[l].node))
            region->counts[l] = add_count(index, region, l);
}
