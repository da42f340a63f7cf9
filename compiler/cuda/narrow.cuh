/* Functions and operators of numbers of 16 bits, as the CUDA Math API has them for __half and
 * __nv_bfloat16. Included by cuda_fp16.h and cuda_bf16.h, which define before it
 *
 *   PM_NARROW    the type, such as __half
 *   PM_PAIR      a vector of two numbers of the type, such as __half2
 *   PM_PAIR_RAW  a vector of two 16-bit integers, which is defined here
 *   PM_TWICE     the function that makes a PM_PAIR with two equal numbers
 *   PM_RAW       the compiler's own type, such as _Float16
 *   PM_OF(a, b)  a function name: a, then the type's word in function names, then b
 *
 * and the struct PM_NARROW with its member pm_value.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header

struct PM_PAIR_RAW {
    unsigned short x, y;
};
struct __align__(4) PM_PAIR
{
    PM_NARROW x, y;
    PM_PAIR() = default;
    PM_MEMBER constexpr PM_PAIR(PM_NARROW x, PM_NARROW y) : x(x), y(y)
    {
    }
    PM_MEMBER PM_PAIR(PM_PAIR_RAW raw)
    {
        __builtin_memcpy(this, &raw, sizeof raw);
    }
};

/* ---- conversions ---- */

PM_DEVICE PM_PAIR PM_OF(make_, 2)(PM_NARROW x, PM_NARROW y)
{
    return {x, y};
}
PM_DEVICE float PM_OF(__, 2float)(PM_NARROW x)
{
    return (float)x.pm_value;
}
PM_DEVICE PM_NARROW PM_OF(__float2, )(float x)
{
    return PM_NARROW(x);
}
PM_DEVICE PM_NARROW PM_OF(__float2, _rn)(float x)
{
    return PM_NARROW(x);
}
PM_DEVICE PM_NARROW PM_OF(__double2, )(double x)
{
    return PM_NARROW(x);
}
PM_DEVICE PM_PAIR PM_OF(__float2, 2_rn)(float x)
{
    return {PM_NARROW(x), PM_NARROW(x)};
}
PM_DEVICE PM_PAIR PM_OF(__floats2, 2_rn)(float x, float y)
{
    return {PM_NARROW(x), PM_NARROW(y)};
}
PM_DEVICE PM_PAIR PM_OF(__float22, 2_rn)(float2 x)
{
    return {PM_NARROW(x.x), PM_NARROW(x.y)};
}
PM_DEVICE float2 PM_OF(__, 22float2)(PM_PAIR x)
{
    return {(float)x.x, (float)x.y};
}
PM_DEVICE float __low2float(PM_PAIR x)
{
    return (float)x.x;
}
PM_DEVICE float __high2float(PM_PAIR x)
{
    return (float)x.y;
}

/* Conversion that rounds down instead of to the nearest number. It takes the nearest number, or its
 * neighbour if the nearest is above x. It is not inlined, because the engine's table of
 * instructions counts it as one machine instruction. */
__inline__ __attribute__((device, host, noinline, nodebug)) unsigned short
PM_OF(pm_, _down)(float x)
{
    const PM_RAW nearest = (PM_RAW)x;
    const unsigned short bits = __builtin_bit_cast(unsigned short, nearest);

    if (!((float)nearest > x))
        return bits;
    return (float)nearest > 0 ? bits - 1 : (float)nearest < 0 ? bits + 1 : 0x8001;
}
__inline__ __attribute__((device, host, noinline, nodebug)) unsigned short PM_OF(pm_, _up)(float x)
{
    const PM_RAW nearest = (PM_RAW)x;
    const unsigned short bits = __builtin_bit_cast(unsigned short, nearest);

    if (!((float)nearest < x))
        return bits;
    return (float)nearest < 0 ? bits - 1 : (float)nearest > 0 ? bits + 1 : 1;
}
PM_DEVICE PM_NARROW PM_OF(__ushort_as_, )(unsigned short x)
{
    return PM_NARROW(__builtin_bit_cast(PM_RAW, x));
}
PM_DEVICE PM_NARROW PM_OF(__short_as_, )(short x)
{
    return PM_NARROW(__builtin_bit_cast(PM_RAW, x));
}
PM_DEVICE short PM_OF(__, _as_short)(PM_NARROW x)
{
    return __builtin_bit_cast(short, x.pm_value);
}
PM_DEVICE unsigned short PM_OF(__, _as_ushort)(PM_NARROW x)
{
    return __builtin_bit_cast(unsigned short, x.pm_value);
}
PM_DEVICE PM_NARROW PM_OF(__float2, _rd)(float x)
{
    return PM_OF(__ushort_as_, )(PM_OF(pm_, _down)(x));
}
PM_DEVICE PM_NARROW PM_OF(__float2, _ru)(float x)
{
    return PM_OF(__ushort_as_, )(PM_OF(pm_, _up)(x));
}
PM_DEVICE PM_NARROW PM_OF(__float2, _rz)(float x)
{
    return x > 0 ? PM_OF(__float2, _rd)(x) : PM_OF(__float2, _ru)(x);
}

