/* Evaluates an expression. See expression.h; expression_read.c parses it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * No library fits: muParser, the one in Debian with a C interface, calculates in doubles. It cannot
 * represent integers above 2^53 exactly, and reports neither overflow nor division by zero. A size
 * must be an exact integer, or a fault with its reason.
 */
#include "program/contents/expression_parts.h"

#include <math.h>

typedef pm_expression_number number;

/* ---- the value ------------------------------------------------------------------------------ */

static bool too_large(char *fault, pm_operator op, int64_t a, int64_t b)
{
    return pm_expression_fail(fault, "%lld %s %lld is larger than 64 bits hold", (long long)a,
                              pm_operator_texts[op], (long long)b);
}

static bool divide(pm_operator op, int64_t a, int64_t b, int64_t *value, char *fault)
{
    if (b == 0)
        return pm_expression_fail(fault, "%lld %s 0: a division by zero", (long long)a,
                                  pm_operator_texts[op]);
    if (b == -1) /* INT64_MIN / -1 would overflow, so compute a / -1 as 0 - a */
        return op == PM_REST
                   ? (*value = 0, true)
                   : !__builtin_sub_overflow((int64_t)0, a, value) ||
                         pm_expression_fail(fault, "the value is larger than 64 bits hold");
    *value = op == PM_OVER ? a / b : a % b;
    return true;
}

/* Computes base ** exponent. Returns false with a message in `fault` if exponent is negative or the
 * value overflows. The loop ends after at most 64 steps, because the magnitude at least doubles in
 * each step. */
static bool raise_to(int64_t base, int64_t exponent, int64_t *value, char *fault)
{
    if (exponent < 0)
        return pm_expression_fail(fault, "%lld ** %lld: of integers the exponent is 0 or more",
                                  (long long)base, (long long)exponent);
    if (base >= -1 && base <= 1) {
        *value = exponent == 0 || base == 1 ? 1 : exponent % 2 != 0 ? base : base * base;
        return true;
    }
    *value = 1;
    for (int64_t i = 0; i < exponent; i++)
        if (__builtin_mul_overflow(*value, base, value))
            return too_large(fault, PM_POWER, base, exponent);
    return true;
}

static bool move_bits(pm_operator op, int64_t a, int64_t b, int64_t *value, char *fault)
{
    if (b < 0 || b > 62)
        return pm_expression_fail(fault, "%lld %s %lld: from 0 to 62 bits are possible",
                                  (long long)a, pm_operator_texts[op], (long long)b);
    if (op == PM_RIGHT)
        *value = a >> b;
    else if (__builtin_mul_overflow(a, INT64_C(1) << b, value))
        return too_large(fault, op, a, b);
    return true;
}

/* Returns whether a comparison operator is true for two operands. order: sign of left - right, -1,
 * 0 or 1. */
static bool compares(pm_operator op, int order)
{
    switch (op) {
    case PM_LESS:
        return order < 0;
    case PM_LESS_EQUAL:
        return order <= 0;
    case PM_MORE:
        return order > 0;
    case PM_MORE_EQUAL:
        return order >= 0;
    case PM_EQUAL:
        return order == 0;
    default:
        return order != 0;
    }
}

static bool integer_apply(pm_operator op, int64_t a, int64_t b, int64_t *value, char *fault)
{
    switch (op) {
    case PM_PLUS:
        return !__builtin_add_overflow(a, b, value) || too_large(fault, op, a, b);
    case PM_MINUS:
        return !__builtin_sub_overflow(a, b, value) || too_large(fault, op, a, b);
    case PM_TIMES:
        return !__builtin_mul_overflow(a, b, value) || too_large(fault, op, a, b);
    case PM_OVER:
    case PM_REST:
        return divide(op, a, b, value, fault);
    case PM_POWER:
        return raise_to(a, b, value, fault);
    case PM_LEFT:
    case PM_RIGHT:
        return move_bits(op, a, b, value, fault);
    case PM_AND:
        *value = a != 0 && b != 0;
        return true;
    case PM_OR:
        *value = a != 0 || b != 0;
        return true;
    default:
        *value = compares(op, (a > b) - (a < b));
        return true;
    }
}

