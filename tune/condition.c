/* Translates Python conditions into expressions of suite/file/expression.h. See condition.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recursive-descent parser. Precedence of operators is that of The Python Language Reference,
 * section 6.17. Each rule of the grammar returns the translated text.
 */
#include "tune/condition.h"

#include <ctype.h>
#include <string.h>

#include "suite/file/expression.h"

enum { MOST_DEPTH = 32, LONGEST = 4096 };

typedef struct {
    char *text;
    /* made by and, or, not, whose value in Python may be an operand rather than 0 or 1 */
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

/* Returns a term. Limits its length because operators that write an operand twice make it grow
 * exponentially. */
static term made(const reader *r, char *text, bool decides)
{
    if (strlen(text) > LONGEST)
        refuse(r, "it is longer than %d characters as one of [tune]", LONGEST);
    return (term){text, decides};
}

/* ---- words ----------------------------------------------------------------------------------- */

static void skip(reader *r)
{
    r->at += strspn(r->at, " \t\r\n");
}

static size_t word_length(const reader *r)
{
    size_t n = 0;

    while (isalnum((unsigned char)r->at[n]) || r->at[n] == '_')
        n++;
    return n;
}

static bool is_word(const reader *r, const char *word)
{
    return word_length(r) == strlen(word) && strncmp(r->at, word, strlen(word)) == 0;
}

static bool take_word(reader *r, const char *word)
{
    skip(r);
    if (!is_word(r, word))
        return false;
    r->at += strlen(word);
    return true;
}

/* Reads an operator, unless one of the characters not_before follows it. */
static bool take(reader *r, const char *sign, const char *not_before)
{
    const size_t n = strlen(sign);

    skip(r);
    if (strncmp(r->at, sign, n) != 0 || (r->at[n] && strchr(not_before, r->at[n])))
        return false;
    r->at += n;
    return true;
}

static void expect(reader *r, const char *sign)
{
    if (!take(r, sign, ""))
        refuse(r, "%s is missing before \"%.40s\"", sign, r->at);
}

/* ---- rules ----------------------------------------------------------------------------------- */

static term either(reader *r);
static term sign(reader *r);

/* Text of an operand of arithmetic or of a comparison. Rejects results of and, or, not. */
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
    if (!take(r, ")", ""))
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
    if (word_length(r) > 0)
        refuse(r, "\"%.40s\" is no number", begin);
    return made(r, pm_format(r->memory, "%.*s", (int)n, begin), false);
}

static term named(reader *r)
{
    const char *begin = r->at;
    const size_t n = word_length(r);

    if (take_word(r, "min"))
        return call(r, "min");
    if (take_word(r, "max"))
        return call(r, "max");
    if (take_word(r, "True"))
        return made(r, pm_copy(r->memory, "1"), false);
    if (take_word(r, "False"))
        return made(r, pm_copy(r->memory, "0"), false);
    r->at += n;
    if (take(r, "(", ""))
        refuse(r, "the function %.*s is not known; min and max are", (int)n, begin);
    if (take(r, "[", "") || take(r, ".", ""))
        refuse(r, "%.*s is taken as a number: nothing of it can be taken", (int)n, begin);
    return made(r, pm_format(r->memory, "%.*s", (int)n, begin), false);
}

static term one(reader *r)
{
    term inner;

    skip(r);
    if (isdigit((unsigned char)*r->at) || *r->at == '.')
        return digits(r);
    if (word_length(r) > 0)
        return named(r);
    if (!take(r, "(", ""))
        refuse(r, "a number or a parameter is missing before \"%.40s\"", r->at);
    inner = either(r);
    expect(r, ")");
    return made(r, pm_format(r->memory, "(%s)", inner.text), inner.decides);
}

static term power(reader *r)
{
    term base = one(r), exponent;

    if (!take(r, "**", ""))
        return base;
    exponent = sign(r);
    return made(r, pm_format(r->memory, "%s ** (%s)", number(r, &base), number(r, &exponent)),
                false);
}

