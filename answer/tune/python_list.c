/* Evaluates Python list expressions. See python_list.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recursive-descent parser of the expressions in The Python Language Reference, section 6, which
 * evaluates an expression while it parses it. The element of a comprehension is parsed again for
 * each item. If only the end of a text is needed, the parser skips the text without evaluating it
 * (dry).
 */
#include "answer/tune/python_list.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "answer/tune/python_integers.h"
#include "answer/tune/python_words.h"
#include "base/error.h"

enum { MOST_DEPTH = 32, MOST_VALUES = 10000, MOST_STEPS = 1000000, MOST_NAMES = 8 };

typedef struct {
    const char *text;
    size_t length;
    int64_t value;
} named;

typedef struct {
    pm_memory *memory;
    const char *python, *what, *at;
    /* dry: number of enclosing constructs that are parsed only to find their end, without
     * evaluating them */
    unsigned depth, dry;
    size_t steps, name_count;
    named names[MOST_NAMES];
} reader;

#define refuse(r, ...) refuse_with(r, pm_format((r)->memory, __VA_ARGS__))

static _Noreturn void refuse_with(const reader *r, const char *why)
{
    pm_leave(r->memory, PM_BAD_INPUT,
             "%s \"%.60s\": %s; a list of whole numbers is wanted, such as [16, 32] or "
             "[2**i for i in range(4, 6)]",
             r->what, r->python, why);
}

/* ---- tokens ---------------------------------------------------------------------------------- */

static void expect(reader *r, const char *sign)
{
    if (!pm_python_take(&r->at, sign, ""))
        refuse(r, "%s is missing before \"%.40s\"", sign, r->at);
}

static void count_step(reader *r)
{
    if (++r->steps > MOST_STEPS)
        refuse(r, "more than %d steps", MOST_STEPS);
}

/* Enters a recursive rule of the grammar. Raises an error if more than MOST_DEPTH rules are
 * nested. */
static void deeper(reader *r)
{
    if (++r->depth > MOST_DEPTH)
        refuse(r, "more than %d brackets or signs inside of each other", MOST_DEPTH);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int64_t number(reader *r);
static pm_python_list sequence(reader *r);

/* Raises an error with the text `fault` of an arithmetic operation. fault NULL: there was no error,
 * and nothing happens. */
static void require(const reader *r, const char *fault)
{
    if (fault)
        refuse(r, "%s", fault);
}

static _Noreturn void refuse_overflow(const reader *r)
{
    refuse(r, "%s", pm_python_overflow);
}

/* Returns the quotient or remainder of a and b. how: the operator, as in pm_python_divide. Returns
 * 0 while r->dry > 0, because skipped operands have no value. */
static int64_t divide(const reader *r, int64_t a, int64_t b, char how)
{
    int64_t result = 0;

    if (!r->dry)
        require(r, pm_python_divide(a, b, how, &result));
    return result;
}

static int64_t shift(const reader *r, int64_t a, int64_t by, bool left)
{
    int64_t result = 0;

    if (!r->dry)
        require(r, pm_python_shift(a, by, left, &result));
    return result;
}

static int64_t digits(reader *r)
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
        refuse(r, "\"%.40s\" is no whole number", begin);
    return value;
}

static void add(reader *r, pm_python_list *list, int64_t value)
{
    if (r->dry)
        return;
    count_step(r);
    if (list->count == MOST_VALUES)
        refuse(r, "more than %d values", MOST_VALUES);
    list->items = pm_more(r->memory, list->items, list->count, sizeof *list->items);
    list->items[list->count++] = value;
}

static void add_all(reader *r, pm_python_list *list, const pm_python_list *more)
{
    for (size_t i = 0; i < more->count; i++)
        add(r, list, more->items[i]);
}

/* Returns whether a list begins here: a bracket, or a function that makes a list. */
static bool begins_list(reader *r)
{
    static const char *const words[] = {"range", "list", "tuple", "sorted", "reversed"};

    pm_python_skip(&r->at);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (pm_python_is_word(r->at, words[i]))
            return true;
    return *r->at == '[';
}

/* Reads the arguments of min or max: a list, or several numbers. */
static int64_t extreme(reader *r, bool most)
{
    pm_python_list list = {0};
    int64_t found = 0;

    expect(r, "(");
    if (begins_list(r)) {
        list = sequence(r);
    } else {
        do
            add(r, &list, number(r));
        while (pm_python_take(&r->at, ",", ""));
    }
    expect(r, ")");
    if (list.count == 0 && !r->dry)
        refuse(r, "min and max of nothing");
    for (size_t i = 0; i < list.count; i++)
        found = i == 0 || (list.items[i] > found) == most ? list.items[i] : found;
    return found;
}

