/* Computes the results of binary operators (such as + and *) in array indices. The operands are
 * polynomials of work-item ids, loop variables and kernel arguments, and so is the result. See
 * parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>

#include "transform/staging/index/parts.h"

static const pm_poly unknown;

pm_poly pm_index_bounded(pm_reader *r, pm_frame *frame, pm_node *node, long long low,
                         long long high)
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
    return mask > 0 ? pm_index_bounded(r, frame, node, 0, mask) : unknown;
}

static pm_poly value_of_division(pm_reader *r, pm_frame *frame, pm_node *node, pm_poly value,
                                 long long divisor, bool floors)
{
    pm_poly quotient, rest;
    long long low, high;

    if (divisor > 1 && !value.known && pm_is_unsigned(node))
        return pm_index_bounded(
            r, frame, node, 0,
            (long long)((clang_Type_getSizeOf(node->type) > 4 ? ULLONG_MAX : UINT_MAX) /
                        (unsigned long long)divisor));
    if (divisor <= 0 || !value.known)
        return unknown;
    if (!pm_index_is_not_negative(r->index, value) && (pm_is_unsigned(node) || !floors))
        return unknown;
    if (pm_index_divide(r, value, divisor, &quotient, &rest))
        return quotient;
    if (pm_index_low(r->index, value, &low) && low >= 0 && pm_index_high(r->index, value, &high))
        return pm_index_bounded(r, frame, node, low / divisor, high / divisor);
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
        return pm_index_bounded(r, frame, node, 0, divisor - 1);
    }
    return pm_index_bounded(r, frame, node, pm_is_unsigned(node) ? 0 : 1 - divisor, divisor - 1);
}

/* Returns the value, as a polynomial, of an operator such as a shift whose right operand is the
 * constant `right`. */
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

/* Returns `value`, the polynomial of an expression, if array indices can be computed from it.
 * Returns an unknown polynomial if the expression is unsigned and a coefficient exceeds 0x7fffffff
 * in magnitude, because the source then relies on the wrap-around of unsigned numbers. */
static pm_poly checked(const pm_node *node, pm_poly value)
{
    if (pm_is_unsigned(node))
        for (size_t t = 0; t < value.count; t++)
            if (value.terms[t].coefficient > 0x7fffffffLL ||
                value.terms[t].coefficient < -0x7fffffffLL)
                return unknown;
    return value;
}

pm_poly pm_index_operator_value(pm_reader *r, pm_frame *frame, pm_node *node, pm_poly left,
                                pm_poly right)
{
    const enum CXBinaryOperatorKind kind = node->binary;
    pm_poly value = unknown;
    long long constant;

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
