/* Evaluates an expression for many values of one name at once. See expression.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The evaluations differ only in the value of the last name, which increases by 1. Subexpressions
 * without this name are evaluated once. Operators on integers first check the operands' magnitudes.
 * If all are too small to overflow, the loop needs no test and is vectorized.
 */
#include "program/contents/expression_parts.h"

#include <math.h>

#include "base/wide.h"

typedef pm_expression_values column;
enum { WIDTH = PM_EXPRESSION_COLUMN };

/* ---- integers ------------------------------------------------------------------------------- */

/* Bounds on magnitudes below which arithmetic is exact. The sum of two numbers below SMALL_SUM, and
 * the product of two numbers below SMALL_FACTOR, fit 64-bit integers. A double can represent all
 * multiples of 1/2 below SMALL_DIVIDEND. */
static const uint64_t SMALL_SUM = UINT64_C(1) << 62, SMALL_FACTOR = UINT64_C(1) << 31,
                      SMALL_DIVIDEND = UINT64_C(1) << 52;

/* Returns a number that is at least as large as each |x| - 1 of WIDTH numbers x. It is the bitwise
 * or of x (if x >= 0) or -1 - x (if x < 0) over all numbers, which is faster than a maximum. */
PM_WIDE static uint64_t size_of(const int64_t *a)
{
    uint64_t size = 0;

    for (size_t i = 0; i < WIDTH; i++)
        size |= (uint64_t)(a[i] ^ (a[i] >> 63));
    return size;
}

PM_WIDE static void add(int64_t *restrict a, const int64_t *restrict b)
{
    for (size_t i = 0; i < WIDTH; i++)
        a[i] += b[i];
}

PM_WIDE static void subtract(int64_t *restrict a, const int64_t *restrict b)
{
    for (size_t i = 0; i < WIDTH; i++)
        a[i] -= b[i];
}

PM_WIDE static void multiply(int64_t *restrict a, const int64_t *restrict b)
{
    for (size_t i = 0; i < WIDTH; i++)
        a[i] *= b[i];
}

/* Divides each of WIDTH numbers by the same divisor above 0, rounding towards 0; or computes the
 * remainders if op is PM_REST. Multiplies by the inverse and corrects the result, which takes a
 * fifth of the time of a division. The numbers must be below SMALL_DIVIDEND, for which the product
 * is off by less than 1. */
PM_WIDE static void divide_small(pm_operator op, int64_t *a, int64_t by)
{
    const double inverse = 1 / (double)by;
    const bool is_rest = op == PM_REST;

    for (size_t i = 0; i < WIDTH; i++) {
        const int64_t sign = a[i] >> 63, of = (a[i] ^ sign) - sign;
        const int64_t near = (int64_t)((double)of * inverse), left = of - near * by;
        const int64_t more = (left >= by) - (left < 0);
        const int64_t value = is_rest ? left - more * by : near + more;

        a[i] = (value ^ sign) - sign;
    }
}

/* Divides a[i] by b[i] for WIDTH numbers, or computes the remainders if op is PM_REST. If `one` is
 * true, all numbers of b are equal. Returns false if a divisor is not above 0. */
static bool divide(pm_operator op, int64_t *restrict a, const int64_t *restrict b, bool one)
{
    for (size_t i = 0; i < (one ? 1 : WIDTH); i++)
        if (b[i] <= 0)
            return false;
    if (one && size_of(a) < SMALL_DIVIDEND) {
        divide_small(op, a, b[0]);
        return true;
    }
    for (size_t i = 0; i < WIDTH; i++)
        a[i] = op == PM_OVER ? a[i] / b[i] : a[i] % b[i];
    return true;
}

static bool checked(pm_operator op, int64_t *restrict a, const int64_t *restrict b)
{
    bool fault = false;

    for (size_t i = 0; i < WIDTH; i++) {
        int64_t *to = &a[i], by = b[i];

        fault |= op == PM_PLUS    ? __builtin_add_overflow(*to, by, to)
                 : op == PM_MINUS ? __builtin_sub_overflow(*to, by, to)
                                  : __builtin_mul_overflow(*to, by, to);
    }
    return !fault;
}