static int64_t of_name(reader *r)
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
        expect(r, "(");
        value = number(r);
        expect(r, ")");
        return *begin == 'a' && value < 0 && value > INT64_MIN ? -value : value;
    }
    r->at += n;
    for (size_t i = r->name_count; i-- > 0;)
        if (r->names[i].length == n && memcmp(r->names[i].text, begin, n) == 0)
            return r->names[i].value;
    if (!r->dry || pm_python_take(&r->at, "(", "") || pm_python_take(&r->at, ".", "") ||
        pm_python_take(&r->at, "[", ""))
        refuse(r, "%.*s is not known", (int)n, begin);
    return 0;
}

static int64_t one(reader *r)
{
    int64_t value;

    pm_python_skip(&r->at);
    count_step(r);
    if (isdigit((unsigned char)*r->at))
        return digits(r);
    if (pm_python_word(r->at) > 0)
        return of_name(r);
    if (!pm_python_take(&r->at, "(", ""))
        refuse(r,
               *r->at ? "a number is missing before \"%.40s\"" : "a number is missing at the end",
               r->at);
    deeper(r);
    value = number(r);
    r->depth--;
    expect(r, ")");
    return value;
}

static int64_t sign(reader *r)
{
    const bool minus = pm_python_take(&r->at, "-", ""),
               inverse = !minus && pm_python_take(&r->at, "~", "");
    int64_t value, exponent;

    if (minus || inverse || pm_python_take(&r->at, "+", "")) {
        deeper(r);
        value = sign(r);
        r->depth--;
        if (minus && value == INT64_MIN)
            refuse_overflow(r);
        return minus ? -value : inverse ? ~value : value;
    }
    value = one(r);
    if (!pm_python_take(&r->at, "**", ""))
        return value;
    deeper(r);
    exponent = sign(r);
    r->depth--;
    require(r, pm_python_power(value, r->dry ? 0 : exponent, &value));
    return value;
}

static int64_t product(reader *r)
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

static int64_t sum(reader *r)
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

static int64_t bits(reader *r)
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

/* Reads the operators &, ^ and |, of which & binds most strongly and | least. level: 0 for |, 1 for
 * ^, 2 for &. */
static int64_t joined(reader *r, unsigned level)
{
    static const char *const signs[] = {"|", "^", "&"};
    int64_t value = level == 3 ? bits(r) : joined(r, level + 1);

    while (level < 3 && pm_python_take(&r->at, signs[level], "")) {
        const int64_t other = level == 2 ? bits(r) : joined(r, level + 1);

        value = level == 0 ? value | other : level == 1 ? value ^ other : value & other;
    }
    return value;
}