/* Returns the remainder fmod(a, b). Whole numbers, the usual case, take the faster integer
 * remainder. */
static double rest_of(double a, double b)
{
    static const double WHOLE = 0x1p53;

    if (fabs(a) < WHOLE && fabs(b) < WHOLE) {
        const int64_t x = (int64_t)a, y = (int64_t)b;

        if ((double)x == a && (double)y == b && y != 0)
            return copysign((double)(x % y), a);
    }
    return fmod(a, b);
}

static bool real_apply(pm_operator op, double a, double b, double *value, char *fault)
{
    if ((op == PM_OVER || op == PM_REST) && b == 0)
        return pm_expression_fail(fault, "%g %s 0: a division by zero", a, pm_operator_texts[op]);
    *value = op == PM_PLUS    ? a + b
             : op == PM_MINUS ? a - b
             : op == PM_TIMES ? a * b
             : op == PM_OVER  ? a / b
             : op == PM_REST  ? rest_of(a, b)
             : op == PM_POWER ? pow(a, b)
             : op == PM_AND   ? a != 0 && b != 0
             : op == PM_OR    ? a != 0 || b != 0
                              : compares(op, (a > b) - (a < b));
    return isfinite(*value) ||
           pm_expression_fail(fault, "%g %s %g is no number, or larger than a double holds", a,
                              pm_operator_texts[op], b);
}

static number extreme_of(bool real, bool least, number a, number b)
{
    const bool smaller = real ? b.real < a.real : b.integer < a.integer;

    return smaller == least ? b : a;
}

bool pm_expression_apply(const pm_expression *expression, size_t step, number *left, number right,
                         char *fault)
{
    const pm_operator op = expression->steps[step].op;

    if (expression->steps[step].kind == PM_STEP_OPERATOR)
        return expression->real
                   ? real_apply(op, left->real, right.real, &left->real, fault)
                   : integer_apply(op, left->integer, right.integer, &left->integer, fault);
    *left = extreme_of(expression->real, expression->steps[step].kind == PM_STEP_MIN, *left, right);
    return true;
}

static bool is_zero(const pm_expression *expression, number value)
{
    return expression->real ? value.real == 0 : value.integer == 0;
}

number pm_expression_named(const pm_expression *expression, const pm_numbers *names, size_t name)
{
    const int64_t value = names->items[name].value;

    return expression->real ? (number){.real = (double)value} : (number){.integer = value};
}

bool pm_expression_value(const pm_expression *expression, const pm_numbers *names, number *value,
                         char *fault)
{
    number stack[PM_EXPRESSION_STEPS];
    size_t top = 0; /* number of values on the stack */

    for (size_t i = 0; i < expression->count; i++) {
        const int kind = expression->steps[i].kind;

        if (kind == PM_STEP_NUMBER)
            stack[top++] = expression->steps[i].number;
        else if (kind == PM_STEP_NAME)
            stack[top++] = pm_expression_named(expression, names, expression->steps[i].name);
        else if (kind == PM_STEP_GO ||
                 (kind == PM_STEP_UNLESS && top > 0 && is_zero(expression, stack[--top])))
            i = expression->steps[i].to - 1;
        else if (kind == PM_STEP_UNLESS)
            continue;
        else if (top < 2 ||
                 !pm_expression_apply(expression, i, &stack[top - 2], stack[top - 1], fault))
            return false;
        else
            top--;
    }
    *value = stack[0];
    return true;
}

/* ---- evaluating a text ---------------------------------------------------------------------- */

static bool work_out(const char *text, const pm_numbers *names, bool real, number *value,
                     char *fault)
{
    pm_expression expression;

    return pm_expression_read(text, names, real, &expression, fault) &&
           pm_expression_value(&expression, names, value, fault);
}

bool pm_expression_integer(const char *text, const pm_numbers *names, int64_t *value, char *fault)
{
    number result;
    bool done = work_out(text, names, false, &result, fault);

    *value = done ? result.integer : *value;
    return done;
}

bool pm_expression_real(const char *text, const pm_numbers *names, double *value, char *fault)
{
    number result;
    bool done = work_out(text, names, true, &result, fault);

    *value = done ? result.real : *value;
    return done;
}
