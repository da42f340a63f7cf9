/* Tests whether an expression has the same value before a region (sequence of statements of a
 * kernel) as inside of it, so that code before the region can use it. See region.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/source/clang/names.h"
#include "transform/staging/tile/region.h"

/* Returns the declaration to which a name refers before a statement. Returns NULL if the name is
 * not a variable of the kernel. */
static const pm_node *find_declaration(const pm_index *index, const pm_node *statement,
                                       const char *name, size_t length)
{
    const pm_node *found = NULL;

    for (const pm_node *at = statement; at && at != index->kernel && !found; at = at->parent)
        for (const pm_node *before = at->parent->first; before && before != at;
             before = before->next)
            for (const pm_node *own = before->kind == CXCursor_DeclStmt ? before->first : NULL; own;
                 own = own->next)
                found = pm_is_declaration_of(own, name, length) ? own : found;
    for (const pm_node *own = index->kernel->first; own && !found; own = own->next)
        found = pm_is_declaration_of(own, name, length) ? own : found;
    return found;
}

/* Returns true if no statement of the region (statements before which a tile is filled) assigns to
 * the variable. */
static bool is_unchanged(const pm_index *index, const pm_staging_region *region,
                         const pm_node *variable)
{
    for (size_t c = 0; c < index->change_count; c++)
        if (index->changes[c].variable == variable && pm_region_has(region, index->changes[c].node))
            return false;
    return true;
}

bool pm_region_sees_text(const pm_index *index, const pm_staging_region *region, const char *text,
                         const pm_node *variable)
{
    size_t begin, end = 0, length = strlen(text);

    while (pm_token(text, end, length, &begin, &end)) {
        const char *word = text + begin;
        size_t count = pm_index_count_declarations(index, word, end - begin);
        const pm_node *meant;

        if (count == 0)
            /* the name is a function, a macro, or a constant at file scope, which the statements of
             * the region cannot change */
            continue;
        meant = find_declaration(index, region->first, word, end - begin);
        if (!meant || (count > 1 && meant != variable) || !is_unchanged(index, region, meant))
            return false;
    }
    return true;
}

bool pm_region_sees(const pm_index *index, const pm_staging_region *region, pm_poly poly)
{
    for (size_t t = 0; t < poly.count; t++)
        for (size_t f = 0; f < poly.terms[t].factor_count; f++) {
            size_t a = poly.terms[t].factors[f];
            const pm_atom *atom = &index->atoms[a];

            if (a == region->piece)
                continue;
            if (atom->kind == PM_ATOM_CLAMP && !(pm_region_sees(index, region, atom->inner) &&
                                                 pm_region_sees(index, region, atom->least) &&
                                                 pm_region_sees(index, region, atom->most)))
                return false;
            if ((atom->kind == PM_ATOM_VALUE || atom->kind == PM_ATOM_LOOP) &&
                !pm_region_sees_text(index, region, atom->text, atom->variable))
                return false;
        }
    return true;
}
