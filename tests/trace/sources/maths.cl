/* Every maths function of LIST on numbers of T, one row of out for each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "common.h"

#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)
#define T2 JOIN(T, 2)
#define T3 JOIN(T, 3)
#define T4 JOIN(T, 4)

T fract_of(T x)
{
    T whole, part = fract(x, &whole);

    return part + whole * 2;
}

T modf_of(T x)
{
    T whole, part = modf(x, &whole);

    return part * 2 + whole;
}

T frexp_of(T x)
{
    int exponent = 0;
    T part = frexp(x, &exponent);

    return isfinite(x) ? part + (T)exponent * 2 : part;
}

T remquo_of(T x, T y)
{
    int quotient;
    T rest = remquo(x, y, &quotient);

    return rest + (T)(quotient & 7) * y;
}

T sincos_of(T x)
{
    T c, s = sincos(x, &c);

    return s + c * 2;
}

T lgamma_r_of(T x)
{
    int sign;

    return lgamma_r(x, &sign) + (T)sign;
}

/* Random numbers of many magnitudes; the first few are the smallest and largest ones. */
T any_number(global const uint *in, size_t i)
{
    T value = (T)(int)input(in, i);

    switch (i) {
    case 0:
        return (T)0;
    case 1:
        return (T)INFINITY;
    case 2:
        return (T)-INFINITY;
    case 3:
        return (T)NAN;
    case 4:
        return (T)1;
    case 5:
        return (T)-0.5f;
    }
    switch (input(in, i + 1) % 4) {
    case 0:
        return value * (T)1e-9f;
    case 1:
        return value * (T)1e-5f;
    case 2:
        return value;
    default:
        return value * (T)1e9f;
    }
}

kernel void maths(global const uint *in, global T *out)
{
    size_t g = get_global_id(0), rows = 0;
    T a = any_number(in, g), b = any_number(in, g + 100);
    T w = (T)(int)input(in, g + 7) * (T)4e-9f, u = (T)(int)input(in, g + 8) / (T)2147483648.0f;
    T p = (T)(input(in, g + 9) + 1u) * (T)2e-9f;
    int n = (int)(input(in, g + 10) % 9) - 4;

#define M(call, ulps, least) out[rows++ * get_global_size(0) + g] = call;
#include LIST
}
