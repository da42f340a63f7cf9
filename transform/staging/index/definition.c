/* Finds the assignment that determines the value of a variable at a place where it is used, and
 * tells whether other code may change the value before this use. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/index/parts.h"

/* Returns true if a change of a variable is executed before a use of it. A use in the operands of
 * the change is evaluated before the change. */
static bool is_before(const pm_node *change, const pm_node *use)
{
    return change->number < use->number && !pm_ast_is_within(use, change);
}

bool pm_index_reaches(const pm_reader *r, size_t change, size_t since, const pm_node *use)
{
    const pm_symbol_change *by = &r->changes[change];
    const pm_symbol *symbol = &r->symbols[by->symbol];

    if (since != PM_NONE && change <= since)
        return false;
    if (is_before(by->node, use))
        return true;
    for (const pm_node *node = use->parent; node && node != symbol->scope->parent;
         node = node->parent)
        if (pm_is_loop(node) && pm_ast_is_within(by->node, node))
            return true;
    return false;
}

size_t pm_index_definition(const pm_reader *r, const pm_symbol *symbol, const pm_node *use,
                           bool *alone)
{
    size_t found = PM_NONE;

    for (size_t c = symbol->first_change; c != PM_NONE && !r->has_goto; c = r->changes[c].next)
        if (r->changes[c].straight && is_before(r->changes[c].node, use))
            found = c;
    *alone = !symbol->address;
    for (size_t c = symbol->first_change; c != PM_NONE; c = r->changes[c].next)
        *alone &= !(r->has_goto || pm_index_reaches(r, c, found, use));
    return found;
}

static bool changes_behind(const pm_reader *r, const pm_node *variable, const pm_symbol *symbol,
                           const pm_node *node)
{
    const pm_symbol *other = variable ? pm_index_symbol(r, variable) : NULL;

    for (size_t c = other ? other->first_change : PM_NONE; c != PM_NONE; c = r->changes[c].next)
        if (r->changes[c].node->number >= node->number &&
            pm_ast_is_within(r->changes[c].node, symbol->scope))
            return true;
    return false;
}

bool pm_index_is_stable(const pm_reader *r, pm_poly poly, const pm_symbol *symbol,
                        const pm_node *node)
{
    for (size_t t = 0; t < poly.count; t++)
        for (size_t i = 0; i < poly.terms[t].factor_count; i++) {
            const pm_atom *atom = &r->index->atoms[poly.terms[t].factors[i]];

            if (changes_behind(r, atom->variable, symbol, node) ||
                !pm_index_is_stable(r, atom->inner, symbol, node) ||
                !pm_index_is_stable(r, atom->least, symbol, node) ||
                !pm_index_is_stable(r, atom->most, symbol, node))
                return false;
        }
    return true;
}

bool pm_index_only_adds(const pm_reader *r, const pm_symbol *symbol, size_t since,
                        const pm_node *use)
{
    for (size_t c = symbol->first_change; c != PM_NONE; c = r->changes[c].next)
        if (pm_index_reaches(r, c, since, use) && !pm_index_adds_uniform(r, &r->changes[c]))
            return false;
    return !r->has_goto && !symbol->address;
}
