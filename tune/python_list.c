/* Lists in Python's words. See python_list.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * By recursive descent, as The Python Language Reference has expressions (section 6), which are
 * worked out while they are read. What a comprehension repeats is read again for each item. A text
 * is read dry, without values, where only its end is wanted.
 */
#include "tune/python_list.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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
    unsigned depth, dry; /* dry: levels that only look for an end */
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

/* ---- words ----------------------------------------------------------------------------------- */

static void skip(reader *r)
{
    r->at += strspn(r->at, " \t\r\n");
}

static size_t word_length(const char *at)
{
    size_t n = 0;

    while (isalnum((unsigned char)at[n]) || at[n] == '_')
        n++;
    return n;
}

static bool take_word(reader *r, const char *word)
{
    const size_t n = strlen(word);

    skip(r);
    if (word_length(r->at) != n || strncmp(r->at, word, n) != 0)
        return false;
    r->at += n;
    return true;
}

/* An operator that is not the beginning of a longer one. */
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

static void count_step(reader *r)
{
    if (++r->steps > MOST_STEPS)
        refuse(r, "more than %d steps", MOST_STEPS);
}

/* Rules that contain themselves count here. */
static void deeper(reader *r)
{
    if (++r->depth > MOST_DEPTH)
        refuse(r, "more than %d brackets or signs inside of each other", MOST_DEPTH);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int64_t number(reader *r);
static pm_python_list sequence(reader *r);

static _Noreturn void refuse_overflow(const reader *r)
{
    refuse(r, "a number is larger than 64 bits");
}

static int64_t raise_to(const reader *r, int64_t base, int64_t exponent)
{
    int64_t power = 1;

    if (exponent < 0 || exponent > 63)
        refuse(r, "an exponent is not from 0 to 63");
    while (exponent-- > 0)
        if (__builtin_mul_overflow(power, base, &power))
            refuse_overflow(r);
    return power;
}

/* Python's quotient is rounded down, and its rest has the sign of the divisor. */
static int64_t divide(const reader *r, int64_t a, int64_t b, char how)
{
    int64_t rest;

    if (r->dry)
        return 0;
    if (b == 0)
        refuse(r, "a division by zero");
    if (b == -1 && a == INT64_MIN)
        refuse_overflow(r);
    rest = a % b;
    if (how == '/' && rest != 0)
        refuse(r, "/ leaves a fraction; // does not");
    rest += rest != 0 && (rest < 0) != (b < 0) ? b : 0;
    return how == '%' ? rest : (a - rest) / b;
}

static int64_t shift(const reader *r, int64_t a, int64_t by, bool left)
{
    if (r->dry)
        return 0;
    if (by < 0 || by > 63)
        refuse(r, "a shift is not from 0 to 63");
    if (!left)
        return a >> by;
    if (by == 63 ? a != 0 : __builtin_mul_overflow(a, INT64_C(1) << by, &a))
        refuse_overflow(r);
    return a;
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
    if (word_length(r->at) > 0)
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

/* Whether a list begins here: in brackets, or made by a function. */
static bool begins_list(reader *r)
{
    static const char *const words[] = {"range", "list", "tuple", "sorted", "reversed"};

    skip(r);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (word_length(r->at) == strlen(words[i]) &&
            strncmp(r->at, words[i], strlen(words[i])) == 0)
            return true;
    return *r->at == '[';
}

/* min and max: of a list, or of numbers. */
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
        while (take(r, ",", ""));
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
    const size_t n = word_length(begin);
    int64_t value;

    if (take_word(r, "True") || take_word(r, "False"))
        return *begin == 'T';
    if (take_word(r, "min") || take_word(r, "max"))
        return extreme(r, begin[1] == 'a');
    if (take_word(r, "int") || take_word(r, "round") || take_word(r, "abs")) {
        expect(r, "(");
        value = number(r);
        expect(r, ")");
        return *begin == 'a' && value < 0 && value > INT64_MIN ? -value : value;
    }
    r->at += n;
    for (size_t i = r->name_count; i-- > 0;)
        if (r->names[i].length == n && memcmp(r->names[i].text, begin, n) == 0)
            return r->names[i].value;
    if (!r->dry || take(r, "(", "") || take(r, ".", "") || take(r, "[", ""))
        refuse(r, "%.*s is not known", (int)n, begin);
    return 0;
}

static int64_t one(reader *r)
{
    int64_t value;

    skip(r);
    count_step(r);
    if (isdigit((unsigned char)*r->at))
        return digits(r);
    if (word_length(r->at) > 0)
        return of_name(r);
    if (!take(r, "(", ""))
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
    const bool minus = take(r, "-", ""), inverse = !minus && take(r, "~", "");
    int64_t value;

    if (minus || inverse || take(r, "+", "")) {
        deeper(r);
        value = sign(r);
        r->depth--;
        if (minus && value == INT64_MIN)
            refuse_overflow(r);
        return minus ? -value : inverse ? ~value : value;
    }
    value = one(r);
    if (!take(r, "**", ""))
        return value;
    deeper(r);
    value = raise_to(r, value, r->dry ? 0 * sign(r) : sign(r));
    r->depth--;
    return value;
}

static int64_t product(reader *r)
{
    int64_t value = sign(r);

    for (;;) {
        if (take(r, "*", "*")) {
            if (__builtin_mul_overflow(value, sign(r), &value))
                refuse_overflow(r);
        } else if (take(r, "//", "")) {
            value = divide(r, value, sign(r), 'f');
        } else if (take(r, "/", "/")) {
            value = divide(r, value, sign(r), '/');
        } else if (take(r, "%", "")) {
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
        const bool minus = take(r, "-", "");

        if (!minus && !take(r, "+", ""))
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
        if (take(r, "<<", ""))
            value = shift(r, value, sum(r), true);
        else if (take(r, ">>", ""))
            value = shift(r, value, sum(r), false);
        else
            return value;
    }
}

/* & before ^ before |, each of its own rule in Python. */
static int64_t joined(reader *r, unsigned level)
{
    static const char *const signs[] = {"|", "^", "&"};
    int64_t value = level == 3 ? bits(r) : joined(r, level + 1);

    while (level < 3 && take(r, signs[level], "")) {
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

static bool take_not_in(reader *r)
{
    const char *begin = r->at;

    if (take_word(r, "not") && take_word(r, "in"))
        return true;
    r->at = begin;
    return false;
}

/* One comparison of left: true if there was one, whose result and right side are put there. */
static bool compare(reader *r, int64_t *left, bool *holds)
{
    const int64_t a = *left;

    if (take(r, "<=", ""))
        *holds = a <= (*left = joined(r, 0));
    else if (take(r, ">=", ""))
        *holds = a >= (*left = joined(r, 0));
    else if (take(r, "==", ""))
        *holds = a == (*left = joined(r, 0));
    else if (take(r, "!=", ""))
        *holds = a != (*left = joined(r, 0));
    else if (take(r, "<", "<"))
        *holds = a < (*left = joined(r, 0));
    else if (take(r, ">", ">"))
        *holds = a > (*left = joined(r, 0));
    else if (take_not_in(r))
        *holds = !contains(r, a);
    else if (take_word(r, "in"))
        *holds = contains(r, a);
    else
        return false;
    return true;
}

/* a < b < c is a < b and b < c. */
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

    if (!take_word(r, "not"))
        return comparison(r);
    deeper(r);
    value = !denial(r);
    r->depth--;
    return value;
}

/* What and, or decide without is read dry. */
static int64_t both(reader *r)
{
    int64_t value = denial(r);

    while (take_word(r, "and")) {
        const bool decided = value == 0;
        int64_t other;

        r->dry += decided;
        other = denial(r);
        r->dry -= decided;
        value = decided ? value : other;
    }
    return value;
}

static int64_t any(reader *r)
{
    int64_t value = both(r);

    while (take_word(r, "or")) {
        const bool decided = value != 0;
        int64_t other;

        r->dry += decided;
        other = both(r);
        r->dry -= decided;
        value = decided ? value : other;
    }
    return value;
}

/* a if condition else b, of which one side is worked out. In a comprehension's clauses an if is the
 * next clause. */
static int64_t number(reader *r)
{
    const char *begin = r->at, *end;
    bool chosen;
    int64_t value;

    r->dry++;
    value = any(r);
    r->dry--;
    if (!take_word(r, "if")) {
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

/* range(to), range(from, to), range(from, to, step) */
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
    } while (take(r, ",", ""));
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

/* What follows the element of a comprehension: its clauses, up to the bracket. */
static void clauses(reader *r, const char *element, pm_python_list *list)
{
    const char *end;

    if (take_word(r, "if")) {
        const bool holds = any(r) != 0;

        r->dry += !holds;
        clauses(r, element, list);
        r->dry -= !holds;
    } else if (take_word(r, "for")) {
        named *name = &r->names[r->name_count];
        pm_python_list over;

        skip(r);
        if (r->name_count == MOST_NAMES || word_length(r->at) == 0)
            refuse(r, "a name is missing behind for, or there are more than %d", MOST_NAMES);
        *name = (named){.text = r->at, .length = word_length(r->at)};
        r->at += name->length;
        if (!take_word(r, "in"))
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

/* Behind the opening bracket, up to the other. */
static pm_python_list items(reader *r, const char *close)
{
    pm_python_list list = {0};

    while (!take(r, close, "")) {
        const char *begin = r->at;

        if (take(r, "*", "*")) {
            const pm_python_list more = sequence(r);

            add_all(r, &list, &more);
        } else {
            const unsigned dry = r->dry++;

            number(r);
            r->dry = dry;
            if (take_word(r, "for")) {
                r->at -= strlen("for");
                clauses(r, begin, &list);
                expect(r, close);
                return list;
            }
            r->at = begin;
            add(r, &list, number(r));
        }
        if (!take(r, ",", "")) {
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

/* list, tuple, sorted or reversed of a sequence, or of what a comprehension without brackets is. */
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

    if (take(r, "[", ""))
        return items(r, "]");
    if (take(r, "(", ""))
        return items(r, ")");
    if (take_word(r, "range"))
        return range(r);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (take_word(r, functions[i]))
            return made_of(r, functions[i]);
    refuse(r, "no list begins at \"%.40s\"", r->at);
}

static pm_python_list sequence(reader *r)
{
    pm_python_list list;

    deeper(r);
    list = part(r);
    while (take(r, "+", "")) {
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

    skip(&r);
    if (*r.at)
        refuse(&r, "\"%.40s\" is left over", r.at);
    if (list.count == 0)
        refuse(&r, "the list is empty");
    return list;
}
