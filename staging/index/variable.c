/* Values of variables. See index.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A variable has the value of its definition as long as no operand of that value changes during the
 * variable's lifetime. Otherwise the variable itself becomes an atom.
 */
#include "staging/index/parts.h"

static const pm_poly unknown;

pm_memo *pm_index_memo(pm_frame *frame, size_t symbol, size_t change)
{
    return change == PM_NONE ? &frame->memo[symbol - frame->first_symbol]
                             : &frame->memo[frame->symbols + change - frame->first_change];
}

pm_memo *pm_index_all(pm_frame *frame, size_t symbol)
{
    return &frame->memo[frame->symbols + frame->changes + symbol - frame->first_symbol];
}

/* ---- definitions ---------------------------------------------------------------------------- */

/* Returns true if the change executes before the use. The operands of a change are not after it. */
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

static pm_poly value_at(pm_reader *r, pm_frame *frame, const pm_symbol *symbol, const pm_node *use);

static pm_poly value_of_change(pm_reader *r, pm_frame *frame, const pm_symbol *symbol,
                               size_t change)
{
    const pm_node *node = r->changes[change].node;
    pm_poly before, operand;

    if (node->kind == CXCursor_BinaryOperator)
        return pm_index_value(r, frame, node->first->next);
    before = value_at(r, frame, symbol, node->first);
    if (node->kind == CXCursor_UnaryOperator)
        return pm_poly_add(before, pm_poly_constant(node->unary == CXUnaryOperator_PostInc ||
                                                            node->unary == CXUnaryOperator_PreInc
                                                        ? 1
                                                        : -1));
    operand = pm_index_value(r, frame, node->first->next);
    if (!pm_is_integer(node->first->next))
        return unknown;
    switch (node->binary) {
    case CXBinaryOperator_AddAssign:
        return pm_poly_add(before, operand);
    case CXBinaryOperator_SubAssign:
        return pm_poly_subtract(before, operand);
    case CXBinaryOperator_MulAssign:
        return pm_poly_multiply(before, operand);
    default:
        return unknown;
    }
}

/* ---- parameters ----------------------------------------------------------------------------- */

static pm_poly parameter_value(pm_reader *r, pm_frame *frame, const pm_symbol *symbol)
{
    pm_node *argument;

    if (!frame->caller)
        return pm_index_symbol_value(r, symbol, NULL, NULL);
    argument = pm_ast_argument(frame->call, symbol->argument);
    return argument ? pm_index_value(r, frame->caller, argument) : unknown;
}

/* ---- values --------------------------------------------------------------------------------- */

bool pm_index_only_adds(const pm_reader *r, const pm_symbol *symbol, size_t since,
                        const pm_node *use)
{
    for (size_t c = symbol->first_change; c != PM_NONE; c = r->changes[c].next)
        if (pm_index_reaches(r, c, since, use) && !pm_index_adds_uniform(r, &r->changes[c]))
            return false;
    return !r->has_goto && !symbol->address;
}

/* Value as an atom named after the variable. value: the polynomial at its definition. */
static pm_poly named_value(pm_reader *r, pm_frame *frame, const pm_symbol *symbol,
                           const pm_poly *value, const pm_node *definition)
{
    pm_poly varying, fixed;

    if (frame->caller)
        return unknown;
    if (symbol->uniform) {
        varying = pm_index_symbol_value(r, symbol, NULL, NULL);
        pm_index_bound_down(r, frame, symbol, &varying);
        return varying;
    }
    if (!value->known)
        return unknown;
    pm_poly_split(value, pm_index_varies, r->index, &varying, &fixed);
    if (varying.count == 0 || !pm_index_is_stable(r, varying, symbol, definition))
        return unknown;
    return pm_index_symbol_value(r, symbol, &varying, NULL);
}

static pm_poly first_value(pm_reader *r, pm_frame *frame, const pm_symbol *symbol)
{
    if (symbol->node->kind == CXCursor_ParmDecl)
        return parameter_value(r, frame, symbol);
    return symbol->initializer ? pm_index_value(r, frame, symbol->initializer) : unknown;
}

static pm_poly definition_value(pm_reader *r, pm_frame *frame, const pm_symbol *symbol,
                                size_t change)
{
    pm_memo *memo = pm_index_memo(frame, (size_t)(symbol - r->symbols), change);
    const pm_node *node = change == PM_NONE ? symbol->node : r->changes[change].node;
    pm_poly value;

    if (memo->state != PM_NOT_YET)
        return memo->state == PM_DONE ? memo->value : unknown;
    memo->state = PM_AT_WORK;
    value = change == PM_NONE ? first_value(r, frame, symbol)
                              : value_of_change(r, frame, symbol, change);
    value = pm_index_converted(r, symbol->node, value);
    if (!value.known || ((change != PM_NONE || symbol->node->kind != CXCursor_ParmDecl) &&
                         !pm_index_is_stable(r, value, symbol, node)))
        value = named_value(r, frame, symbol, &value, node);
    memo->value = value;
    memo->state = PM_DONE;
    return value;
}

static pm_poly value_at(pm_reader *r, pm_frame *frame, const pm_symbol *symbol, const pm_node *use)
{
    bool alone;
    size_t change = pm_index_definition(r, symbol, use, &alone);
    size_t number = (size_t)(symbol - r->symbols);
    pm_poly value = unknown;

    if (symbol->address)
        return unknown;
    if (alone) {
        /* evaluates definitions in source order, to avoid recursion through all of them */
        for (size_t c = symbol->first_change; change != PM_NONE && c != change;
             c = r->changes[c].next)
            if (r->changes[c].straight && pm_index_memo(frame, number, change)->state == PM_NOT_YET)
                definition_value(r, frame, symbol, c);
        return definition_value(r, frame, symbol, change);
    }
    if (!frame->caller && !symbol->uniform && pm_index_only_adds(r, symbol, change, use))
        value = definition_value(r, frame, symbol, change);
    return named_value(r, frame, symbol, &value,
                       change == PM_NONE ? symbol->node : r->changes[change].node);
}

pm_poly pm_index_variable_value(pm_reader *r, pm_frame *frame, pm_node *use)
{
    const pm_symbol *symbol = pm_index_symbol(r, use);
    size_t number = (size_t)(symbol - r->symbols), atom;
    pm_head *head;

    if (symbol->function != frame->function || number < frame->first_symbol ||
        number >= frame->first_symbol + frame->symbols || !pm_is_integer(symbol->node))
        return unknown;
    head = pm_index_head(r, symbol, use);
    if (head) {
        atom = pm_index_loop_atom(r, frame, head);
        if (atom != PM_NO_ATOM)
            return pm_poly_atom(atom);
    }
    return value_at(r, frame, symbol, use);
}
