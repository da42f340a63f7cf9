/* Evaluates integer expressions to polynomials. See index.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>

#include "staging/index/parts.h"

static const pm_poly unknown;

/* ---- constants ------------------------------------------------------------------------------ */

static pm_poly literal(const pm_node *node)
{
    long long value;

    return pm_ast_evaluate(node, &value) ? pm_poly_constant(value) : unknown;
}

bool pm_index_constant(pm_reader *r, pm_frame *frame, pm_node *expression, long long *value)
{
    return pm_poly_is_constant(pm_index_value(r, frame, expression), value);
}

/* ---- components of small vectors of ids ------------------------------------------------------ */

/* Returns the expression that initialises a component of a vector; NULL: unknown. */
static pm_node *part_of(pm_node *initializer, size_t component)
{
    pm_node *node = pm_ast_strip(initializer), *list = NULL;
    long long size = clang_getNumElements(node->type);

    while (node && node->kind != CXCursor_InitListExpr) {
        list = node->last;
        if (node->kind != CXCursor_CompoundLiteralExpr && node->kind != CXCursor_CStyleCastExpr &&
            node->kind != CXCursor_UnexposedExpr && node->kind != CXCursor_ParenExpr)
            return NULL;
        node = list;
    }
    if (!node || size < 0 || pm_ast_children(node) != (size_t)size)
        return NULL;
    node = pm_ast_child(node, component);
    return node && pm_is_integer(node) ? node : NULL;
}

/* Value of v.x, where the vector is initialised from scalars and never changes, as in
 * (int2)(get_global_id(0), 1). */
static pm_poly component_value(pm_reader *r, pm_frame *frame, pm_node *component)
{
    pm_node *vector = component->first, *use = vector ? pm_ast_strip(vector) : NULL, *part;
    const pm_symbol *symbol = NULL;
    size_t which = pm_ast_component(r->ast, component);
    pm_poly value;

    if (use && use->kind == CXCursor_DeclRefExpr)
        symbol = pm_index_symbol(r, use);
    if (!symbol || which == PM_NO_COMPONENT || symbol->function != frame->function ||
        symbol->first_change != PM_NONE || !symbol->initializer)
        return unknown;
    part = part_of(symbol->initializer, which);
    value = part ? pm_index_value(r, frame, part) : unknown;
    return value.known && pm_index_is_stable(r, value, symbol, symbol->node) ? value : unknown;
}

/* ---- conversions ---------------------------------------------------------------------------- */

/* Range of a type narrower than int. Returns false for other types. */
static bool narrow(const pm_node *node, long long *low, long long *high)
{
    CXType type = node->type;
    long long bytes = clang_Type_getSizeOf(type);

    if (!pm_is_integer(node) || bytes < 1 || bytes > 2)
        return false;
    if (type.kind == CXType_Bool) {
        *low = 0;
        *high = 1;
        return true;
    }
    *low = pm_is_unsigned(node) ? 0 : -(1LL << (8 * bytes - 1));
    *high = *low + (1LL << (8 * bytes)) - 1;
    return true;
}

pm_poly pm_index_converted(const pm_reader *r, const pm_node *node, pm_poly value)
{
    long long least, most, low, high;

    if (!narrow(node, &least, &most) ||
        (pm_index_low(r->index, value, &low) && pm_index_high(r->index, value, &high) &&
         low >= least && high <= most))
        return value;
    return unknown;
}

static pm_node *last_expression(const pm_node *node)
{
    pm_node *found = NULL;

    for (pm_node *child = node->first; child; child = child->next)
        if (clang_isExpression(child->kind))
            found = child;
    return found;
}

static pm_poly value_of_conversion(pm_reader *r, pm_frame *frame, pm_node *node)
{
    pm_node *inner = last_expression(node);
    pm_poly value;

    if (inner && pm_type_is_vector(inner->type))
        return component_value(r, frame, node);
    if (!inner || !pm_is_integer(inner))
        return unknown;
    value = pm_index_value(r, frame, inner);
    return value.known ? pm_index_converted(r, node, value) : unknown;
}

/* ---- operators ------------------------------------------------------------------------------ */

