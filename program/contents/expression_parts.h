/* Functions that the files expression*.c share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_CONTENTS_EXPRESSION_PARTS_H
#define PM_PROGRAM_CONTENTS_EXPRESSION_PARTS_H

#include "program/contents/expression.h"

/* Texts of the operators, indexed by pm_operator. */
extern const char *const pm_operator_texts[];
/* Writes a message into `fault` and returns false. */
bool pm_expression_fail(char *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* pm_expression_named returns the value that `names` has for name number `name` of the expression.
 * pm_expression_apply evaluates *left = *left op right, where op is the operator of a step. It
 * returns false with a message in `fault` if the operation fails. */
pm_expression_number pm_expression_named(const pm_expression *expression, const pm_numbers *names,
                                         size_t name);
bool pm_expression_apply(const pm_expression *expression, size_t step, pm_expression_number *left,
                         pm_expression_number right, char *fault);

#endif
