/* Parses an expression of a workload file, such as n * (n + 1) / 2, and converts it to steps of a
 * stack machine. See expression.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "base/text.h"
#include "program/contents/expression_parts.h"

enum {
    /* Limit on nested parentheses and signs. The parser is recursive, so deeper nesting could
     * overflow the stack. */
    MOST_DEPTH = 64
};

typedef pm_expression_number number;

const char *const pm_operator_texts[] = {
    [PM_PLUS] = "+",        [PM_MINUS] = "-",    [PM_TIMES] = "*",       [PM_OVER] = "/",
    [PM_REST] = "%",        [PM_POWER] = "**",   [PM_LEFT] = "<<",       [PM_RIGHT] = ">>",
    [PM_LESS_EQUAL] = "<=", [PM_LESS] = "<",     [PM_MORE_EQUAL] = ">=", [PM_MORE] = ">",
    [PM_EQUAL] = "==",      [PM_UNEQUAL] = "!=", [PM_AND] = "&&",        [PM_OR] = "||"};

bool pm_expression_fail(char *fault, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(fault, PM_EXPRESSION_FAULT, format, args);
    va_end(args);
    return false;
}

typedef struct {
    const char *at;
    const pm_numbers *names;
    pm_expression *to;
    unsigned depth;
    char *fault;
} reader;

static bool choice(reader *r);

static bool add(reader *r, int kind, pm_operator op, size_t name, number value)
{
    pm_expression *to = r->to;

    if (to->count == PM_EXPRESSION_STEPS)
        return pm_expression_fail(r->fault, "more than %d numbers and operators",
                                  PM_EXPRESSION_STEPS);
    to->steps[to->count].kind = kind;
    to->steps[to->count].op = op;
    to->steps[to->count].name = name;
    to->steps[to->count++].number = value;
    return true;
}

static bool add_operator(reader *r, pm_operator op)
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
        return pm_expression_fail(r->fault, "'%c' is missing before \"%.40s\"", what, r->at);
    return pm_expression_fail(r->fault, "'%c' is missing at the end", what);
}

/* ---- operands ------------------------------------------------------------------------------ */

static bool literal(reader *r)
{
    const bool real = r->to->real;
    const bool hexadecimal = r->at[0] == '0' && (r->at[1] == 'x' || r->at[1] == 'X') &&
                             isxdigit((unsigned char)r->at[2]);
    const size_t digits = strspn(r->at, "0123456789");
    const char *end;
    number value;

    if (real && !hexadecimal && r->at[digits] != 'x' && r->at[digits] != 'X') {
        end = r->at;
        if (!pm_number_take(&end, &value.real))
            return pm_expression_fail(r->fault, "\"%.40s\" is larger than a double holds", r->at);
    } else {
        char *behind;

        errno = 0;
        value.integer = strtoll(r->at, &behind, hexadecimal ? 16 : 10);
        end = behind;
        if (errno == ERANGE)
            return pm_expression_fail(r->fault, "\"%.40s\" is larger than 64 bits hold", r->at);
        if (real)
            value.real = (double)value.integer;
    }
    if (isalnum((unsigned char)*end) || *end == '_' || *end == '.')
        return pm_expression_fail(r->fault, "\"%.40s\" is no %s", r->at,
                                  real ? "number" : "integer");
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
    return expect(r, '(') && choice(r) && expect(r, ',') && choice(r) && expect(r, ')') &&
           add(r, kind, 0, 0, (number){0});
}

static bool unknown(const reader *r, size_t length)
{
    char list[100] = "";

    for (size_t i = 0; i < r->names->count; i++)
        pm_list_add(list, sizeof list, "%s", r->names->items[i].name);
    return pm_expression_fail(r->fault, "\"%.*s\" is no parameter; there %s %s",
                              length < 40 ? (int)length : 40, r->at,
                              r->names->count == 1 ? "is" : "are", r->names->count ? list : "none");
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
        return choice(r) && expect(r, ')');
    if (isdigit((unsigned char)next) || (r->to->real && next == '.'))
        return literal(r);
    if (name_length(r->at) > 0)
        return named(r);
    if (next)
        return pm_expression_fail(r->fault, "a number or a parameter is missing before \"%.40s\"",
                                  r->at);
    return pm_expression_fail(r->fault, "a number or a parameter is missing at the end");
}

/* ---- the grammar --------------------------------------------------------------------------- */