/* Conversions of an integer type to PM_NARROW and back. name: the type's word in function names.
 * wide: the word of a type of at least its size that has conversions from float. */
#define PM_INTEGER(type, name, wide)                                                               \
    PM_DEVICE PM_NARROW PM_OF(__##name##2, _rn)(type x)                                            \
    {                                                                                              \
        return PM_NARROW((float)x);                                                                \
    }                                                                                              \
    PM_DEVICE PM_NARROW PM_OF(__##name##2, _rd)(type x)                                            \
    {                                                                                              \
        return PM_OF(__float2, _rd)((float)x);                                                     \
    }                                                                                              \
    PM_DEVICE PM_NARROW PM_OF(__##name##2, _ru)(type x)                                            \
    {                                                                                              \
        return PM_OF(__float2, _ru)((float)x);                                                     \
    }                                                                                              \
    PM_DEVICE PM_NARROW PM_OF(__##name##2, _rz)(type x)                                            \
    {                                                                                              \
        return PM_OF(__float2, _rz)((float)x);                                                     \
    }                                                                                              \
    PM_DEVICE type PM_OF(__, 2##name##_rn)(PM_NARROW x)                                            \
    {                                                                                              \
        return (type)__float2##wide##_rn((float)x);                                                \
    }                                                                                              \
    PM_DEVICE type PM_OF(__, 2##name##_rd)(PM_NARROW x)                                            \
    {                                                                                              \
        return (type)__float2##wide##_rd((float)x);                                                \
    }                                                                                              \
    PM_DEVICE type PM_OF(__, 2##name##_ru)(PM_NARROW x)                                            \
    {                                                                                              \
        return (type)__float2##wide##_ru((float)x);                                                \
    }                                                                                              \
    PM_DEVICE type PM_OF(__, 2##name##_rz)(PM_NARROW x)                                            \
    {                                                                                              \
        return (type)__float2##wide##_rz((float)x);                                                \
    }
PM_INTEGER(short, short, int)
PM_INTEGER(unsigned short, ushort, uint)
PM_INTEGER(int, int, int)
PM_INTEGER(unsigned int, uint, uint)
PM_INTEGER(long long, ll, ll)
PM_INTEGER(unsigned long long, ull, ull)
#undef PM_INTEGER
PM_DEVICE signed char PM_OF(__, 2char_rz)(PM_NARROW x)
{
    return (signed char)(float)x;
}
PM_DEVICE unsigned char PM_OF(__, 2uchar_rz)(PM_NARROW x)
{
    return (unsigned char)(float)x;
}

/* ---- pairs ---- */

PM_DEVICE PM_PAIR PM_TWICE(PM_NARROW x)
{
    return {x, x};
}
PM_DEVICE PM_PAIR PM_OF(__halves2, 2)(PM_NARROW x, PM_NARROW y)
{
    return {x, y};
}
PM_DEVICE PM_NARROW PM_OF(__low2, )(PM_PAIR x)
{
    return x.x;
}
PM_DEVICE PM_NARROW PM_OF(__high2, )(PM_PAIR x)
{
    return x.y;
}
PM_DEVICE PM_PAIR PM_OF(__low2, 2)(PM_PAIR x)
{
    return {x.x, x.x};
}
PM_DEVICE PM_PAIR PM_OF(__high2, 2)(PM_PAIR x)
{
    return {x.y, x.y};
}
PM_DEVICE PM_PAIR PM_OF(__lows2, 2)(PM_PAIR x, PM_PAIR y)
{
    return {x.x, y.x};
}
PM_DEVICE PM_PAIR PM_OF(__highs2, 2)(PM_PAIR x, PM_PAIR y)
{
    return {x.y, y.y};
}
PM_DEVICE PM_PAIR __lowhigh2highlow(PM_PAIR x)
{
    return {x.y, x.x};
}

/* ---- arithmetic ---- */

PM_DEVICE PM_NARROW pm_saturated(PM_NARROW x)
{
    return !(x.pm_value > (PM_RAW)0.0f) ? PM_NARROW(0.0f)
           : x.pm_value > (PM_RAW)1.0f  ? PM_NARROW(1.0f)
                                        : x;
}
PM_DEVICE PM_NARROW pm_rectified(PM_NARROW x)
{
    return x.pm_value < (PM_RAW)0.0f ? PM_NARROW(0.0f) : x;
}
PM_DEVICE PM_NARROW __hfma(PM_NARROW x, PM_NARROW y, PM_NARROW z)
{
    return PM_NARROW(__builtin_elementwise_fma(x.pm_value, y.pm_value, z.pm_value));
}
PM_DEVICE PM_NARROW __hfma_sat(PM_NARROW x, PM_NARROW y, PM_NARROW z)
{
    return pm_saturated(__hfma(x, y, z));
}
PM_DEVICE PM_NARROW __hfma_relu(PM_NARROW x, PM_NARROW y, PM_NARROW z)
{
    return pm_rectified(__hfma(x, y, z));
}
PM_DEVICE PM_PAIR __hfma2(PM_PAIR x, PM_PAIR y, PM_PAIR z)
{
    return {__hfma(x.x, y.x, z.x), __hfma(x.y, y.y, z.y)};
}
PM_DEVICE PM_PAIR __hfma2_sat(PM_PAIR x, PM_PAIR y, PM_PAIR z)
{
    return {__hfma_sat(x.x, y.x, z.x), __hfma_sat(x.y, y.y, z.y)};
}
PM_DEVICE PM_PAIR __hfma2_relu(PM_PAIR x, PM_PAIR y, PM_PAIR z)
{
    return {__hfma_relu(x.x, y.x, z.x), __hfma_relu(x.y, y.y, z.y)};
}
/* Returns x * y + z for complex numbers. */
PM_DEVICE PM_PAIR __hcmadd(PM_PAIR x, PM_PAIR y, PM_PAIR z)
{
    const PM_PAIR real = __hfma2({x.x, x.x}, y, z);

    return __hfma2({PM_NARROW((PM_RAW)-x.y.pm_value), x.y}, {y.y, y.x}, real);
}

/* Adds in the 16-bit type by a fused multiply-add. A plain + would convert to float and back if the
 * type is __bf16. */
PM_DEVICE PM_NARROW __hadd(PM_NARROW x, PM_NARROW y)
{
    return __hfma(x, PM_NARROW(1.0f), y);
}
PM_DEVICE PM_NARROW __hsub(PM_NARROW x, PM_NARROW y)
{
    return __hfma(y, PM_NARROW(-1.0f), x);
}
PM_DEVICE PM_NARROW __hmul(PM_NARROW x, PM_NARROW y)
{
    return __hfma(x, y, PM_NARROW(-0.0f));
}
PM_DEVICE PM_NARROW __hdiv(PM_NARROW x, PM_NARROW y)
{
    return PM_NARROW((float)x / (float)y);
}
PM_DEVICE PM_PAIR __h2div(PM_PAIR x, PM_PAIR y)
{
    return {__hdiv(x.x, y.x), __hdiv(x.y, y.y)};
}
#define PM_ARITHMETIC(name)                                                                        \
    PM_DEVICE PM_NARROW __h##name##_rn(PM_NARROW x, PM_NARROW y)                                   \
    {                                                                                              \
        return __h##name(x, y);                                                                    \
    }                                                                                              \
    PM_DEVICE PM_NARROW __h##name##_sat(PM_NARROW x, PM_NARROW y)                                  \
    {                                                                                              \
        return pm_saturated(__h##name(x, y));                                                      \
    }                                                                                              \
    PM_DEVICE PM_PAIR __h##name##2(PM_PAIR x, PM_PAIR y)                                           \
    {                                                                                              \
        return {__h##name(x.x, y.x), __h##name(x.y, y.y)};                                         \
    }                                                                                              \
    PM_DEVICE PM_PAIR __h##name##2_rn(PM_PAIR x, PM_PAIR y)                                        \
    {                                                                                              \
        return __h##name##2(x, y);                                                                 \
    }                                                                                              \
    PM_DEVICE PM_PAIR __h##name##2_sat(PM_PAIR x, PM_PAIR y)                                       \
    {                                                                                              \
        return {__h##name##_sat(x.x, y.x), __h##name##_sat(x.y, y.y)};                             \
    }
PM_ARITHMETIC(add)
PM_ARITHMETIC(sub)
PM_ARITHMETIC(mul)
#undef PM_ARITHMETIC
#define PM_OPERATOR(op, name, pair)                                                                \
    PM_DEVICE PM_NARROW operator op(PM_NARROW x, PM_NARROW y)                                      \
    {                                                                                              \
        return name(x, y);                                                                         \
    }                                                                                              \
    PM_DEVICE PM_NARROW &operator op##=(PM_NARROW &x, PM_NARROW y)                                 \
    {                                                                                              \
        return x = name(x, y);                                                                     \
    }                                                                                              \
    PM_DEVICE PM_PAIR operator op(PM_PAIR x, PM_PAIR y)                                            \
    {                                                                                              \
        return pair(x, y);                                                                         \
    }                                                                                              \
    PM_DEVICE PM_PAIR &operator op##=(PM_PAIR &x, PM_PAIR y)                                       \
    {                                                                                              \
        return x = pair(x, y);                                                                     \
    }
PM_OPERATOR(+, __hadd, __hadd2)
PM_OPERATOR(-, __hsub, __hsub2)
PM_OPERATOR(*, __hmul, __hmul2)
PM_OPERATOR(/, __hdiv, __h2div)
#undef PM_OPERATOR

PM_DEVICE PM_NARROW __hneg(PM_NARROW x)
{
    return PM_NARROW((PM_RAW)-x.pm_value);
}
PM_DEVICE PM_NARROW __habs(PM_NARROW x)
{
    return PM_NARROW((PM_RAW)__builtin_elementwise_abs(x.pm_value));
}
PM_DEVICE PM_PAIR __hneg2(PM_PAIR x)
{
    return {__hneg(x.x), __hneg(x.y)};
}
PM_DEVICE PM_PAIR __habs2(PM_PAIR x)
{
    return {__habs(x.x), __habs(x.y)};
}
#define PM_SIGNS(type, negative, one)                                                              \
    PM_DEVICE type operator+(type x)                                                               \
    {                                                                                              \
        return x;                                                                                  \
    }                                                                                              \
    PM_DEVICE type operator-(type x)                                                               \
    {                                                                                              \
        return negative(x);                                                                        \
    }                                                                                              \
    PM_DEVICE type &operator++(type &x)                                                            \
    {                                                                                              \
        return x += one;                                                                           \
    }                                                                                              \
    PM_DEVICE type &operator--(type &x)                                                            \
    {                                                                                              \
        return x -= one;                                                                           \
    }                                                                                              \
    PM_DEVICE type operator++(type &x, int)                                                        \
    {                                                                                              \
        const type old = x;                                                                        \
        x += one;                                                                                  \
        return old;                                                                                \
    }                                                                                              \
    PM_DEVICE type operator--(type &x, int)                                                        \
    {                                                                                              \
        const type old = x;                                                                        \
        x -= one;                                                                                  \
        return old;                                                                                \
    }
PM_SIGNS(PM_NARROW, __hneg, PM_NARROW(1.0f))
PM_SIGNS(PM_PAIR, __hneg2, PM_PAIR(PM_NARROW(1.0f), PM_NARROW(1.0f)))
#undef PM_SIGNS

/* ---- comparisons ---- */

PM_DEVICE bool __hisnan(PM_NARROW x)
{
    return x.pm_value != x.pm_value;
}
PM_DEVICE int __hisinf(PM_NARROW x)
{
    return (float)x == __builtin_inff() ? 1 : (float)x == -__builtin_inff() ? -1 : 0;
}
PM_DEVICE PM_PAIR __hisnan2(PM_PAIR x)
{
    return {PM_NARROW(__hisnan(x.x) ? 1.0f : 0.0f), PM_NARROW(__hisnan(x.y) ? 1.0f : 0.0f)};
}
/* Comparisons of pairs. The results are 1.0 or 0.0 per element, all or no bits set per element, or
 * whether both elements fulfil the comparison. */
#define PM_COMPARED(name, holds)                                                                   \
    PM_DEVICE bool __h##name(PM_NARROW x, PM_NARROW y)                                             \
    {                                                                                              \
        return holds;                                                                              \
    }                                                                                              \
    PM_DEVICE PM_PAIR __h##name##2(PM_PAIR x, PM_PAIR y)                                           \
    {                                                                                              \
        return {PM_NARROW(__h##name(x.x, y.x) ? 1.0f : 0.0f),                                      \
                PM_NARROW(__h##name(x.y, y.y) ? 1.0f : 0.0f)};                                     \
    }                                                                                              \
    PM_DEVICE unsigned int __h##name##2_mask(PM_PAIR x, PM_PAIR y)                                 \
    {                                                                                              \
        return (__h##name(x.x, y.x) ? 0xffffu : 0) | (__h##name(x.y, y.y) ? 0xffff0000u : 0);      \
    }                                                                                              \
    PM_DEVICE bool __hb##name##2(PM_PAIR x, PM_PAIR y)                                             \
    {                                                                                              \
        return __h##name(x.x, y.x) && __h##name(x.y, y.y);                                         \
    }
/* Defines a comparison and its unordered variant (suffix u), which is also true if an operand is
 * NaN. */
#define PM_COMPARISON(name, op)                                                                    \
    PM_COMPARED(name, x.pm_value op y.pm_value)                                                    \
    PM_COMPARED(name##u, __hisnan(x) || __hisnan(y) || x.pm_value op y.pm_value)                   \
    PM_DEVICE bool operator op(PM_NARROW x, PM_NARROW y)                                           \
    {                                                                                              \
        return x.pm_value op y.pm_value;                                                           \
    }                                                                                              \
    PM_DEVICE bool operator op(PM_PAIR x, PM_PAIR y)                                               \
    {                                                                                              \
        return __hb##name##2(x, y);                                                                \
    }
PM_COMPARISON(lt, <)
PM_COMPARISON(le, <=)
PM_COMPARISON(gt, >)
PM_COMPARISON(ge, >=)
PM_COMPARISON(eq, ==)
PM_COMPARISON(ne, !=)
#undef PM_COMPARISON
#undef PM_COMPARED
#define PM_EXTREME(name, op)                                                                       \
    PM_DEVICE PM_NARROW __h##name(PM_NARROW x, PM_NARROW y)                                        \
    {                                                                                              \
        return PM_NARROW(__builtin_elementwise_##name(x.pm_value, y.pm_value));                    \
    }                                                                                              \
    PM_DEVICE PM_NARROW __h##name##_nan(PM_NARROW x, PM_NARROW y)                                  \
    {                                                                                              \
        return __hisnan(x) || __hisnan(y) ? PM_NARROW(__builtin_nanf("")) : __h##name(x, y);       \
    }                                                                                              \
    PM_DEVICE PM_PAIR __h##name##2(PM_PAIR x, PM_PAIR y)                                           \
    {                                                                                              \
        return {__h##name(x.x, y.x), __h##name(x.y, y.y)};                                         \
    }                                                                                              \
    PM_DEVICE PM_PAIR __h##name##2_nan(PM_PAIR x, PM_PAIR y)                                       \
    {                                                                                              \
        return {__h##name##_nan(x.x, y.x), __h##name##_nan(x.y, y.y)};                             \
    }
PM_EXTREME(max, <)
PM_EXTREME(min, >)
#undef PM_EXTREME

/* ---- functions ---- */

/* Defines a function that calls the GPU's float function and rounds the result, as the toolkit
 * does. */
#define PM_FUNCTION(name, in_float)                                                                \
    PM_DEVICE PM_NARROW h##name(PM_NARROW x)                                                       \
    {                                                                                              \
        return PM_NARROW(in_float((float)x));                                                      \
    }                                                                                              \
    PM_DEVICE PM_PAIR h2##name(PM_PAIR x)                                                          \
    {                                                                                              \
        return {h##name(x.x), h##name(x.y)};                                                       \
    }
PM_FUNCTION(exp, __expf)
PM_FUNCTION(exp2, exp2f)
PM_FUNCTION(exp10, __exp10f)
PM_FUNCTION(log, __logf)
PM_FUNCTION(log2, __log2f)
PM_FUNCTION(log10, __log10f)
PM_FUNCTION(sin, __sinf)
PM_FUNCTION(cos, __cosf)
PM_FUNCTION(tanh, tanhf)
PM_FUNCTION(tanh_approx, tanhf)
PM_FUNCTION(sqrt, pm_native_sqrt)
PM_FUNCTION(rsqrt, rsqrtf)
PM_FUNCTION(rcp, __frcp_rn)
PM_FUNCTION(ceil, ceilf)
PM_FUNCTION(floor, floorf)
PM_FUNCTION(trunc, truncf)
PM_FUNCTION(rint, rintf)
#undef PM_FUNCTION

/* The operation is one atomic instruction, as on GPUs. It adds the bits as integers, because LLVM
 * has no atomic of these types: the sum differs from the GPU's, and the counts are the same. */
PM_DEVICE PM_PAIR atomicAdd(PM_PAIR *p, PM_PAIR value)
{
    return __builtin_bit_cast(
        PM_PAIR, atomicAdd((unsigned int *)p, __builtin_bit_cast(unsigned int, value)));
}
PM_DEVICE PM_NARROW atomicAdd(PM_NARROW *p, PM_NARROW value)
{
    unsigned short before = __atomic_fetch_add(
        (unsigned short *)p, __builtin_bit_cast(unsigned short, value), __ATOMIC_RELAXED);

    return __builtin_bit_cast(PM_NARROW, before);
}
