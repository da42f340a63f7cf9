/* State of evaluating a Python list expression, and the functions that the parsers of numbers and
 * of lists share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_TUNE_PYTHON_READER_H
#define PM_ANSWER_TUNE_PYTHON_READER_H

#include <stdbool.h>

#include "answer/tune/python_list.h"

enum { PM_PYTHON_NAMES = 8 }; /* largest number of names in nested comprehensions */

/* A name that a comprehension defines, and its current value. */
typedef struct {
    const char *text;
    size_t length;
    int64_t value;
} pm_python_named;

typedef struct {
    pm_memory *memory;
    const char *python, *what, *at; /* the text, the prefix of messages, and the next character */
    /* dry > 0: the text is only parsed to find its end, and not evaluated. It is the number of
     * nested constructs that require this. */
    unsigned depth, dry;
    size_t steps, name_count;
    pm_python_named names[PM_PYTHON_NAMES];
} pm_python_reader;

/* Raises PM_BAD_INPUT. The message quotes the Python expression and gives the reason. */
#define pm_python_refuse(r, ...) pm_python_refuse_with(r, pm_format((r)->memory, __VA_ARGS__))
_Noreturn void pm_python_refuse_with(const pm_python_reader *r, const char *why);
/* Reads the operator or bracket `sign`. Raises an error if another text follows. */
void pm_python_expect(pm_python_reader *r, const char *sign);
/* Counts a step of evaluation. Raises an error after a million steps. */
void pm_python_count_step(pm_python_reader *r);
/* Enters a recursive rule of the grammar. Raises an error if too many rules are nested. */
void pm_python_deeper(pm_python_reader *r);

/* ---- python_numbers.c */

/* pm_python_number evaluates an expression of numbers that may have `if ... else`. pm_python_any
 * evaluates an expression without `if ... else`. */
int64_t pm_python_number(pm_python_reader *r);
int64_t pm_python_any(pm_python_reader *r);

/* ---- python_list.c */

/* Returns whether a list begins here: a bracket, or a function that makes a list. */
bool pm_python_begins_list(pm_python_reader *r);
/* Adds a value to a list, unless r->dry > 0. Raises an error after 10,000 values. */
void pm_python_add(pm_python_reader *r, pm_python_list *list, int64_t value);
/* Evaluates a list, or a sum of lists. */
pm_python_list pm_python_sequence(pm_python_reader *r);

#endif
