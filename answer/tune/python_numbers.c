/* Evaluates Python expressions of integers. See python_reader.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <string.h>

#include "answer/tune/python_integers.h"
#include "answer/tune/python_reader.h"
#include "answer/tune/python_words.h"

/* Raises an error if `fault`, the result of an arithmetic function, is not NULL. It is then the
 * text of the error. */
static void require(const pm_python_reader *r, const char *fault)
{
    if (fault)
        pm_python_refuse(r, "%s", fault);
}

static _Noreturn void refuse_overflow(const pm_python_reader *r)
{
    pm_python_refuse(r, "%s", pm_python_overflow);
}

/* Returns the quotient or the remainder of a and b by the operator `how`. Returns 0 if the text is
 * only skipped (r->dry > 0), because its operands then have no values. */
static int64_t divide(const pm_python_reader *r, int64_t a, int64_t b, char how)
{
    int64_t result = 0;

    if (!r->dry)
        require(r, pm_python_divide(a, b, how, &result));
    return result;
}

static int64_t shift(const pm_python_reader *r, int64_t a, int64_t by, bool left)
{
    int64_t result = 0;

    if (!r->dry)
        require(r, pm_python_shift(a, by, left, &result));
    return result;
}

static int64_t digits(pm_python_reader *r)
{
    const char *begin = r->at;
    size_t n = strspn(begin, "0123456789");
    int64_t value = 0;

    for (size_t i = 0; i < n; i++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, begin[i] - '0', &value))
            refuse_overflow(r);
    if (begin[n] == '.') /* 16.0 */
        n += 1 + strspn(begin + n + 1, "0");
    r->at += n;
    if (pm_python_word(r->at) > 0)
        pm_python_refuse(r, "\"%.40s\" is no whole number", begin);
    return value;
}

/* Evaluates min (most false) or max (most true). The arguments are one list or several numbers. */
static int64_t extreme(pm_python_reader *r, bool most)
{
    pm_python_list list = {0};
    int64_t found = 0;

    pm_python_expect(r, "(");
    if (pm_python_begins_list(r)) {
        list = pm_python_sequence(r);
    } else {
        do
            pm_python_add(r, &list, pm_python_number(r));
        while (pm_python_take(&r->at, ",", ""));
    }
    pm_python_expect(r, ")");
    if (list.count == 0 && !r->dry)
        pm_python_refuse(r, "min and max of nothing");
    for (size_t i = 0; i < list.count; i++)
        found = i == 0 || (list.items[i] > found) == most ? list.items[i] : found;
    return found;
}

static int64_t of_name(pm_python_reader *r)
{
    const char *begin = r->at;
    const size_t n = pm_python_word(begin);
    int64_t value;

    if (pm_python_take_word(&r->at, "True") || pm_python_take_word(&r->at, "False"))
        return *begin == 'T';
    if (pm_python_take_word(&r->at, "min") || pm_python_take_word(&r->at, "max"))
        return extreme(r, begin[1] == 'a');
    if (pm_python_take_word(&r->at, "int") || pm_python_take_word(&r->at, "round") ||
        pm_python_take_word(&r->at, "abs")) {
        pm_python_expect(r, "(");
        value = pm_python_number(r);
        pm_python_expect(r, ")");
        return *begin == 'a' && value < 0 && value > INT64_MIN ? -value : value;
    }
    r->at += n;
    for (size_t i = r->name_count; i-- > 0;)
        if (r->names[i].length == n && memcmp(r->names[i].text, begin, n) == 0)
            return r->names[i].value;
    if (!r->dry || pm_python_take(&r->at, "(", "") || pm_python_take(&r->at, ".", "") ||
        pm_python_take(&r->at, "[", ""))
        pm_python_refuse(r, "%.*s is not known", (int)n, begin);
    return 0;
}

static int64_t one(pm_python_reader *r)
{
    int64_t value;

    pm_python_skip(&r->at);
    pm_python_count_step(r);
    if (isdigit((unsigned char)*r->at))
        return digits(r);
    if (pm_python_word(r->at) > 0)
        return of_name(r);
    if (!pm_python_take(&r->at, "(", ""))
        pm_python_refuse(
            r, *r->at ? "a number is missing before \"%.40s\"" : "a number is missing at the end",
            r->at);
    pm_python_deeper(r);
    value = pm_python_number(r);
    r->depth--;
    pm_python_expect(r, ")");
    return value;
}

static int64_t sign(pm_python_reader *r)
{
    const bool minus = pm_python_take(&r->at, "-", ""),
               inverse = !minus && pm_python_take(&r->at, "~", "");
    int64_t value, exponent;

    if (minus || inverse || pm_python_take(&r->at, "+", "")) {
        pm_python_deeper(r);
        value = sign(r);
        r->depth--;
        if (minus && value == INT64_MIN)
            refuse_overflow(r);
        return minus ? -value : inverse ? ~value : value;
    }
    value = one(r);
    if (!pm_python_take(&r->at, "**", ""))
        return value;
    pm_python_deeper(r);
    exponent = sign(r);
    r->depth--;
    require(r, pm_python_power(value, r->dry ? 0 : exponent, &value));
    return value;
}

