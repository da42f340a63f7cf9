/* Expressions over named integers, as workload files have them: n * (n + 1) / 2, min(n, 4096).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   choice = any [? choice : choice]             any = all {|| all}
 *   all = comparison {&& comparison}             shift = sum {(<< | >>) sum}
 *   comparison = shift {(< | <= | > | >= | == | !=) shift}
 *   sum = product {(+ | -) product}              product = sign {(* | / | %) sign}
 *   sign = {+ | -} power                         power = one [** sign]
 *   one = number | name | (choice) | (min | max)(choice, choice)
 */
#ifndef PM_PROGRAM_CONTENTS_EXPRESSION_H
#define PM_PROGRAM_CONTENTS_EXPRESSION_H

#include <stdint.h>

#include "perfmodel.h"

typedef struct {
    const char *name;
    int64_t value;
} pm_named_number;

typedef struct {
    size_t count;
    const pm_named_number *items;
} pm_numbers;

enum { PM_EXPRESSION_FAULT = 200, PM_EXPRESSION_STEPS = 256 };

typedef enum {
    PM_PLUS,
    PM_MINUS,
    PM_TIMES,
    PM_OVER,
    PM_REST,
    PM_POWER,
    PM_LEFT,
    PM_RIGHT,
    PM_LESS,
    PM_LESS_EQUAL,
    PM_MORE,
    PM_MORE_EQUAL,
    PM_EQUAL,
    PM_UNEQUAL,
    PM_AND,
    PM_OR
} pm_operator;

/* The value of an expression: a 64-bit integer, or a double if pm_expression.real is true. */
typedef union {
    int64_t integer;
    double real;
} pm_expression_number;

/* A parsed expression: steps of a stack machine. A step pushes a number, or pops two numbers and
 * pushes their result. A choice (a ? b : c) has jumps, so that only one side is evaluated:
 * PM_STEP_UNLESS pops a number and jumps to step `to` if it is 0. PM_STEP_GO always jumps. */
typedef struct {
    bool real;
    size_t count;
    struct {
        enum {
            PM_STEP_NUMBER,
            PM_STEP_NAME,
            PM_STEP_OPERATOR,
            PM_STEP_MIN,
            PM_STEP_MAX,
            PM_STEP_UNLESS,
            PM_STEP_GO
        } kind;
        pm_operator op;
        size_t name; /* index among the names */
        size_t to;
        pm_expression_number number;
    } steps[PM_EXPRESSION_STEPS];
} pm_expression;

/* Parses an expression. `names`: the names that it may contain. real false: numbers are 64-bit
 * integers, and / rounds towards 0 as in C. real true: numbers are doubles, which may have a
 * fraction and an exponent; % is fmod, and shifts are errors. Comparisons, && and || give 1 or 0;
 * && and || evaluate both sides. Returns false if the text is malformed; `fault`, which has
 * PM_EXPRESSION_FAULT bytes, gets a message. */
bool pm_expression_read(const char *text, const pm_numbers *names, bool real,
                        pm_expression *expression, char *fault);
/* Evaluates an expression with the values that `names` has for the names in it. Returns false with
 * a message in `fault` if the value overflows, is not finite, or divides by zero. */
bool pm_expression_value(const pm_expression *expression, const pm_numbers *names,
                         pm_expression_number *value, char *fault);

/* Memory to evaluate an expression for PM_EXPRESSION_COLUMN values of one name at once. Each entry
 * of the evaluation stack is a column, with the numbers for all these values. The stack needs at
 * most half as many entries as the expression has steps, because each operator pops two numbers
 * that earlier steps pushed. */
enum { PM_EXPRESSION_COLUMN = 64 };
typedef union {
    int64_t integer[PM_EXPRESSION_COLUMN];
    double real[PM_EXPRESSION_COLUMN];
} pm_expression_values;
typedef struct {
    pm_expression_values stack[PM_EXPRESSION_STEPS / 2 + 1];
} pm_expression_columns;
/* Evaluates an expression for PM_EXPRESSION_COLUMN consecutive values of the last of `names`: v, v
 * + 1, ..., where v is its value in `names`. All must be far below 2^63. Returns the results as a
 * column in `room`. Returns NULL if the expression has a choice (a ? b : c) or an operator that
 * this function does not support, or if a result is an error. The caller must then evaluate the
 * values one by one. */
const pm_expression_values *pm_expression_column(const pm_expression *expression,
                                                 const pm_numbers *names,
                                                 pm_expression_columns *room);
/* Returns entry `place` of a column of results. expression->real says whether it is a double or an
 * integer. */
pm_expression_number pm_expression_value_of(const pm_expression *expression,
                                            const pm_expression_values *values, size_t place);

/* The two functions parse an expression and evaluate it with the values in `names`, as a 64-bit
 * integer or as a double. They return false with a message in `fault` (PM_EXPRESSION_FAULT bytes)
 * on failure. */
bool pm_expression_integer(const char *text, const pm_numbers *names, int64_t *value, char *fault);
bool pm_expression_real(const char *text, const pm_numbers *names, double *value, char *fault);
/* Returns whether the name is valid in an expression: a C identifier other than min and max. */
bool pm_expression_is_name(const char *name);

#endif
