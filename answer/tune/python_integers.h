/* Arithmetic of Python's integers in 64 bits. A larger result is an error.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_TUNE_PYTHON_INTEGERS_H
#define PM_ANSWER_TUNE_PYTHON_INTEGERS_H

#include <stdbool.h>
#include <stdint.h>

extern const char pm_python_overflow[]; /* error text: the result does not fit in 64 bits */

/* Each function below sets *result and returns NULL. If there is an error, it returns a constant
 * error text instead. */

/* Computes base ** exponent. */
const char *pm_python_power(int64_t base, int64_t exponent, int64_t *result);
/* Divides a by b. The character `how` selects the operation. 'f' computes a // b, rounded down. '%'
 * computes a % b, with the sign of b. '/' computes a / b; a remainder is an error. */
const char *pm_python_divide(int64_t a, int64_t b, char how, int64_t *result);
/* Computes a << by if `left` is true, otherwise a >> by. */
const char *pm_python_shift(int64_t a, int64_t by, bool left, int64_t *result);

#endif
