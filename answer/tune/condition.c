/* Translates conditions on tuning parameters, written in Python, into expressions of a [tune]
 * section (program/contents/expression.h). See condition.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recursive-descent parser. Precedence of operators is that of The Python Language Reference,
 * section 6.17. Each rule of the grammar returns the translated text.
 */
#include "answer/tune/condition.h"

#include <ctype.h>
#include <string.h>

#include "answer/tune/python_words.h"
#include "program/contents/expression.h"

enum { MOST_DEPTH = 32, LONGEST = 4096 };

typedef struct {
    char *text;
    /* true: the text is the translation of an `and`, an `or` or a `not`. The translation must not
     * be used as a number: it gives 0 or 1, but Python's `and` and `or` give the value of an
     * operand. */
    bool decides;
} term;

typedef struct {
    pm_memory *memory;
    const char *python, *where, *at;
    unsigned depth;
    bool real, floors;
} reader;

#define refuse(r, format, ...)                                                                     \
    pm_leave((r)->memory, PM_BAD_INPUT, "%s: condition \"%.100s\": " format, (r)->where,           \
             (r)->python, __VA_ARGS__)

/* Makes a term: the translation of a part of a Python condition, and whether its value is only true
 * or false. Raises an error if the text is longer than LONGEST. Some translations contain an
 * operand twice, so the length can grow exponentially with the nesting. */
