/* Reads and works out an expression in one go. See expression.h.
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

/* Which of the two it is, the reader says. */
typedef union {
    int64_t integer;
    double real;
} number;

typedef struct {
    const char *at;
    const pm_numbers *names;
    bool real;
    unsigned depth;
    char *fault;
} reader;

static bool fail(const reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool sum(reader *r, number *value);

static bool fail(const reader *r, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(r->fault, PM_EXPRESSION_FAULT, format, args);
    va_end(args);
    return false;
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
        return fail(r, "'%c' is missing before \"%.40s\"", what, r->at);
    return fail(r, "'%c' is missing at the end", what);
}

/* ---- operators ----------------------------------------------------------------------------- */

static bool integer_apply(const reader *r, char op, int64_t a, int64_t b, int64_t *value)
{
    if ((op == '/' || op == '%') && b == 0)
        return fail(r, "%lld %c 0: a division by zero", (long long)a, op);
    if ((op == '/' || op == '%') && b == -1) /* of INT64_MIN it overflows */
        return op == '%' ? (*value = 0, true)
                         : !__builtin_sub_overflow((int64_t)0, a, value) ||
                               fail(r, "the value is larger than 64 bits hold");
    if (op == '/')
        return *value = a / b, true;
    if (op == '%')
        return *value = a % b, true;
    if (op == '+'   ? __builtin_add_overflow(a, b, value)
        : op == '-' ? __builtin_sub_overflow(a, b, value)
                    : __builtin_mul_overflow(a, b, value))
        return fail(r, "%lld %c %lld is larger than 64 bits hold", (long long)a, op, (long long)b);
    return true;
}

static bool apply(const reader *r, char op, number *a, number b)
{
    if (!r->real)
        return integer_apply(r, op, a->integer, b.integer, &a->integer);
    if (op == '%')
        return fail(r, "%% is for integers");
    if (op == '/' && b.real == 0)
        return fail(r, "%g / 0: a division by zero", a->real);
    a->real = op == '+'   ? a->real + b.real
              : op == '-' ? a->real - b.real
              : op == '*' ? a->real * b.real
                          : a->real / b.real;
    return isfinite(a->real) || fail(r, "the value is larger than a double holds");
}

/* ---- operands ------------------------------------------------------------------------------ */

static bool literal(reader *r, number *value)
{
    const size_t digits = strspn(r->at, "0123456789");
    const char *end;

    if (r->real && r->at[digits] != 'x' && r->at[digits] != 'X') {
        end = r->at;
        if (!pm_number_take(&end, &value->real))
            return fail(r, "\"%.40s\" is larger than a double holds", r->at);
    } else {
        char *behind;

        errno = 0;
        value->integer = strtoll(r->at, &behind, 10);
        end = behind;
        if (errno == ERANGE)
            return fail(r, "\"%.40s\" is larger than 64 bits hold", r->at);
    }
    if (isalnum((unsigned char)*end) || *end == '_' || *end == '.')
        return fail(r, "\"%.40s\" is no %s", r->at, r->real ? "number" : "integer");
    r->at = end;
    return true;
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

static bool smaller(const reader *r, number a, number b)
{
    return r->real ? a.real < b.real : a.integer < b.integer;
}

static bool extreme(reader *r, bool least, number *value)
{
    number other;

    if (!expect(r, '(') || !sum(r, value) || !expect(r, ',') || !sum(r, &other) || !expect(r, ')'))
        return false;
    if (smaller(r, other, *value) == least)
        *value = other;
    return true;
}

static bool unknown(const reader *r, size_t length)
{
    char list[100] = "";

    for (size_t i = 0; i < r->names->count; i++)
        pm_list_add(list, sizeof list, "%s", r->names->items[i].name);
    return fail(r, "\"%.*s\" is no parameter; there %s %s", length < 40 ? (int)length : 40, r->at,
                r->names->count == 1 ? "is" : "are", r->names->count ? list : "none");
}

static bool named(reader *r, number *value)
{
    const size_t length = name_length(r->at);
    const char *name = r->at;

    if (is_word(name, length, "min") || is_word(name, length, "max")) {
        r->at += length;
        return extreme(r, is_word(name, length, "min"), value);
    }
    for (size_t i = 0; i < r->names->count; i++)
        if (is_word(name, length, r->names->items[i].name)) {
            if (r->real)
                value->real = (double)r->names->items[i].value;
            else
                value->integer = r->names->items[i].value;
            r->at += length;
            return true;
        }
    return unknown(r, length);
}

static bool one(reader *r, number *value)
{
    const char next = peek(r);

    if (take(r, '('))
        return sum(r, value) && expect(r, ')');
    if (isdigit((unsigned char)next) || (r->real && next == '.'))
        return literal(r, value);
    if (name_length(r->at) > 0)
        return named(r, value);
    if (next)
        return fail(r, "a number or a parameter is missing before \"%.40s\"", r->at);
    return fail(r, "a number or a parameter is missing at the end");
}

/* ---- the grammar --------------------------------------------------------------------------- */

static bool sign(reader *r, number *value)
{
    const bool minus = peek(r) == '-';
    number zero = {.integer = 0};

    if (r->depth == MOST_DEPTH)
        return fail(r, "more than %d parentheses or signs inside of each other", MOST_DEPTH);
    r->depth++;
    if (r->real)
        zero.real = 0;
    if (minus || peek(r) == '+') {
        r->at++;
        if (!sign(r, value) || (minus && !apply(r, '-', &zero, *value)))
            return false;
        if (minus)
            *value = zero;
    } else if (!one(r, value)) {
        return false;
    }
    r->depth--;
    return true;
}

static bool product(reader *r, number *value)
{
    if (!sign(r, value))
        return false;
    while (peek(r) == '*' || *r->at == '/' || *r->at == '%') {
        const char op = *r->at++;
        number right;

        if (!sign(r, &right) || !apply(r, op, value, right))
            return false;
    }
    return true;
}

static bool sum(reader *r, number *value)
{
    if (!product(r, value))
        return false;
    while (peek(r) == '+' || *r->at == '-') {
        const char op = *r->at++;
        number right;

        if (!product(r, &right) || !apply(r, op, value, right))
            return false;
    }
    return true;
}

static bool work_out(reader r, number *value)
{
    return sum(&r, value) &&
           (!peek(&r) ||
            fail(&r, "\"%.40s\" is too much, or an operator before it is missing", r.at));
}

bool pm_expression_integer(const char *text, const pm_numbers *names, int64_t *value, char *fault)
{
    number result;
    bool done = work_out((reader){.at = text, .names = names, .fault = fault}, &result);

    *value = done ? result.integer : *value;
    return done;
}

bool pm_expression_real(const char *text, const pm_numbers *names, double *value, char *fault)
{
    number result;
    bool done =
        work_out((reader){.at = text, .names = names, .real = true, .fault = fault}, &result);

    *value = done ? result.real : *value;
    return done;
}
