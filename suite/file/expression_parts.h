/* What the two halves of expressions share.
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

#endif