static bool contains(reader *r, int64_t value)
{
    const pm_python_list list = sequence(r);

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
static bool compare(reader *r, int64_t *left, bool *holds)
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
static int64_t comparison(reader *r)
{
    int64_t left = joined(r, 0);
    bool all = true, holds = true;
    size_t n = 0;

    for (; compare(r, &left, &holds); n++)
        all = all && holds;
    return n > 0 ? all : left;
}

static int64_t denial(reader *r)
{
    int64_t value;

    if (!pm_python_take_word(&r->at, "not"))
        return comparison(r);
    deeper(r);
    value = !denial(r);
    r->depth--;
    return value;
}

/* Reads `or` (by_or) or `and`, which binds more strongly. If the left operand decides the result,
 * the right operand is parsed but not evaluated. */
static int64_t decided(reader *r, bool by_or)
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

static int64_t any(reader *r)
{
    return decided(r, true);
}

/* Reads `a if condition else b`, and evaluates only a or b. In a comprehension an `if` without
 * `else` begins the next clause. */
static int64_t number(reader *r)
{
    const char *begin = r->at, *end;
    bool chosen;
    int64_t value;

    r->dry++;
    value = any(r);
    r->dry--;
    if (!pm_python_take_word(&r->at, "if")) {
        if (r->dry)
            return value;
        r->at = begin;
        return any(r);
    }
    chosen = any(r) != 0;
    expect(r, "else");
    r->dry += chosen;
    value = number(r);
    r->dry -= chosen;
    if (!chosen || r->dry)
        return value;
    end = r->at;
    r->at = begin;
    value = any(r);
    r->at = end;
    return value;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Evaluates range(to), range(from, to) or range(from, to, step). */
static pm_python_list range(reader *r)
{
    int64_t numbers[3] = {0, 0, 1};
    pm_python_list list = {0};
    size_t n = 0;

    expect(r, "(");
    do {
        if (n == 3)
            refuse(r, "range has one to three numbers");
        numbers[n++] = number(r);
    } while (pm_python_take(&r->at, ",", ""));
    expect(r, ")");
    if (n == 1) {
        numbers[1] = numbers[0];
        numbers[0] = 0;
    }
    if (r->dry)
        return list;
    if (numbers[2] == 0)
        refuse(r, "the step of range is 0");
    for (int64_t i = numbers[0]; numbers[2] > 0 ? i < numbers[1] : i > numbers[1];) {
        add(r, &list, i);
        if (__builtin_add_overflow(i, numbers[2], &i))
            break;
    }
    return list;
}

/* Reads the clauses of a comprehension (for ..., if ...) up to the closing bracket. */
static void clauses(reader *r, const char *element, pm_python_list *list)
{
    const char *end;

    if (pm_python_take_word(&r->at, "if")) {
        const bool holds = any(r) != 0;

        r->dry += !holds;
        clauses(r, element, list);
        r->dry -= !holds;
    } else if (pm_python_take_word(&r->at, "for")) {
        named *name = &r->names[r->name_count];
        pm_python_list over;

        pm_python_skip(&r->at);
        if (r->name_count == MOST_NAMES || pm_python_word(r->at) == 0)
            refuse(r, "a name is missing behind for, or there are more than %d", MOST_NAMES);
        *name = (named){.text = r->at, .length = pm_python_word(r->at)};
        r->at += name->length;
        if (!pm_python_take_word(&r->at, "in"))
            refuse(r, "in is missing before \"%.40s\"", r->at);
        over = sequence(r);
        r->name_count++;
        end = r->at;
        r->dry++;
        clauses(r, element, list);
        r->dry--;
        for (size_t i = 0; i < over.count && !r->dry; i++) {
            name->value = over.items[i];
            r->at = end;
            clauses(r, element, list);
        }
        r->name_count--;
    } else {
        end = r->at;
        r->at = element;
        add(r, list, number(r));
        r->at = end;
    }
}

/* Reads the items after an opening bracket up to the closing bracket `close`. */
static pm_python_list items(reader *r, const char *close)
{
    pm_python_list list = {0};

    while (!pm_python_take(&r->at, close, "")) {
        const char *begin = r->at;

        if (pm_python_take(&r->at, "*", "*")) {
            const pm_python_list more = sequence(r);

            add_all(r, &list, &more);
        } else {
            const unsigned dry = r->dry++;

            number(r);
            r->dry = dry;
            if (pm_python_take_word(&r->at, "for")) {
                r->at -= strlen("for");
                clauses(r, begin, &list);
                expect(r, close);
                return list;
            }
            r->at = begin;
            add(r, &list, number(r));
        }
        if (!pm_python_take(&r->at, ",", "")) {
            expect(r, close);
            break;
        }
    }
    return list;
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void reverse(pm_python_list *list)
{
    for (size_t i = 0; i < list->count / 2; i++) {
        const int64_t old = list->items[i];

        list->items[i] = list->items[list->count - 1 - i];
        list->items[list->count - 1 - i] = old;
    }
}

/* Calls list, tuple, sorted or reversed with a sequence, or with a comprehension that has no
 * brackets of its own. */
static pm_python_list made_of(reader *r, const char *function)
{
    pm_python_list list;

    expect(r, "(");
    if (begins_list(r) || *r->at == '(') {
        list = sequence(r);
        expect(r, ")");
    } else {
        list = items(r, ")");
    }
    if (strcmp(function, "sorted") == 0 && list.count > 1)
        qsort(list.items, list.count, sizeof *list.items, by_value);
    if (strcmp(function, "reversed") == 0)
        reverse(&list);
    return list;
}

static pm_python_list part(reader *r)
{
    static const char *const functions[] = {"list", "tuple", "sorted", "reversed"};

    if (pm_python_take(&r->at, "[", ""))
        return items(r, "]");
    if (pm_python_take(&r->at, "(", ""))
        return items(r, ")");
    if (pm_python_take_word(&r->at, "range"))
        return range(r);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (pm_python_take_word(&r->at, functions[i]))
            return made_of(r, functions[i]);
    refuse(r, "no list begins at \"%.40s\"", r->at);
}

static pm_python_list sequence(reader *r)
{
    pm_python_list list;

    deeper(r);
    list = part(r);
    while (pm_python_take(&r->at, "+", "")) {
        const pm_python_list more = part(r);

        add_all(r, &list, &more);
    }
    r->depth--;
    return list;
}

pm_python_list pm_python_list_read(pm_memory *memory, const char *python, const char *what)
{
    reader r = {.memory = memory, .python = python, .what = what, .at = python};
    pm_python_list list = sequence(&r);

    pm_python_skip(&r.at);
    if (*r.at)
        refuse(&r, "\"%.40s\" is left over", r.at);
    if (list.count == 0)
        refuse(&r, "the list is empty");
    return list;
}
