/* Evaluates Python list expressions. See python_list.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A recursive-descent parser of the expressions in The Python Language Reference, section 6, which
 * evaluates an expression while it parses it. The element of a comprehension is parsed again for
 * each item. To find where the text of an expression ends, the parser also reads it without
 * evaluating it (dry).
 */
#include "answer/tune/python_list.h"

#include <stdlib.h>
#include <string.h>

#include "answer/tune/python_reader.h"
#include "answer/tune/python_words.h"
enum { MOST_VALUES = 10000 };

void pm_python_add(pm_python_reader *r, pm_python_list *list, int64_t value)
{
    if (r->dry)
        return;
    pm_python_count_step(r);
    if (list->count == MOST_VALUES)
        pm_python_refuse(r, "more than %d values", MOST_VALUES);
    list->items = pm_more(r->memory, list->items, list->count, sizeof *list->items);
    list->items[list->count++] = value;
}

static void add_all(pm_python_reader *r, pm_python_list *list, const pm_python_list *more)
{
    for (size_t i = 0; i < more->count; i++)
        pm_python_add(r, list, more->items[i]);
}

bool pm_python_begins_list(pm_python_reader *r)
{
    static const char *const words[] = {"range", "list", "tuple", "sorted", "reversed"};

    pm_python_skip(&r->at);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (pm_python_is_word(r->at, words[i]))
            return true;
    return *r->at == '[';
}

/* Evaluates range(to), range(from, to) or range(from, to, step). */
static pm_python_list range(pm_python_reader *r)
{
    int64_t numbers[3] = {0, 0, 1};
    pm_python_list list = {0};
    size_t n = 0;

    pm_python_expect(r, "(");
    do {
        if (n == 3)
            pm_python_refuse(r, "range has one to three numbers");
        numbers[n++] = pm_python_number(r);
    } while (pm_python_take(&r->at, ",", ""));
    pm_python_expect(r, ")");
    if (n == 1) {
        numbers[1] = numbers[0];
        numbers[0] = 0;
    }
    if (r->dry)
        return list;
    if (numbers[2] == 0)
        pm_python_refuse(r, "the step of range is 0");
    for (int64_t i = numbers[0]; numbers[2] > 0 ? i < numbers[1] : i > numbers[1];) {
        pm_python_add(r, &list, i);
        if (__builtin_add_overflow(i, numbers[2], &i))
            break;
    }
    return list;
}

/* Reads the parts `for NAME in LIST` and `if CONDITION` of a comprehension up to the closing
 * bracket, and appends its items to `list`. element: text of the expression for an item. */
static void clauses(pm_python_reader *r, const char *element, pm_python_list *list)
{
    const char *end;

    if (pm_python_take_word(&r->at, "if")) {
        const bool holds = pm_python_any(r) != 0;

        r->dry += !holds;
        clauses(r, element, list);
        r->dry -= !holds;
    } else if (pm_python_take_word(&r->at, "for")) {
        pm_python_named *name = &r->names[r->name_count];
        pm_python_list over;

        pm_python_skip(&r->at);
        if (r->name_count == PM_PYTHON_NAMES || pm_python_word(r->at) == 0)
            pm_python_refuse(r, "a name is missing behind for, or there are more than %d",
                             PM_PYTHON_NAMES);
        *name = (pm_python_named){.text = r->at, .length = pm_python_word(r->at)};
        r->at += name->length;
        if (!pm_python_take_word(&r->at, "in"))
            pm_python_refuse(r, "in is missing before \"%.40s\"", r->at);
        over = pm_python_sequence(r);
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
        pm_python_add(r, list, pm_python_number(r));
        r->at = end;
    }
}

/* Reads the items after an opening bracket up to the closing bracket `close`. */
static pm_python_list items(pm_python_reader *r, const char *close)
{
    pm_python_list list = {0};

    while (!pm_python_take(&r->at, close, "")) {
        const char *begin = r->at;

        if (pm_python_take(&r->at, "*", "*")) {
            const pm_python_list more = pm_python_sequence(r);

            add_all(r, &list, &more);
        } else {
            const unsigned dry = r->dry++;

            pm_python_number(r);
            r->dry = dry;
            if (pm_python_take_word(&r->at, "for")) {
                r->at -= strlen("for");
                clauses(r, begin, &list);
                pm_python_expect(r, close);
                return list;
            }
            r->at = begin;
            pm_python_add(r, &list, pm_python_number(r));
        }
        if (!pm_python_take(&r->at, ",", "")) {
            pm_python_expect(r, close);
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

/* Evaluates a call of list, tuple, sorted or reversed. The argument is a list, or a comprehension
 * without brackets of its own. */
static pm_python_list made_of(pm_python_reader *r, const char *function)
{
    pm_python_list list;

    pm_python_expect(r, "(");
    if (pm_python_begins_list(r) || *r->at == '(') {
        list = pm_python_sequence(r);
        pm_python_expect(r, ")");
    } else {
        list = items(r, ")");
    }
    if (strcmp(function, "sorted") == 0 && list.count > 1)
        qsort(list.items, list.count, sizeof *list.items, by_value);
    if (strcmp(function, "reversed") == 0)
        reverse(&list);
    return list;
}

static pm_python_list part(pm_python_reader *r)
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
    pm_python_refuse(r, "no list begins at \"%.40s\"", r->at);
}

pm_python_list pm_python_sequence(pm_python_reader *r)
{
    pm_python_list list;

    pm_python_deeper(r);
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
    pm_python_reader r = {.memory = memory, .python = python, .what = what, .at = python};
    pm_python_list list = pm_python_sequence(&r);

    pm_python_skip(&r.at);
    if (*r.at)
        pm_python_refuse(&r, "\"%.40s\" is left over", r.at);
    if (list.count == 0)
        pm_python_refuse(&r, "the list is empty");
    return list;
}
