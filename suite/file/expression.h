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
#ifndef PM_SUITE_FILE_EXPRESSION_H
#define PM_SUITE_FILE_EXPRESSION_H

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

/* An integer or a double: the expression says which. */
typedef union {
    int64_t integer;
    double real;
} pm_expression_number;

/* An expression that was read: what puts a number on a stack, or takes two of them off and puts one
 * there. Of a choice only one side is worked out: UNLESS takes a number off and goes to step `to`
 * if it is 0, GO always does. */
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
        size_t name; /* its place among the names */
        size_t to;
        pm_expression_number number;
    } steps[PM_EXPRESSION_STEPS];
} pm_expression;

/* Reads a text in 64-bit integers, where / rounds towards 0, as in C, or (real) in doubles: numbers
 * may have a fraction and an exponent, / divides, % is fmod, and there are no shifts. A comparison
 * is 1 or 0, and so are && and ||, of which both sides are worked out. false: fault, of
 * PM_EXPRESSION_FAULT bytes, says what is wrong with the text. */
bool pm_expression_read(const char *text, const pm_numbers *names, bool real,
                        pm_expression *expression, char *fault);
/* Its value, with the values that the names have now. false: fault says that it overflows, is not
 * finite, or divides by zero. */
bool pm_expression_value(const pm_expression *expression, const pm_numbers *names,
                         pm_expression_number *value, char *fault);

/* Many values in one go. A step takes two numbers off for each that is put there before. */
enum { PM_EXPRESSION_COLUMN = 64 };
typedef union {
    int64_t integer[PM_EXPRESSION_COLUMN];
    double real[PM_EXPRESSION_COLUMN];
} pm_expression_values;
typedef struct {
    pm_expression_values stack[PM_EXPRESSION_STEPS / 2 + 1];
} pm_expression_columns;
/* The values, in room, where the last name has its value, that and 1, and so on, none of them near
 * 2^63: PM_EXPRESSION_COLUMN. NULL: the expression has a choice or an operator that is rare in
 * contents, or one of the values is a fault: take one after the other. */
const pm_expression_values *pm_expression_column(const pm_expression *expression,
                                                 const pm_numbers *names,
                                                 pm_expression_columns *room);
pm_expression_number pm_expression_value_of(const pm_expression *expression,
                                            const pm_expression_values *values, size_t place);

/* Both at once, of integers and of doubles. */
bool pm_expression_integer(const char *text, const pm_numbers *names, int64_t *value, char *fault);
bool pm_expression_real(const char *text, const pm_numbers *names, double *value, char *fault);
/* Whether name can be one that an expression has: a C identifier, neither min nor max. */
bool pm_expression_is_name(const char *name);

#endif
