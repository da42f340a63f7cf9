/* Arithmetic of Python's whole numbers, as far as 64 bits hold them. See python_integers.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/tune/python_integers.h"

#include <stddef.h>

const char pm_python_overflow[] = "a number is larger than 64 bits";

const char *pm_python_power(int64_t base, int64_t exponent, int64_t *result)
{
    if (exponent < 0 || exponent > 63)
        return "an exponent is not from 0 to 63";
    *result = 1;
    while (exponent-- > 0)
        if (__builtin_mul_overflow(*result, base, result))
            return pm_python_overflow;
    return NULL;
}

const char *pm_python_divide(int64_t a, int64_t b, char how, int64_t *result)
{
    int64_t rest;

    if (b == 0)
        return "a division by zero";
    if (b == -1 && a == INT64_MIN)
        return pm_python_overflow;
    rest = a % b;
    if (how == '/' && rest != 0)
        return "/ leaves a fraction; // does not";
    rest += rest != 0 && (rest < 0) != (b < 0) ? b : 0;
    *result = how == '%' ? rest : (a - rest) / b;
    return NULL;
}

const char *pm_python_shift(int64_t a, int64_t by, bool left, int64_t *result)
{
    if (by < 0 || by > 63)
        return "a shift is not from 0 to 63";
    *result = a;
    if (!left)
        *result = a >> by;
    else if (by == 63 ? a != 0 : __builtin_mul_overflow(a, INT64_C(1) << by, result))
        return pm_python_overflow;
    return NULL;
}