/* Reads an operator at the current position, if it is one of the `count` operators in `among`, and
 * stores it in *op. A longer operator must precede its prefixes in `among`. Returns false if there
 * is none of them. */
static bool take_operator(reader *r, const pm_operator *among, size_t count, pm_operator *op)
{
    peek(r);
    for (size_t i = 0; i < count; i++)
        if (strncmp(r->at, pm_operator_texts[among[i]], strlen(pm_operator_texts[among[i]])) == 0) {
            r->at += strlen(pm_operator_texts[among[i]]);
            *op = among[i];
            return true;
        }
    return false;
}

/* Parses operands that are separated by operators of one precedence, such as a + b - c, from left
 * to right. */
static bool chain(reader *r, bool (*operand)(reader *r), const pm_operator *among, size_t count)
{
    pm_operator op;

    if (!operand(r))
        return false;
    while (take_operator(r, among, count, &op))
        if (!operand(r) || !add_operator(r, op))
            return false;
    return true;
}

static bool sign(reader *r);

static bool power(reader *r)
{
    static const pm_operator raised[] = {PM_POWER};
    pm_operator op;

    return one(r) && (!take_operator(r, raised, 1, &op) || (sign(r) && add_operator(r, op)));
}

/* Parses an operand with any number of signs. -x becomes 0 - x. */
static bool sign(reader *r)
{
    const bool minus = peek(r) == '-';
    number zero = {.integer = 0};

    if (r->depth == MOST_DEPTH)
        return pm_expression_fail(
            r->fault, "more than %d parentheses or signs inside of each other", MOST_DEPTH);
    r->depth++;
    if (r->to->real)
        zero.real = 0;
    if (minus || peek(r) == '+') {
        r->at++;
        if ((minus && !add(r, PM_STEP_NUMBER, 0, 0, zero)) || !sign(r) ||
            (minus && !add_operator(r, PM_MINUS)))
            return false;
    } else if (!power(r)) {
        return false;
    }
    r->depth--;
    return true;
}

static bool product(reader *r)
{
    static const pm_operator among[] = {PM_TIMES, PM_OVER, PM_REST};

    return chain(r, sign, among, 3);
}

static bool sum(reader *r)
{
    static const pm_operator among[] = {PM_PLUS, PM_MINUS};

    return chain(r, product, among, 2);
}

static bool shift(reader *r)
{
    static const pm_operator among[] = {PM_LEFT, PM_RIGHT};
    const size_t before = r->to->count;

    if (!chain(r, sum, among, 2))
        return false;
    for (size_t i = before; r->to->real && i < r->to->count; i++)
        if (r->to->steps[i].kind == PM_STEP_OPERATOR &&
            (r->to->steps[i].op == PM_LEFT || r->to->steps[i].op == PM_RIGHT))
            return pm_expression_fail(r->fault, "%s: only integers can be shifted",
                                      pm_operator_texts[r->to->steps[i].op]);
    return true;
}

static bool comparison(reader *r)
{
    static const pm_operator among[] = {PM_LESS_EQUAL, PM_MORE_EQUAL, PM_EQUAL,
                                        PM_UNEQUAL,    PM_LESS,       PM_MORE};

    return chain(r, shift, among, 6);
}

static bool all(reader *r)
{
    static const pm_operator among[] = {PM_AND};

    return chain(r, comparison, among, 1);
}

static bool any(reader *r)
{
    static const pm_operator among[] = {PM_OR};

    return chain(r, all, among, 1);
}

static bool choice(reader *r)
{
    size_t unless, go;

    if (!any(r))
        return false;
    if (!take(r, '?'))
        return true;
    unless = r->to->count;
    if (!add(r, PM_STEP_UNLESS, 0, 0, (number){0}) || !choice(r) || !expect(r, ':'))
        return false;
    go = r->to->count;
    if (!add(r, PM_STEP_GO, 0, 0, (number){0}))
        return false;
    r->to->steps[unless].to = r->to->count;
    if (!choice(r))
        return false;
    r->to->steps[go].to = r->to->count;
    return true;
}

bool pm_expression_read(const char *text, const pm_numbers *names, bool real,
                        pm_expression *expression, char *fault)
{
    reader r = {.at = text, .names = names, .to = expression, .fault = fault};

    expression->real = real;
    expression->count = 0;
    return choice(&r) &&
           (!peek(&r) ||
            pm_expression_fail(fault, "\"%.40s\" is too much, or an operator before it is missing",
                               r.at));
}