static pm_poly bounded(pm_reader *r, pm_frame *frame, pm_node *node, long long low, long long high)
{
    pm_poly value;

    if (!pm_index_uniform(r, node))
        return pm_index_item(r, frame, node, low, high);
    value = pm_index_text_value(r, frame, node);
    if (value.known && value.count == 1 && value.terms[0].factor_count == 1) {
        pm_atom *atom = &r->index->atoms[value.terms[0].factors[0]];

        atom->low_known = atom->high_known = true;
        atom->low = low;
        atom->high = high;
    }
    return value.known ? value : pm_index_item(r, frame, node, low, high);
}

static bool is_power(long long value)
{
    return value > 0 && (value & (value - 1)) == 0;
}

static pm_poly value_of_mask(pm_reader *r, pm_frame *frame, pm_node *node, pm_poly value,
                             long long mask)
{
    pm_poly quotient, rest;
    bool unsigned_int = pm_is_unsigned(node) && clang_Type_getSizeOf(node->type) == 4;

    if (mask == 0)
        return pm_poly_constant(0);
    if (mask > 0 && is_power(mask + 1) && pm_index_divide(r, value, mask + 1, &quotient, &rest))
        return rest;
    if (unsigned_int && mask > 0x7fffffffLL)
        mask -= 0x100000000LL;
    if (mask < 0 && mask != LLONG_MIN && is_power(-mask) &&
        pm_index_divide(r, value, -mask, &quotient, &rest))
        return pm_poly_subtract(value, rest);
    return mask > 0 ? bounded(r, frame, node, 0, mask) : unknown;
}

static pm_poly value_of_division(pm_reader *r, pm_frame *frame, pm_node *node, pm_poly value,
                                 long long divisor, bool floors)
{
    pm_poly quotient, rest;
    long long low, high;

    if (divisor > 1 && !value.known && pm_is_unsigned(node))
        return bounded(r, frame, node, 0,
                       (long long)((clang_Type_getSizeOf(node->type) > 4 ? ULLONG_MAX : UINT_MAX) /
                                   (unsigned long long)divisor));
    if (divisor <= 0 || !value.known)
        return unknown;
    if (!pm_index_is_not_negative(r->index, value) && (pm_is_unsigned(node) || !floors))
        return unknown;
    if (pm_index_divide(r, value, divisor, &quotient, &rest))
        return quotient;
    if (pm_index_low(r->index, value, &low) && low >= 0 && pm_index_high(r->index, value, &high))
        return bounded(r, frame, node, low / divisor, high / divisor);
    return unknown;
}

static pm_poly value_of_remainder(pm_reader *r, pm_frame *frame, pm_node *node, pm_poly value,
                                  long long divisor)
{
    pm_poly quotient, rest;

    if (divisor <= 0)
        return unknown;
    if (pm_index_is_not_negative(r->index, value)) {
        if (pm_index_divide(r, value, divisor, &quotient, &rest))
            return rest;
        return bounded(r, frame, node, 0, divisor - 1);
    }
    return bounded(r, frame, node, pm_is_unsigned(node) ? 0 : 1 - divisor, divisor - 1);
}

/* Value of an operator whose right operand must be a constant. */
static pm_poly value_with_constant(pm_reader *r, pm_frame *frame, pm_node *node, pm_poly left,
                                   long long right)
{
    switch (node->binary) {
    case CXBinaryOperator_Shl:
        return right >= 0 && right < 62 ? pm_poly_scale(left, 1LL << right) : unknown;
    case CXBinaryOperator_Shr:
        return right >= 0 && right < 62
                   ? value_of_division(r, frame, node, left, 1LL << right, true)
                   : unknown;
    case CXBinaryOperator_Div:
        return value_of_division(r, frame, node, left, right, false);
    case CXBinaryOperator_Rem:
        return value_of_remainder(r, frame, node, left, right);
    case CXBinaryOperator_And:
        return value_of_mask(r, frame, node, left, right);
    default:
        return unknown;
    }
}

/* Returns unknown for an unsigned polynomial with a coefficient above 0x7fffffff in magnitude,
 * because such an index relies on wrap-around. */