static int64_t product(pm_python_reader *r)
{
    int64_t value = sign(r);

    for (;;) {
        if (pm_python_take(&r->at, "*", "*")) {
            if (__builtin_mul_overflow(value, sign(r), &value))
                refuse_overflow(r);
        } else if (pm_python_take(&r->at, "//", "")) {
            value = divide(r, value, sign(r), 'f');
        } else if (pm_python_take(&r->at, "/", "/")) {
            value = divide(r, value, sign(r), '/');
        } else if (pm_python_take(&r->at, "%", "")) {
            value = divide(r, value, sign(r), '%');
        } else {
            return value;
        }
    }
}

static int64_t sum(pm_python_reader *r)
{
    int64_t value = product(r);

    for (;;) {
        const bool minus = pm_python_take(&r->at, "-", "");

        if (!minus && !pm_python_take(&r->at, "+", ""))
            return value;
        if (minus ? __builtin_sub_overflow(value, product(r), &value)
                  : __builtin_add_overflow(value, product(r), &value))
            refuse_overflow(r);
    }
}

static int64_t bits(pm_python_reader *r)
{
    int64_t value = sum(r);

    for (;;) {
        if (pm_python_take(&r->at, "<<", ""))
            value = shift(r, value, sum(r), true);
        else if (pm_python_take(&r->at, ">>", ""))
            value = shift(r, value, sum(r), false);
        else
            return value;
    }
}

/* Evaluates an expression with the operators |, ^ and &. The operator & binds most strongly, and |
 * least. level: 0: all three operators; 1: ^ and &; 2: only &. */
static int64_t joined(pm_python_reader *r, unsigned level)
{
    static const char *const signs[] = {"|", "^", "&"};
    int64_t value = level == 3 ? bits(r) : joined(r, level + 1);

    while (level < 3 && pm_python_take(&r->at, signs[level], "")) {
        const int64_t other = level == 2 ? bits(r) : joined(r, level + 1);

        value = level == 0 ? value | other : level == 1 ? value ^ other : value & other;
    }
    return value;
}

static bool contains(pm_python_reader *r, int64_t value)
{
    const pm_python_list list = pm_python_sequence(r);

    for (size_t i = 0; i < list.count; i++)
        if (list.items[i] == value)
            return true;
    return false;
}

static bool is_true(int64_t a, const char *sign, int64_t b)
{
    const bool or_equal = sign[1] == '=';

    switch (*sign) {
    case '<':
        return or_equal ? a <= b : a < b;
    case '>':
        return or_equal ? a >= b : a > b;
    default:
        return (a == b) == (*sign == '=');
    }
}

/* Reads a comparison operator with its right side, and compares *left with the right side. Returns
 * false if no operator follows. Otherwise sets *holds, and sets *left to the right side. */
static bool compare(pm_python_reader *r, int64_t *left, bool *holds)
{
    const char *sign = pm_python_take_comparison(&r->at);
    const int64_t a = *left;

    if (sign) {
        *left = joined(r, 0);
        *holds = is_true(a, sign, *left);
    } else if (pm_python_take_not_in(&r->at)) {
        *holds = !contains(r, a);
    } else if (pm_python_take_word(&r->at, "in")) {
        *holds = contains(r, a);
    } else {
        return false;
    }
    return true;
}

/* Evaluates a comparison. A chain a < b < c means a < b and b < c. */
static int64_t comparison(pm_python_reader *r)
{
    int64_t left = joined(r, 0);
    bool all = true, holds = true;
    size_t n = 0;

    for (; compare(r, &left, &holds); n++)
        all = all && holds;
    return n > 0 ? all : left;
}

static int64_t denial(pm_python_reader *r)
{
    int64_t value;

    if (!pm_python_take_word(&r->at, "not"))
        return comparison(r);
    pm_python_deeper(r);
    value = !denial(r);
    r->depth--;
    return value;
}

/* Evaluates operands joined by `or` (if by_or) or by `and`, which binds more strongly. If the left
 * operand decides the result, the right operand is parsed but not evaluated. */
static int64_t decided(pm_python_reader *r, bool by_or)
{
    int64_t value = by_or ? decided(r, false) : denial(r);

    while (pm_python_take_word(&r->at, by_or ? "or" : "and")) {
        const bool is_decided = (value != 0) == by_or;
        int64_t other;

        r->dry += is_decided;
        other = by_or ? decided(r, false) : denial(r);
        r->dry -= is_decided;
        value = is_decided ? value : other;
    }
    return value;
}

int64_t pm_python_any(pm_python_reader *r)
{
    return decided(r, true);
}

/* Reads `a if condition else b`, and evaluates one side only. An `if` without `else` is not
 * read: it begins the next clause of a comprehension. */
int64_t pm_python_number(pm_python_reader *r)
{
    const char *begin = r->at, *end;
    bool chosen;
    int64_t value;

    r->dry++;
    value = pm_python_any(r);
    r->dry--;
    if (!pm_python_take_word(&r->at, "if")) {
        if (r->dry)
            return value;
        r->at = begin;
        return pm_python_any(r);
    }
    chosen = pm_python_any(r) != 0;
    pm_python_expect(r, "else");
    r->dry += chosen;
    value = pm_python_number(r);
    r->dry -= chosen;
    if (!chosen || r->dry)
        return value;
    end = r->at;
    r->at = begin;
    value = pm_python_any(r);
    r->at = end;
    return value;
}