/* Computes a[i] = a[i] op b[i] for WIDTH integers. If `one` is true, all numbers of b are equal.
 * Returns false for operators that are rare in contents of buffers, or if a number overflows or is
 * divided by 0. The caller then evaluates the numbers one by one. */
static bool integer_column(pm_operator op, int64_t *restrict a, const int64_t *restrict b, bool one)
{
    if (op == PM_OVER || op == PM_REST)
        return divide(op, a, b, one);
    if (op != PM_PLUS && op != PM_MINUS && op != PM_TIMES)
        return false;
    if ((size_of(a) | size_of(b)) >= (op == PM_TIMES ? SMALL_FACTOR : SMALL_SUM))
        return checked(op, a, b);
    if (op == PM_PLUS)
        add(a, b);
    else if (op == PM_MINUS)
        subtract(a, b);
    else
        multiply(a, b);
    return true;
}

PM_WIDE static void integer_extreme(bool least, int64_t *restrict a, const int64_t *restrict b)
{
    /* XOR with -1 flips all bits, which reverses the order of integers. The minimum of flipped
     * numbers is therefore the flipped maximum. sign: -1 to compute the maximum, 0 for the
     * minimum. */
    const int64_t sign = -(int64_t)!least;

    for (size_t i = 0; i < WIDTH; i++) {
        const int64_t x = a[i] ^ sign, y = b[i] ^ sign;

        a[i] = (y < x ? y : x) ^ sign;
    }
}

/* ---- doubles -------------------------------------------------------------------------------- */

PM_WIDE static void real_simple(pm_operator op, double *restrict a, const double *restrict b)
{
    if (op == PM_PLUS)
        for (size_t i = 0; i < WIDTH; i++)
            a[i] += b[i];
    else if (op == PM_MINUS)
        for (size_t i = 0; i < WIDTH; i++)
            a[i] -= b[i];
    else if (op == PM_TIMES)
        for (size_t i = 0; i < WIDTH; i++)
            a[i] *= b[i];
    else
        for (size_t i = 0; i < WIDTH; i++)
            a[i] /= b[i];
}

/* Returns whether all of WIDTH numbers are integers and below SMALL_DIVIDEND in magnitude. */
PM_WIDE static bool are_whole(const double *a)
{
    bool whole = true;

    for (size_t i = 0; i < WIDTH; i++)
        whole &= (floor(a[i]) == a[i]) & (fabs(a[i]) < (double)SMALL_DIVIDEND);
    return whole;
}

/* Computes the remainders of a[i] and b[i], which are integers stored as doubles, as a - floor(a /
 * b) * b of their magnitudes. All steps are exact. */
PM_WIDE static void whole_rest(double *restrict a, const double *restrict b)
{
    for (size_t i = 0; i < WIDTH; i++) {
        const double of = fabs(a[i]), by = fabs(b[i]);

        a[i] = copysign(of - floor(of / by) * by, a[i]);
    }
}

PM_WIDE static bool are_finite(const double *a)
{
    bool finite = true;

    for (size_t i = 0; i < WIDTH; i++)
        finite &= isfinite(a[i]) != 0;
    return finite;
}

/* Computes a[i] = a[i] op b[i] for WIDTH doubles. Returns false for an operator that this function
 * does not know, or if a value is not finite, as after a division by zero. */
static bool real_column(pm_operator op, double *restrict a, const double *restrict b)
{
    if (op == PM_PLUS || op == PM_MINUS || op == PM_TIMES || op == PM_OVER)
        real_simple(op, a, b);
    else if (op == PM_REST && are_whole(a) && are_whole(b))
        whole_rest(a, b);
    else if (op == PM_REST)
        for (size_t i = 0; i < WIDTH; i++)
            a[i] = fmod(a[i], b[i]);
    else
        return false;
    return are_finite(a);
}

static void real_extreme(bool least, double *restrict a, const double *restrict b)
{
    for (size_t i = 0; i < WIDTH; i++)
        a[i] = (b[i] < a[i]) == least ? b[i] : a[i];
}

/* ---- the stack ------------------------------------------------------------------------------ */

