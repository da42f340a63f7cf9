/* Numbers of 16 bits, in place of the toolkit's header.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header
#ifndef PM_CUDA_FP16_H
#define PM_CUDA_FP16_H

struct __half {
    _Float16 pm_value;
    __half() = default;
    PM_MEMBER constexpr __half(float x) : pm_value((_Float16)x)
    {
    }
    PM_MEMBER constexpr __half(double x) : pm_value((_Float16)x)
    {
    }
    PM_MEMBER constexpr __half(int x) : pm_value((_Float16)x)
    {
    }
    PM_MEMBER constexpr __half(_Float16 x) : pm_value(x)
    {
    }
    PM_MEMBER constexpr operator float() const
    {
        return (float)pm_value;
    }
};
struct __align__(4) __half2
{
    __half x, y;
    __half2() = default;
    PM_MEMBER constexpr __half2(__half x, __half y) : x(x), y(y)
    {
    }
};
typedef __half half;
typedef __half2 half2;

PM_DEVICE __half2 make_half2(__half x, __half y)
{
    return {x, y};
}
PM_DEVICE __half __float2half(float x)
{
    return __half(x);
}
PM_DEVICE __half __float2half_rn(float x)
{
    return __half(x);
}
PM_DEVICE float __half2float(__half x)
{
    return (float)x.pm_value;
}
PM_DEVICE __half __double2half(double x)
{
    return __half(x);
}
PM_DEVICE __half __int2half_rn(int x)
{
    return __half(x);
}
PM_DEVICE __half2 __float2half2_rn(float x)
{
    return {__half(x), __half(x)};
}
PM_DEVICE __half2 __floats2half2_rn(float x, float y)
{
    return {__half(x), __half(y)};
}
PM_DEVICE __half2 __float22half2_rn(float2 x)
{
    return {__half(x.x), __half(x.y)};
}
PM_DEVICE float2 __half22float2(__half2 x)
{
    return {__half2float(x.x), __half2float(x.y)};
}
PM_DEVICE __half2 __half2half2(__half x)
{
    return {x, x};
}
PM_DEVICE __half2 __halves2half2(__half x, __half y)
{
    return {x, y};
}
PM_DEVICE __half __low2half(__half2 x)
{
    return x.x;
}
PM_DEVICE __half __high2half(__half2 x)
{
    return x.y;
}
PM_DEVICE float __low2float(__half2 x)
{
    return __half2float(x.x);
}
PM_DEVICE float __high2float(__half2 x)
{
    return __half2float(x.y);
}
PM_DEVICE short __half_as_short(__half x)
{
    return __builtin_bit_cast(short, x.pm_value);
}
PM_DEVICE unsigned short __half_as_ushort(__half x)
{
    return __builtin_bit_cast(unsigned short, x.pm_value);
}
PM_DEVICE __half __ushort_as_half(unsigned short x)
{
    return __half(__builtin_bit_cast(_Float16, x));
}

#define PM_HALF_ARITHMETIC(name, op)                                                               \
    PM_DEVICE __half __h##name(__half x, __half y)                                                 \
    {                                                                                              \
        return __half((_Float16)(x.pm_value op y.pm_value));                                       \
    }                                                                                              \
    PM_DEVICE __half operator op(__half x, __half y)                                               \
    {                                                                                              \
        return __h##name(x, y);                                                                    \
    }                                                                                              \
    PM_DEVICE __half &operator op##=(__half &x, __half y)                                          \
    {                                                                                              \
        return x = __h##name(x, y);                                                                \
    }                                                                                              \
    PM_DEVICE __half2 __h##name##2(__half2 x, __half2 y)                                           \
    {                                                                                              \
        return {__h##name(x.x, y.x), __h##name(x.y, y.y)};                                         \
    }                                                                                              \
    PM_DEVICE __half2 operator op(__half2 x, __half2 y)                                            \
    {                                                                                              \
        return __h##name##2(x, y);                                                                 \
    }                                                                                              \
    PM_DEVICE __half2 &operator op##=(__half2 &x, __half2 y)                                       \
    {                                                                                              \
        return x = __h##name##2(x, y);                                                             \
    }
PM_HALF_ARITHMETIC(add, +)
PM_HALF_ARITHMETIC(sub, -)
PM_HALF_ARITHMETIC(mul, *)
PM_HALF_ARITHMETIC(div, /)
#undef PM_HALF_ARITHMETIC
PM_DEVICE __half __hneg(__half x)
{
    return __half((_Float16)-x.pm_value);
}
PM_DEVICE __half __hfma(__half x, __half y, __half z)
{
    return __half((_Float16)__builtin_elementwise_fma(x.pm_value, y.pm_value, z.pm_value));
}
PM_DEVICE __half2 __hfma2(__half2 x, __half2 y, __half2 z)
{
    return {__hfma(x.x, y.x, z.x), __hfma(x.y, y.y, z.y)};
}

#define PM_HALF_COMPARE(name, op)                                                                  \
    PM_DEVICE bool __h##name(__half x, __half y)                                                   \
    {                                                                                              \
        return x.pm_value op y.pm_value;                                                           \
    }                                                                                              \
    PM_DEVICE bool operator op(__half x, __half y)                                                 \
    {                                                                                              \
        return x.pm_value op y.pm_value;                                                           \
    }
PM_HALF_COMPARE(lt, <)
PM_HALF_COMPARE(le, <=)
PM_HALF_COMPARE(gt, >)
PM_HALF_COMPARE(ge, >=)
PM_HALF_COMPARE(eq, ==)
PM_HALF_COMPARE(ne, !=)
#undef PM_HALF_COMPARE
PM_DEVICE __half __hmax(__half x, __half y)
{
    return x < y ? y : x;
}
PM_DEVICE __half __hmin(__half x, __half y)
{
    return x < y ? x : y;
}

/* As the toolkit has them: in float, and rounded. */
#define PM_HALF_FUNCTION(name)                                                                     \
    PM_DEVICE __half h##name(__half x)                                                             \
    {                                                                                              \
        return __half(name##f((float)x));                                                          \
    }
PM_HALF_FUNCTION(exp)
PM_HALF_FUNCTION(log)
PM_HALF_FUNCTION(sqrt)
PM_HALF_FUNCTION(rsqrt)
PM_HALF_FUNCTION(sin)
PM_HALF_FUNCTION(cos)
#undef PM_HALF_FUNCTION

#endif
