/* What the parts of expressions share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SUITE_FILE_EXPRESSION_PARTS_H
#define PM_SUITE_FILE_EXPRESSION_PARTS_H

#include "suite/file/expression.h"

/* As they are written, by pm_operator. */
extern const char *const pm_operator_texts[];
/* Says in fault what is wrong; false. */
bool pm_expression_fail(char *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The value that a name has now, and *left = *left op right of a step that takes two numbers off:
 * false: fault says why not. */
pm_expression_number pm_expression_named(const pm_expression *expression, const pm_numbers *names,
                                         size_t name);
bool pm_expression_apply(const pm_expression *expression, size_t step, pm_expression_number *left,
                         pm_expression_number right, char *fault);

#endif
