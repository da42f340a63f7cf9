/* Arithmetic of Python's whole numbers, as far as 64 bits hold them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TUNE_PYTHON_INTEGERS_H
#define PM_TUNE_PYTHON_INTEGERS_H

#include <stdbool.h>
#include <stdint.h>

extern const char pm_python_overflow[]; /* why there is no result that 64 bits hold */

/* Each sets *result and returns NULL, or returns why there is no result: a constant text. */

/* base ** exponent */
const char *pm_python_power(int64_t base, int64_t exponent, int64_t *result);
/* a // b ('f': rounded down), a % b ('%': with the sign of b) or a / b ('/': there must be no rest)
 */
const char *pm_python_divide(int64_t a, int64_t b, char how, int64_t *result);
/* a << by (left) or a >> by */
const char *pm_python_shift(int64_t a, int64_t by, bool left, int64_t *result);

#endif