/* Copies the first number of a column (array of WIDTH numbers) to all its other entries. */
static void spread(const pm_expression *expression, column *values)
{
    const double real = values->real[0];
    const int64_t integer = values->integer[0];

    for (size_t i = 0; expression->real && i < WIDTH; i++)
        values->real[i] = real;
    for (size_t i = 0; !expression->real && i < WIDTH; i++)
        values->integer[i] = integer;
}

static void put_first(const pm_expression *expression, column *values, pm_expression_number first)
{
    if (expression->real)
        values->real[0] = first.real;
    else
        values->integer[0] = first.integer;
}

pm_expression_number pm_expression_value_of(const pm_expression *expression, const column *values,
                                            size_t place)
{
    return expression->real ? (pm_expression_number){.real = values->real[place]}
                            : (pm_expression_number){.integer = values->integer[place]};
}

/* Writes the number of a step of the expression (a constant or the value of a name) to a column. If
 * the step is the last name, whose values increase, writes all entries and returns false. Otherwise
 * all entries are equal: writes only the first one and returns true. */
static bool put(const pm_expression *expression, size_t step, const pm_numbers *names, column *to)
{
    const bool is_name = expression->steps[step].kind == PM_STEP_NAME;
    const size_t name = expression->steps[step].name;
    const bool counts = is_name && name + 1 == names->count;

    put_first(expression, to,
              is_name ? pm_expression_named(expression, names, name)
                      : expression->steps[step].number);
    for (size_t i = 1; counts && expression->real && i < WIDTH; i++)
        to->real[i] = to->real[0] + (double)i;
    for (size_t i = 1; counts && !expression->real && i < WIDTH; i++)
        to->integer[i] = to->integer[0] + (int64_t)i;
    return !counts;
}

/* Evaluates left = left op right for two columns (arrays of WIDTH numbers) whose entries are all
 * equal. Only the first entries are used. Returns false if the operation fails. */
static bool apply_once(const pm_expression *expression, size_t step, column *left,
                       const column *right)
{
    pm_expression_number value = pm_expression_value_of(expression, left, 0);
    char ignored[PM_EXPRESSION_FAULT];
    const bool done = pm_expression_apply(expression, step, &value,
                                          pm_expression_value_of(expression, right, 0), ignored);

    put_first(expression, left, value);
    return done;
}

/* Evaluates left = left op right for all entries of two columns (arrays of WIDTH numbers). same[0]:
 * all entries of left are equal, and only the first was written. same[1]: the same for right.
 * Returns false if an operation fails. */
static bool apply(const pm_expression *expression, size_t step, column *left, column *right,
                  bool *same)
{
    const bool least = expression->steps[step].kind == PM_STEP_MIN, one = same[1];
    const pm_operator op = expression->steps[step].op;

    if (same[0] && one)
        return apply_once(expression, step, left, right);
    if (same[0])
        spread(expression, left);
    if (one)
        spread(expression, right);
    same[0] = false;
    if (expression->steps[step].kind == PM_STEP_OPERATOR)
        return expression->real ? real_column(op, left->real, right->real)
                                : integer_column(op, left->integer, right->integer, one);
    if (expression->real)
        real_extreme(least, left->real, right->real);
    else
        integer_extreme(least, left->integer, right->integer);
    return true;
}

const pm_expression_values *pm_expression_column(const pm_expression *expression,
                                                 const pm_numbers *names,
                                                 pm_expression_columns *room)
{
    bool same[PM_EXPRESSION_STEPS / 2 + 1] = {false};
    size_t top = 0;

    for (size_t i = 0; i < expression->count; i++) {
        const int kind = expression->steps[i].kind;

        if (kind == PM_STEP_NUMBER || kind == PM_STEP_NAME) {
            same[top] = put(expression, i, names, &room->stack[top]);
            top++;
        } else if (kind == PM_STEP_GO || kind == PM_STEP_UNLESS || top < 2 ||
                   !apply(expression, i, &room->stack[top - 2], &room->stack[top - 1],
                          &same[top - 2])) {
            return NULL;
        } else {
            top--;
        }
    }
    if (same[0])
        spread(expression, &room->stack[0]);
    return &room->stack[0];
}