static term made(const reader *r, char *text, bool decides)
{
    if (strlen(text) > LONGEST)
        refuse(r, "it is longer than %d characters as one of [tune]", LONGEST);
    return (term){text, decides};
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static void expect(reader *r, const char *sign)
{
    if (!pm_python_take(&r->at, sign, ""))
        refuse(r, "%s is missing before \"%.40s\"", sign, r->at);
}

/* ---- rules ----------------------------------------------------------------------------------- */

static term either(reader *r);
static term sign(reader *r);

/* Returns the translated text of an operand of arithmetic or of a comparison. Raises an error if
 * the operand is the result of `and`, `or` or `not`. */
static const char *number(const reader *r, const term *t)
{
    if (t->decides)
        refuse(r, "what and, or, not give (%.60s) cannot be calculated with", t->text);
    return t->text;
}

static term call(reader *r, const char *name)
{
    term a, b;

    expect(r, "(");
    a = either(r);
    expect(r, ",");
    b = either(r);
    if (!pm_python_take(&r->at, ")", ""))
        refuse(r, "%s of two is known, not before \"%.40s\"", name, r->at);
    return made(r, pm_format(r->memory, "%s(%s, %s)", name, number(r, &a), number(r, &b)), false);
}

static term digits(reader *r)
{
    const char *begin = r->at;
    size_t n = strspn(begin, "0123456789");

    if (begin[n] == '.') {
        r->real = true;
        n += 1 + strspn(begin + n + 1, "0123456789");
    }
    r->at += n;
    if (pm_python_word(r->at) > 0)
        refuse(r, "\"%.40s\" is no number", begin);
    return made(r, pm_format(r->memory, "%.*s", (int)n, begin), false);
}

static term named(reader *r)
{
    const char *begin = r->at;
    const size_t n = pm_python_word(r->at);

    if (pm_python_take_word(&r->at, "min"))
        return call(r, "min");
    if (pm_python_take_word(&r->at, "max"))
        return call(r, "max");
    if (pm_python_take_word(&r->at, "True"))
        return made(r, pm_copy(r->memory, "1"), false);
    if (pm_python_take_word(&r->at, "False"))
        return made(r, pm_copy(r->memory, "0"), false);
    r->at += n;
    if (pm_python_take(&r->at, "(", ""))
        refuse(r, "the function %.*s is not known; min and max are", (int)n, begin);
    if (pm_python_take(&r->at, "[", "") || pm_python_take(&r->at, ".", ""))
        refuse(r, "%.*s is taken as a number: nothing of it can be taken", (int)n, begin);
    return made(r, pm_format(r->memory, "%.*s", (int)n, begin), false);
}

static term one(reader *r)
{
    term inner;

    pm_python_skip(&r->at);
    if (isdigit((unsigned char)*r->at) || *r->at == '.')
        return digits(r);
    if (pm_python_word(r->at) > 0)
        return named(r);
    if (!pm_python_take(&r->at, "(", ""))
        refuse(r, "a number or a parameter is missing before \"%.40s\"", r->at);
    inner = either(r);
    expect(r, ")");
    return made(r, pm_format(r->memory, "(%s)", inner.text), inner.decides);
}

/* Enters a rule of the grammar that can contain itself (parentheses, signs, powers, `not`). Raises
 * an error if more than MOST_DEPTH of them are nested. */
static void deeper(reader *r)
{
    if (++r->depth > MOST_DEPTH)
        refuse(r, "more than %d parentheses, signs or powers inside of each other", MOST_DEPTH);
}

static term power(reader *r)
{
    term base = one(r), exponent;

    if (!pm_python_take(&r->at, "**", ""))
        return base;
    deeper(r);
    exponent = sign(r);
    r->depth--;
    return made(r, pm_format(r->memory, "%s ** (%s)", number(r, &base), number(r, &exponent)),
                false);
}

static term sign(reader *r)
{
    const bool minus = pm_python_take(&r->at, "-", "");
    term of;

    if (!minus && !pm_python_take(&r->at, "+", ""))
        return power(r);
    deeper(r);
    of = sign(r);
    r->depth--;
    return made(r, pm_format(r->memory, "(%c%s)", minus ? '-' : '+', number(r, &of)), false);
}

/* Returns the translation of Python's a % b if `rest` is true, otherwise of a // b. Python's % has
 * the sign of b, and its // rounds down. */
static term floored(const reader *r, const term *a, const term *b, bool rest)
{
    const char *x = number(r, a), *y = number(r, b);

    return made(r,
                rest ? pm_format(r->memory, "(((%s) %% (%s) + (%s)) %% (%s))", x, y, y, y)
                     : pm_format(r->memory, "(((%s) - ((%s) %% (%s) + (%s)) %% (%s)) / (%s))", x, x,
                                 y, y, y, y),
                false);
}

static term product(reader *r)
{
    term left = sign(r);

    for (;;) {
        term right;

        if (pm_python_take(&r->at, "*", "*")) {
            right = sign(r);
            left = made(r, pm_format(r->memory, "%s * %s", number(r, &left), number(r, &right)),
                        false);
        } else if (pm_python_take(&r->at, "//", "")) {
            right = sign(r);
            r->floors = true;
            left = floored(r, &left, &right, false);
        } else if (pm_python_take(&r->at, "/", "/")) {
            right = sign(r);
            r->real = true;
            left = made(r, pm_format(r->memory, "%s / %s", number(r, &left), number(r, &right)),
                        false);
        } else if (pm_python_take(&r->at, "%", "")) {
            right = sign(r);
            left = floored(r, &left, &right, true);
        } else {
            return left;
        }
    }
}

static term sum(reader *r)
{
    term left = product(r);

    for (;;) {
        const bool minus = pm_python_take(&r->at, "-", "");
        term right;

        if (!minus && !pm_python_take(&r->at, "+", ""))
            return left;
        right = product(r);
        left = made(r,
                    pm_format(r->memory, "%s %c %s", number(r, &left), minus ? '-' : '+',
                              number(r, &right)),
                    false);
    }
}

/* Parses the Python list after `in` or `not in`. Returns the translation: an expression that
 * compares `value` with each item of the list. wanted: true for `in`, false for `not in`. */
static term one_of(reader *r, const term *value, bool wanted)
{
    const bool list = pm_python_take(&r->at, "[", "");
    const char *end = list ? "]" : ")";
    char *text = pm_copy(r->memory, wanted ? "0" : "1");

    if (!list && !pm_python_take(&r->at, "(", ""))
        refuse(r, "a list in [ ] is wanted behind in, before \"%.40s\"", r->at);
    while (!pm_python_take(&r->at, end, "")) {
        const term item = sum(r);

        text = made(r,
                    pm_format(r->memory, wanted ? "%s || (%s) == (%s)" : "%s && (%s) != (%s)", text,
                              number(r, value), number(r, &item)),
                    false)
                   .text;
        if (!pm_python_take(&r->at, ",", "")) {
            expect(r, end);
            break;
        }
    }
    return made(r, pm_format(r->memory, "(%s)", text), false);
}

/* Parses a comparison. A chain a < b < c means a < b and b < c. */
static term comparison(reader *r)
{
    term left = sum(r), all = left;

    for (size_t n = 0;; n++) {
        const bool out = pm_python_take_not_in(&r->at),
                   in = !out && pm_python_take_word(&r->at, "in");
        const char *how = in || out ? NULL : pm_python_take_comparison(&r->at);
        term right, now;

        if (in || out) {
            right = now = one_of(r, &left, in);
        } else if (how) {
            right = sum(r);
            now = made(r,
                       pm_format(r->memory, "(%s %s %s)", number(r, &left), how, number(r, &right)),
                       false);
        } else {
            return all;
        }
        all = n == 0 ? now : made(r, pm_format(r->memory, "(%s && %s)", all.text, now.text), false);
        left = right;
    }
}

static term denial(reader *r)
{
    term of;

    if (!pm_python_take_word(&r->at, "not"))
        return comparison(r);
    deeper(r);
    of = denial(r);
    r->depth--;
    return made(r, pm_format(r->memory, "((%s) == 0)", of.text), true);
}

static term both(reader *r)
{
    term left = denial(r);

    while (pm_python_take_word(&r->at, "and")) {
        const term right = denial(r);

        left = made(r, pm_format(r->memory, "((%s) ? (%s) != 0 : 0)", left.text, right.text), true);
    }
    return left;
}

static term either(reader *r)
{
    term left;

    deeper(r);
    left = both(r);
    while (pm_python_take_word(&r->at, "or")) {
        const term right = both(r);

        left = made(r, pm_format(r->memory, "((%s) ? 1 : (%s) != 0)", left.text, right.text), true);
    }
    r->depth--;
    return left;
}

static const char *translate(reader *r)
{
    const term all = either(r);

    pm_python_skip(&r->at);
    if (*r->at)
        refuse(r, "\"%.40s\" is not known: arithmetic, comparisons, and, or, not, in are", r->at);
    if (r->real && r->floors)
        refuse(r, "%s", "it has // beside fractions: write one of them otherwise");
    return all.text;
}

/* ---- conditions ------------------------------------------------------------------------------ */

struct pm_condition {
    const char *python, *where;
    pm_expression expression;
    pm_numbers names;
    /* name of each tuning parameter, and its value in the combination of values that is being
     * tested */
    pm_named_number *values;
};

const pm_condition *pm_condition_read(pm_memory *memory, const char *python, const char *where,
                                      const pm_tune_space *space)
{
    pm_condition *condition = pm_take(memory, 1, sizeof *condition);
    reader r = {.memory = memory, .python = python, .where = where, .at = python};
    const char *text = translate(&r);
    char what[PM_EXPRESSION_FAULT];

    condition->python = python;
    condition->where = where;
    condition->values = pm_take(memory, space->count, sizeof *condition->values);
    condition->names = (pm_numbers){space->count, condition->values};
    for (size_t p = 0; p < space->count; p++)
        condition->values[p].name = space->parameters[p].name;
    if (!pm_expression_read(text, &condition->names, r.real, &condition->expression, what))
        refuse(&r, "%s", what);
    return condition;
}

bool pm_condition_holds(const pm_memory *memory, const pm_condition *condition,
                        const int64_t *values)
{
    pm_expression_number value = {.integer = 0};
    char what[PM_EXPRESSION_FAULT];

    for (size_t p = 0; p < condition->names.count; p++)
        condition->values[p].value = values[p];
    if (!pm_expression_value(&condition->expression, &condition->names, &value, what))
        pm_leave(memory, PM_BAD_INPUT, "%s: condition \"%.100s\": %s", condition->where,
                 condition->python, what);
    return condition->expression.real ? value.real != 0 : value.integer != 0;
}