/* Enters a nested rule: either, sign and denial call it. Ends the attempt beyond MOST_DEPTH. */
static void deeper(reader *r)
{
    if (++r->depth > MOST_DEPTH)
        refuse(r, "more than %d parentheses or signs inside of each other", MOST_DEPTH);
}

static term sign(reader *r)
{
    const bool minus = take(r, "-", "");
    term of;

    if (!minus && !take(r, "+", ""))
        return power(r);
    deeper(r);
    of = sign(r);
    r->depth--;
    return made(r, pm_format(r->memory, "(%c%s)", minus ? '-' : '+', number(r, &of)), false);
}

/* Python's % (rest) or // of a and b. The remainder has the sign of the divisor, and // rounds
 * down. */
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

        if (take(r, "*", "*")) {
            right = sign(r);
            left = made(r, pm_format(r->memory, "%s * %s", number(r, &left), number(r, &right)),
                        false);
        } else if (take(r, "//", "")) {
            right = sign(r);
            r->floors = true;
            left = floored(r, &left, &right, false);
        } else if (take(r, "/", "/")) {
            right = sign(r);
            r->real = true;
            left = made(r, pm_format(r->memory, "%s / %s", number(r, &left), number(r, &right)),
                        false);
        } else if (take(r, "%", "")) {
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
        const bool minus = take(r, "-", "");
        term right;

        if (!minus && !take(r, "+", ""))
            return left;
        right = product(r);
        left = made(r,
                    pm_format(r->memory, "%s %c %s", number(r, &left), minus ? '-' : '+',
                              number(r, &right)),
                    false);
    }
}

/* Parses the list after `in` or `not in` (wanted is false) and compares value with each item. */
static term one_of(reader *r, const term *value, bool wanted)
{
    const bool list = take(r, "[", "");
    const char *end = list ? "]" : ")";
    char *text = pm_copy(r->memory, wanted ? "0" : "1");

    if (!list && !take(r, "(", ""))
        refuse(r, "a list in [ ] is wanted behind in, before \"%.40s\"", r->at);
    while (!take(r, end, "")) {
        const term item = sum(r);

        text = made(r,
                    pm_format(r->memory, wanted ? "%s || (%s) == (%s)" : "%s && (%s) != (%s)", text,
                              number(r, value), number(r, &item)),
                    false)
                   .text;
        if (!take(r, ",", "")) {
            expect(r, end);
            break;
        }
    }
    return made(r, pm_format(r->memory, "(%s)", text), false);
}

/* Reads a comparison operator; NULL: none follows. */
static const char *comparison_sign(reader *r)
{
    static const char *const signs[] = {"<=", ">=", "==", "!=", "<", ">"};

    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (take(r, signs[i], "<>"))
            return signs[i];
    return NULL;
}

static bool take_not_in(reader *r)
{
    const char *begin = r->at;

    if (take_word(r, "not") && take_word(r, "in"))
        return true;
    r->at = begin;
    return false;
}

/* A chain a < b < c means a < b and b < c. */
static term comparison(reader *r)
{
    term left = sum(r), all = left;

    for (size_t n = 0;; n++) {
        const bool out = take_not_in(r), in = !out && take_word(r, "in");
        const char *how = in || out ? NULL : comparison_sign(r);
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

    if (!take_word(r, "not"))
        return comparison(r);
    deeper(r);
    of = denial(r);
    r->depth--;
    return made(r, pm_format(r->memory, "((%s) == 0)", of.text), true);
}

static term both(reader *r)
{
    term left = denial(r);

    while (take_word(r, "and")) {
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
    while (take_word(r, "or")) {
        const term right = both(r);

        left = made(r, pm_format(r->memory, "((%s) ? 1 : (%s) != 0)", left.text, right.text), true);
    }
    r->depth--;
    return left;
}

static const char *translate(reader *r)
{
    const term all = either(r);

    skip(r);
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
    pm_named_number *values; /* name and current value of each parameter */
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