static pm_poly checked(const pm_node *node, pm_poly value)
{
    if (pm_is_unsigned(node))
        for (size_t t = 0; t < value.count; t++)
            if (value.terms[t].coefficient > 0x7fffffffLL ||
                value.terms[t].coefficient < -0x7fffffffLL)
                return unknown;
    return value;
}

static pm_poly value_of_operator(pm_reader *r, pm_frame *frame, pm_node *node)
{
    enum CXBinaryOperatorKind kind = node->binary;
    pm_node *a = pm_ast_child(node, 0), *b = pm_ast_child(node, 1);
    pm_poly left, right, value = unknown;
    long long constant;

    if (!a || !b)
        return unknown;
    if (kind == CXBinaryOperator_Comma)
        return pm_index_value(r, frame, b);
    if (pm_is_comparison(kind) || pm_is_lazy(node))
        return bounded(r, frame, node, 0, 1);
    if (kind == CXBinaryOperator_Assign || !pm_is_integer(a) || !pm_is_integer(b))
        return unknown;
    left = pm_index_value(r, frame, a);
    right = pm_index_value(r, frame, b);
    if (kind == CXBinaryOperator_Add)
        value = pm_poly_add(left, right);
    else if (kind == CXBinaryOperator_Sub)
        value = pm_poly_subtract(left, right);
    else if (kind == CXBinaryOperator_Mul)
        value = pm_poly_multiply(left, right);
    else if (pm_poly_is_constant(right, &constant))
        value = value_with_constant(r, frame, node, left, constant);
    else if (kind == CXBinaryOperator_And && pm_poly_is_constant(left, &constant))
        value = value_of_mask(r, frame, node, right, constant);
    return checked(node, value);
}

static pm_poly value_of_unary(pm_reader *r, pm_frame *frame, pm_node *node)
{
    if (!node->first)
        return unknown;
    switch (node->unary) {
    case CXUnaryOperator_Plus:
        return pm_index_value(r, frame, node->first);
    case CXUnaryOperator_Minus:
        return pm_poly_scale(pm_index_value(r, frame, node->first), -1);
    case CXUnaryOperator_Not: /* because ~x == -1 - x */
        return pm_is_unsigned(node)
                   ? unknown
                   : pm_poly_subtract(pm_poly_constant(-1), pm_index_value(r, frame, node->first));
    case CXUnaryOperator_LNot:
        return bounded(r, frame, node, 0, 1);
    default:
        return unknown;
    }
}

/* ---- all expressions ------------------------------------------------------------------------ */

static pm_poly value_by_kind(pm_reader *r, pm_frame *frame, pm_node *node)
{
    const pm_id id = pm_id_of(node);

    if (id.kind != PM_ID_NONE)
        return pm_index_id_value(r, frame, &id);
    switch (node->kind) {
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_UnaryExpr:
        return literal(node);
    case CXCursor_DeclRefExpr:
        return pm_index_symbol(r, node) ? pm_index_variable_value(r, frame, node) : literal(node);
    case CXCursor_UnexposedExpr:
    case CXCursor_CStyleCastExpr:
        return value_of_conversion(r, frame, node);
    case CXCursor_BinaryOperator:
        return value_of_operator(r, frame, node);
    case CXCursor_UnaryOperator:
        return value_of_unary(r, frame, node);
    case CXCursor_ConditionalOperator:
        return pm_index_choice_value(r, frame, node);
    case CXCursor_CallExpr:
        return pm_index_call_value(r, frame, node);
    default:
        return unknown;
    }
}

pm_poly pm_index_value(pm_reader *r, pm_frame *frame, pm_node *expression)
{
    pm_node *node = pm_ast_bare(expression);
    pm_poly value = unknown;
    long long low, high;

    if (!pm_is_integer(node) || r->depth >= PM_MOST_EVALUATION)
        return unknown;
    r->depth++;
    value = value_by_kind(r, frame, node);
    if (!value.known)
        value = literal(node);
    if (!value.known && pm_index_uniform(r, node))
        value = pm_index_text_value(r, frame, node);
    if (!value.known && narrow(node, &low, &high))
        value = pm_index_item(r, frame, node, low, high);
    r->depth--;
    return value;
}
