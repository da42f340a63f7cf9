/* Reads an expression into steps on a stack, and works them out. See expression.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library does not do: muParser, the one in Debian with a C interface, calculates in doubles, in
 * which buffers of 2^53 bytes and overflow look alike, and tells no division by zero; a size has to
 * be an exact integer, or a fault with its reason.
 */
#include "suite/file/expression.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/text.h"

enum { MOST_DEPTH = 64 }; /* of parentheses and signs: each is a call */

typedef pm_expression_number number;

static bool fail(char *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(char *fault, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(fault, PM_EXPRESSION_FAULT, format, args);
    va_end(args);
    return false;
}

/* ---- the value ------------------------------------------------------------------------------ */

static bool integer_apply(char op, int64_t a, int64_t b, int64_t *value, char *fault)
{
    if ((op == '/' || op == '%') && b == 0)
        return fail(fault, "%lld %c 0: a division by zero", (long long)a, op);
    if ((op == '/' || op == '%') && b == -1) /* of INT64_MIN it overflows */
        return op == '%' ? (*value = 0, true)
                         : !__builtin_sub_overflow((int64_t)0, a, value) ||
                               fail(fault, "the value is larger than 64 bits hold");
    if (op == '/')
        return *value = a / b, true;
    if (op == '%')
        return *value = a % b, true;
    if (op == '+'   ? __builtin_add_overflow(a, b, value)
        : op == '-' ? __builtin_sub_overflow(a, b, value)
                    : __builtin_mul_overflow(a, b, value))
        return fail(fault, "%lld %c %lld is larger than 64 bits hold", (long long)a, op,
                    (long long)b);
    return true;
}

static bool real_apply(char op, double a, double b, double *value, char *fault)
{
    if ((op == '/' || op == '%') && b == 0)
        return fail(fault, "%g %c 0: a division by zero", a, op);
    *value = op == '+'   ? a + b
             : op == '-' ? a - b
             : op == '*' ? a * b
             : op == '/' ? a / b
                         : fmod(a, b);
    return isfinite(*value) || fail(fault, "the value is larger than a double holds");
}

static number extreme_of(bool real, bool least, number a, number b)
{
    const bool smaller = real ? b.real < a.real : b.integer < a.integer;

    return smaller == least ? b : a;
}

static bool apply(const pm_expression *expression, size_t step, number *left, number right,
                  char *fault)
{
    const char op = expression->steps[step].op;

    if (expression->steps[step].kind == PM_STEP_OPERATOR)
        return expression->real
                   ? real_apply(op, left->real, right.real, &left->real, fault)
                   : integer_apply(op, left->integer, right.integer, &left->integer, fault);
    *left = extreme_of(expression->real, expression->steps[step].kind == PM_STEP_MIN, *left, right);
    return true;
}

bool pm_expression_value(const pm_expression *expression, const pm_numbers *names, number *value,
                         char *fault)
{
    number stack[PM_EXPRESSION_STEPS];
    size_t top = 0; /* numbers that are there */

    for (size_t i = 0; i < expression->count; i++) {
        const int64_t named = expression->steps[i].kind == PM_STEP_NAME
                                  ? names->items[expression->steps[i].name].value
                                  : 0;

        if (expression->steps[i].kind == PM_STEP_NUMBER)
            stack[top++] = expression->steps[i].number;
        else if (expression->steps[i].kind == PM_STEP_NAME)
            stack[top++] =
                expression->real ? (number){.real = (double)named} : (number){.integer = named};
        else if (top < 2 || !apply(expression, i, &stack[top - 2], stack[top - 1], fault))
            return false;
        else
            top--;
    }
    *value = stack[0];
    return true;
}

/* ---- reading -------------------------------------------------------------------------------- */

typedef struct {
    const char *at;
    const pm_numbers *names;
    pm_expression *to;
    unsigned depth;
    char *fault;
} reader;

static bool sum(reader *r);

static bool add(reader *r, int kind, char op, size_t name, number value)
{
    pm_expression *to = r->to;

    if (to->count == PM_EXPRESSION_STEPS)
        return fail(r->fault, "more than %d numbers and operators", PM_EXPRESSION_STEPS);
    to->steps[to->count].kind = kind;
    to->steps[to->count].op = op;
    to->steps[to->count].name = name;
    to->steps[to->count++].number = value;
    return true;
}

static bool add_operator(reader *r, char op)
{
    return add(r, PM_STEP_OPERATOR, op, 0, (number){0});
}

static char peek(reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
    return *r->at;
}

static bool take(reader *r, char what)
{
    if (peek(r) != what)
        return false;
    r->at++;
    return true;
}

static bool expect(reader *r, char what)
{
    if (take(r, what))
        return true;
    if (*r->at)
        return fail(r->fault, "'%c' is missing before \"%.40s\"", what, r->at);
    return fail(r->fault, "'%c' is missing at the end", what);
}

/* ---- operands ------------------------------------------------------------------------------ */

static bool literal(reader *r)
{
    const bool real = r->to->real;
    number value;

    const size_t digits = strspn(r->at, "0123456789");
    const char *end;

    if (real && r->at[digits] != 'x' && r->at[digits] != 'X') {
        end = r->at;
        if (!pm_number_take(&end, &value.real))
            return fail(r->fault, "\"%.40s\" is larger than a double holds", r->at);
    } else {
        char *behind;

        errno = 0;
        value.integer = strtoll(r->at, &behind, 10);
        end = behind;
        if (errno == ERANGE)
            return fail(r->fault, "\"%.40s\" is larger than 64 bits hold", r->at);
    }
    if (isalnum((unsigned char)*end) || *end == '_' || *end == '.')
        return fail(r->fault, "\"%.40s\" is no %s", r->at, real ? "number" : "integer");
    r->at = end;
    return add(r, PM_STEP_NUMBER, 0, 0, value);
}

static size_t name_length(const char *text)
{
    size_t length = 0;

    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return isdigit((unsigned char)*text) ? 0 : length;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

bool pm_expression_is_name(const char *name)
{
    const size_t length = name_length(name);

    return length > 0 && !name[length] && strcmp(name, "min") != 0 && strcmp(name, "max") != 0;
}

static bool extreme(reader *r, int kind)
{
    return expect(r, '(') && sum(r) && expect(r, ',') && sum(r) && expect(r, ')') &&
           add(r, kind, 0, 0, (number){0});
}

static bool unknown(const reader *r, size_t length)
{
    char list[100] = "";

    for (size_t i = 0; i < r->names->count; i++)
        pm_list_add(list, sizeof list, "%s", r->names->items[i].name);
    return fail(r->fault, "\"%.*s\" is no parameter; there %s %s", length < 40 ? (int)length : 40,
                r->at, r->names->count == 1 ? "is" : "are", r->names->count ? list : "none");
}

static bool named(reader *r)
{
    const size_t length = name_length(r->at);
    const char *name = r->at;

    if (is_word(name, length, "min") || is_word(name, length, "max")) {
        r->at += length;
        return extreme(r, is_word(name, length, "min") ? PM_STEP_MIN : PM_STEP_MAX);
    }
    for (size_t i = 0; i < r->names->count; i++)
        if (is_word(name, length, r->names->items[i].name)) {
            r->at += length;
            return add(r, PM_STEP_NAME, 0, i, (number){0});
        }
    return unknown(r, length);
}

static bool one(reader *r)
{
    const char next = peek(r);

    if (take(r, '('))
        return sum(r) && expect(r, ')');
    if (isdigit((unsigned char)next) || (r->to->real && next == '.'))
        return literal(r);
    if (name_length(r->at) > 0)
        return named(r);
    if (next)
        return fail(r->fault, "a number or a parameter is missing before \"%.40s\"", r->at);
    return fail(r->fault, "a number or a parameter is missing at the end");
}

/* ---- the grammar --------------------------------------------------------------------------- */

/* -x is 0 - x. */
static bool sign(reader *r)
{
    const bool minus = peek(r) == '-';
    number zero = {.integer = 0};

    if (r->depth == MOST_DEPTH)
        return fail(r->fault, "more than %d parentheses or signs inside of each other", MOST_DEPTH);
    r->depth++;
    if (r->to->real)
        zero.real = 0;
    if (minus || peek(r) == '+') {
        r->at++;
        if ((minus && !add(r, PM_STEP_NUMBER, 0, 0, zero)) || !sign(r) ||
            (minus && !add_operator(r, '-')))
            return false;
    } else if (!one(r)) {
        return false;
    }
    r->depth--;
    return true;
}

static bool product(reader *r)
{
    if (!sign(r))
        return false;
    while (peek(r) == '*' || *r->at == '/' || *r->at == '%') {
        const char op = *r->at++;

        if (!sign(r) || !add_operator(r, op))
            return false;
    }
    return true;
}

static bool sum(reader *r)
{
    if (!product(r))
        return false;
    while (peek(r) == '+' || *r->at == '-') {
        const char op = *r->at++;

        if (!product(r) || !add_operator(r, op))
            return false;
    }
    return true;
}

bool pm_expression_read(const char *text, const pm_numbers *names, bool real,
                        pm_expression *expression, char *fault)
{
    reader r = {.at = text, .names = names, .to = expression, .fault = fault};

    expression->real = real;
    expression->count = 0;
    return sum(&r) &&
           (!peek(&r) ||
            fail(fault, "\"%.40s\" is too much, or an operator before it is missing", r.at));
}

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
