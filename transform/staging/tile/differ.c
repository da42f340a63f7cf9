/* Tests whether a value that all work-items of a group have in common can differ from one
 * work-group to another. See box.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/clang/builtins.h"
#include "transform/staging/tile/box.h"

/* ---- variables and expressions -------------------------------------------------------------- */

static bool is_changed(const pm_index *index, const pm_node *variable)
{
    for (size_t c = 0; c < index->change_count; c++)
        if (index->changes[c].variable == variable)
            return true;
    return false;
}

/* Returns true for a parameter that the kernel never changes, so that its value is that of the
 * argument. */
static bool is_argument(const pm_index *index, const pm_node *variable)
{
    return variable->kind == CXCursor_ParmDecl && !is_changed(index, variable);
}

/* Returns true if an id is that of `dimension`, or if its dimension is unknown. */
static bool is_of_dimension(const pm_id *id, unsigned dimension)
{
    long long of = id->dimension;

    return (id->argument && !pm_ast_evaluate(id->argument, &of)) || of == dimension;
}

static bool expression_differs(const pm_index *index, const pm_node *expression,
                               unsigned dimension);

/* Returns true if a variable may have different values in work-groups that differ only in their
 * group id along `dimension`. */
static bool variable_differs(const pm_index *index, const pm_node *variable, unsigned dimension)
{
    if (variable->kind != CXCursor_VarDecl || is_changed(index, variable) || !variable->initializer)
        return !is_argument(index, variable);
    return expression_differs(index, variable->initializer, dimension);
}

/* Returns true if an expression may have different values in work-groups that differ only in their
 * group id along `dimension`. */
static bool expression_differs(const pm_index *index, const pm_node *expression, unsigned dimension)
{
    PM_EACH_NODE(index->ast, expression, node) {
        const pm_node *declared = node->kind == CXCursor_DeclRefExpr ? node->declaration : NULL;
        const pm_id id = pm_id_of(node);

        if ((node->kind == CXCursor_CallExpr &&
             (pm_ast_callee(node) ||
              (index->ast->is_cuda && !pm_is_pure_call(index->ast, node)))) ||
            ((id.kind == PM_ID_GROUP || id.kind == PM_ID_GLOBAL) &&
             is_of_dimension(&id, dimension)))
            return true;
        if (declared &&
            (declared->kind == CXCursor_VarDecl || declared->kind == CXCursor_ParmDecl) &&
            (pm_ast_is_within(node, declared) || variable_differs(index, declared, dimension)))
            return true;
    }
    return false;
}

/* ---- symbolic values ------------------------------------------------------------------------ */

bool pm_atom_is_of_group(const pm_index *index, size_t atom)
{
    return index->atoms[atom].kind == PM_ATOM_GROUP || index->atoms[atom].kind == PM_ATOM_FIRST;
}

bool pm_atom_is_argument(const pm_index *index, size_t a)
{
    const pm_atom *atom = &index->atoms[a];

    return atom->kind == PM_ATOM_VALUE && atom->variable && is_argument(index, atom->variable);
}

bool pm_poly_differs(const pm_index *index, const pm_tile *tile, const pm_poly *number,
                     unsigned dimension)
{
    for (size_t a = 0; a < index->atom_count; a++) {
        const pm_atom *atom = &index->atoms[a];

        if (!pm_poly_has(number, a) || a == tile->region.piece)
            continue;
        if (pm_atom_is_of_group(index, a)) {
            if (atom->dimension == dimension)
                return true;
        } else if (atom->kind == PM_ATOM_VALUE &&
                   ((!atom->variable && !atom->node) ||
                    (atom->variable && variable_differs(index, atom->variable, dimension)) ||
                    (atom->node && expression_differs(index, atom->node, dimension))))
            return true;
    }
    return false;
}

bool pm_tile_is_placed_by(const pm_index *index, const pm_tile *tile, unsigned dimension)
{
    bool placed = pm_poly_differs(index, tile, &tile->base, dimension);

    for (size_t k = 0; !placed && k < tile->axis_count; k++)
        placed = pm_poly_differs(index, tile, &tile->axes[k].origin, dimension);
    return placed;
}

bool pm_limit_moves(const pm_index *index, const pm_tile *tile, const pm_limit *limit)
{
    for (unsigned d = 0; d < 3; d++) {
        if (pm_tile_is_placed_by(index, tile, d))
            continue;
        for (size_t p = 0; p < limit->part_count; p++)
            for (size_t b = 0; b < limit->parts[p].bound_count; b++)
                if (pm_poly_differs(index, tile, &limit->parts[p].bounds[b], d))
                    return true;
    }
    return false;
}
