/* Complex numbers of the toolkit's cuComplex.h and cufft.h. See prelude.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header
typedef float2 cuFloatComplex, cuComplex, cufftComplex;
typedef double2 cuDoubleComplex, cufftDoubleComplex;
typedef float cufftReal;
typedef double cufftDoubleReal;

/* Defines functions of one complex type. f: the letter with which the names of float functions
 * end. */
#define PM_COMPLEX(type, real, f, made)                                                            \
    PM_DEVICE type made(real x, real y)                                                            \
    {                                                                                              \
        return {x, y};                                                                             \
    }                                                                                              \
    PM_DEVICE real cuCreal##f(type a)                                                              \
    {                                                                                              \
        return a.x;                                                                                \
    }                                                                                              \
    PM_DEVICE real cuCimag##f(type a)                                                              \
    {                                                                                              \
        return a.y;                                                                                \
    }                                                                                              \
    PM_DEVICE type cuConj##f(type a)                                                               \
    {                                                                                              \
        return {a.x, -a.y};                                                                        \
    }                                                                                              \
    PM_DEVICE type cuCadd##f(type a, type b)                                                       \
    {                                                                                              \
        return {a.x + b.x, a.y + b.y};                                                             \
    }                                                                                              \
    PM_DEVICE type cuCsub##f(type a, type b)                                                       \
    {                                                                                              \
        return {a.x - b.x, a.y - b.y};                                                             \
    }                                                                                              \
    PM_DEVICE type cuCmul##f(type a, type b)                                                       \
    {                                                                                              \
        return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                     \
    }                                                                                              \
    PM_DEVICE type cuCfma##f(type a, type b, type c)                                               \
    {                                                                                              \
        return {a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y};                         \
    }                                                                                              \
    PM_DEVICE type cuCdiv##f(type a, type b)                                                       \
    {                                                                                              \
        const real least = 1 / (fabs(b.x) + fabs(b.y));                                            \
        const type x = {a.x * least, a.y * least}, y = {b.x * least, b.y * least};                 \
        const real inverse = 1 / (y.x * y.x + y.y * y.y);                                          \
        return {(x.x * y.x + x.y * y.y) * inverse, (x.y * y.x - x.x * y.y) * inverse};             \
    }                                                                                              \
    PM_DEVICE real cuCabs##f(type a)                                                               \
    {                                                                                              \
        return hypot(a.x, a.y);                                                                    \
    }
PM_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex)
PM_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex)
#undef PM_COMPLEX
PM_DEVICE cuComplex make_cuComplex(float x, float y)
{
    return {x, y};
}
