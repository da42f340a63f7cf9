/* Expressions over named integers, as workload files have them: n * (n + 1) / 2, min(n, 4096).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   sum = product {(+ | -) product}      product = sign {(* | / | %) sign}
 *   sign = {+ | -} one                   one = number | name | (sum) | (min | max)(sum, sum)
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

enum { PM_EXPRESSION_FAULT = 200 };

/* The value of a text in 64-bit integers; / rounds towards 0, as in C. false: fault, of
 * PM_EXPRESSION_FAULT bytes, says what is wrong with the text, or that it overflows or divides by
 * zero. */
bool pm_expression_integer(const char *text, const pm_numbers *names, int64_t *value, char *fault);
/* The same in doubles: numbers may have a fraction and an exponent, / divides, there is no %. The
 * value is finite. */
bool pm_expression_real(const char *text, const pm_numbers *names, double *value, char *fault);
/* Whether name can be one that an expression has: a C identifier, neither min nor max. */
bool pm_expression_is_name(const char *name);

#endif
