/* Mathematical functions for kernels. See prelude.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header
#ifndef INFINITY
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#endif
#define HUGE_VALF (__builtin_inff())
#define HUGE_VAL (__builtin_inf())
#define CUDART_INF_F (__builtin_inff())
#define CUDART_INF (__builtin_inf())
#define CUDART_NAN_F (__builtin_nanf(""))
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440

#define PM_LIBCLC(type, name, symbol, ...)                                                         \
    extern "C" __attribute__((device, host)) type name(__VA_ARGS__) __asm__(symbol);

/* Defines NAMEf(float), NAME(float) and NAME(double) as a libclc function. libclc: its mangled name
 * without "_Z" and types, such as "3sin". */
#define PM_MATH1(name, libclc) PM_MATH1_BY(name, libclc, pm_##name##_f)
/* Defines NAMEf(float), NAME(float) and NAME(double). The function `by` implements the float
 * version. */
#define PM_MATH1_BY(name, libclc, by)                                                              \
    PM_LIBCLC(float, pm_##name##_f, "_Z" libclc "f", float)                                        \
    PM_LIBCLC(double, pm_##name##_d, "_Z" libclc "d", double)                                      \
    PM_DEVICE float name##f(float x)                                                               \
    {                                                                                              \
        return by(x);                                                                              \
    }                                                                                              \
    PM_DEVICE float name(float x)                                                                  \
    {                                                                                              \
        return by(x);                                                                              \
    }                                                                                              \
    PM_DEVICE double name(double x)                                                                \
    {                                                                                              \
        return pm_##name##_d(x);                                                                   \
    }                                                                                              \
    PM_INTEGERS1(name)
/* Defines overloads for integer arguments, which are converted to double. */
#define PM_INTEGERS1(name)                                                                         \
    PM_DEVICE double name(int x)                                                                   \
    {                                                                                              \
        return name((double)x);                                                                    \
    }                                                                                              \
    PM_DEVICE double name(unsigned int x)                                                          \
    {                                                                                              \
        return name((double)x);                                                                    \
    }                                                                                              \
    PM_DEVICE double name(long x)                                                                  \
    {                                                                                              \
        return name((double)x);                                                                    \
    }
#define PM_MATH2(name, libclc) PM_MATH2_BY(name, libclc, pm_##name##_f)
#define PM_MATH2_BY(name, libclc, by)                                                              \
    PM_LIBCLC(float, pm_##name##_f, "_Z" libclc "ff", float, float)                                \
    PM_LIBCLC(double, pm_##name##_d, "_Z" libclc "dd", double, double)                             \
    PM_DEVICE float name##f(float x, float y)                                                      \
    {                                                                                              \
        return by(x, y);                                                                           \
    }                                                                                              \
    PM_DEVICE float name(float x, float y)                                                         \
    {                                                                                              \
        return by(x, y);                                                                           \
    }                                                                                              \
    PM_DEVICE double name(double x, double y)                                                      \
    {                                                                                              \
        return pm_##name##_d(x, y);                                                                \
    }                                                                                              \
    PM_DEVICE double name(double x, float y)                                                       \
    {                                                                                              \
        return pm_##name##_d(x, y);                                                                \
    }                                                                                              \
    PM_DEVICE double name(float x, double y)                                                       \
    {                                                                                              \
        return pm_##name##_d(x, y);                                                                \
    }

/* Attributes of functions that are not inlined, because the trace engine counts their calls by
 * name. */
#define PM_COUNTED __inline__ __attribute__((device, host, noinline, nodebug))

/* The GPU's own approximations replace these functions, too, if --use_fast_math is given (CUDA C++
 * Programming Guide, "Functions Affected by -use_fast_math"). The engine's table of instructions
 * has rows for the approximations of sin, cos, tan, exp and the logarithms. */
#ifdef PM_FAST_MATH
PM_COUNTED float pm_tanh_fast(float x);
PM_COUNTED float pm_exp10_fast(float x);
PM_COUNTED float pm_pow_fast(float x, float y);
#define PM_FAST1(name, libclc) PM_MATH1_BY(name, libclc, pm_##name##_fast)
#define PM_FAST2(name, libclc) PM_MATH2_BY(name, libclc, pm_##name##_fast)
#else
#define PM_FAST1 PM_MATH1
#define PM_FAST2 PM_MATH2
#endif

PM_MATH1(sin, "3sin")
PM_MATH1(cos, "3cos")
PM_MATH1(tan, "3tan")
PM_MATH1(asin, "4asin")
PM_MATH1(acos, "4acos")
PM_MATH1(atan, "4atan")
PM_MATH1(sinh, "4sinh")
PM_MATH1(cosh, "4cosh")
PM_FAST1(tanh, "4tanh")
PM_MATH1(asinh, "5asinh")
PM_MATH1(acosh, "5acosh")
PM_MATH1(atanh, "5atanh")
PM_MATH1(sinpi, "5sinpi")
PM_MATH1(cospi, "5cospi")
PM_MATH1(exp, "3exp")
PM_MATH1(exp2, "4exp2")
PM_FAST1(exp10, "5exp10")
PM_MATH1(expm1, "5expm1")
PM_MATH1(log, "3log")
PM_MATH1(log2, "4log2")
PM_MATH1(log10, "5log10")
PM_MATH1(log1p, "5log1p")
PM_MATH1(logb, "4logb")
PM_MATH1(cbrt, "4cbrt")
PM_MATH1(rsqrt, "5rsqrt")
PM_MATH1(erf, "3erf")
PM_MATH1(erfc, "4erfc")
PM_MATH1(lgamma, "6lgamma")
PM_MATH1(tgamma, "6tgamma")
PM_MATH1(fabs, "4fabs")
PM_MATH1(floor, "5floor")
PM_MATH1(ceil, "4ceil")
PM_MATH1(trunc, "5trunc")
PM_MATH1(round, "5round")
PM_MATH1(rint, "4rint")
PM_MATH2(atan2, "5atan2")
PM_FAST2(pow, "3pow")
PM_MATH2(fmod, "4fmod")
PM_MATH2(fmin, "4fmin")
PM_MATH2(fmax, "4fmax")
PM_MATH2(fdim, "4fdim")
PM_MATH2(hypot, "5hypot")
PM_MATH2(copysign, "8copysign")
PM_MATH2(remainder, "9remainder")
PM_MATH2(nextafter, "9nextafter")
#undef PM_FAST1
#undef PM_FAST2
#undef PM_MATH1
#undef PM_MATH1_BY
#undef PM_MATH2
#undef PM_MATH2_BY

PM_LIBCLC(float, pm_pown_f, "_Z4pownfi", float, int)
PM_LIBCLC(double, pm_pown_d, "_Z4powndi", double, int)
PM_LIBCLC(float, pm_ldexp_f, "_Z5ldexpfi", float, int)
PM_LIBCLC(double, pm_ldexp_d, "_Z5ldexpdi", double, int)
PM_LIBCLC(double, pm_sqrt_d, "_Z4sqrtd", double)
PM_LIBCLC(float, pm_native_sqrt, "_Z11native_sqrtf", float)
PM_LIBCLC(float, pm_native_exp, "_Z10native_expf", float)
PM_LIBCLC(float, pm_native_exp10, "_Z12native_exp10f", float)
PM_LIBCLC(float, pm_native_log, "_Z10native_logf", float)
PM_LIBCLC(float, pm_native_log2, "_Z11native_log2f", float)
PM_LIBCLC(float, pm_native_log10, "_Z12native_log10f", float)
PM_LIBCLC(float, pm_native_sin, "_Z10native_sinf", float)
PM_LIBCLC(float, pm_native_cos, "_Z10native_cosf", float)
PM_LIBCLC(float, pm_native_tan, "_Z10native_tanf", float)
PM_LIBCLC(float, pm_native_powr, "_Z11native_powrff", float, float)

PM_COUNTED float pm_sqrt_ieee(float x)
{
    return __builtin_sqrtf(x);
}
PM_COUNTED float pm_divide_fast(float x, float y)
{
    return x / y;
}
PM_COUNTED float pm_cos_beside(float x)
{
    return pm_cos_f(x);
}
#ifdef PM_FAST_MATH
PM_COUNTED float pm_sqrt_fast(float x)
{
    return __builtin_sqrtf(x);
}
PM_COUNTED float pm_tanh_fast(float x)
{
    return pm_tanh_f(x);
}
PM_COUNTED float pm_exp10_fast(float x)
{
    return pm_exp10_f(x);
}
PM_COUNTED float pm_pow_fast(float x, float y)
{
    return pm_pow_f(x, y);
}
#endif
#undef PM_COUNTED

PM_DEVICE float sqrtf(float x)
{
#ifdef PM_FAST_MATH
    return pm_sqrt_fast(x);
#elif defined(PM_FAST_ROOT)
    return pm_native_sqrt(x);
#else
    return pm_sqrt_ieee(x);
#endif
}
PM_DEVICE float sqrt(float x)
{
    return sqrtf(x);
}
PM_DEVICE double sqrt(double x)
{
    return pm_sqrt_d(x);
}
PM_INTEGERS1(sqrt)
#undef PM_INTEGERS1
PM_DEVICE float pow(float x, int y)
{
    return pm_pown_f(x, y);
}
PM_DEVICE double pow(double x, int y)
{
    return pm_pown_d(x, y);
}
PM_DEVICE double pow(int x, int y)
{
    return pm_pown_d(x, y);
}
PM_DEVICE double pow(int x, double y)
{
    return pow((double)x, y);
}
PM_DEVICE float ldexpf(float x, int y)
{
    return pm_ldexp_f(x, y);
}
PM_DEVICE float ldexp(float x, int y)
{
    return pm_ldexp_f(x, y);
}
PM_DEVICE double ldexp(double x, int y)
{
    return pm_ldexp_d(x, y);
}
PM_DEVICE float scalbnf(float x, int y)
{
    return pm_ldexp_f(x, y);
}
PM_DEVICE float nearbyintf(float x)
{
    return rint(x);
}
PM_DEVICE double nearbyint(double x)
{
    return rint(x);
}
/* Conversions of floating-point numbers to integers. C has a function name for each pair of types,
 * C++ has one name for each floating-point type. */
#define PM_TO_INTEGER(name, result, real, round)                                                   \
    PM_DEVICE result name(real x)                                                                  \
    {                                                                                              \
        return (result)round(x);                                                                   \
    }
PM_TO_INTEGER(lrintf, long, float, rint)
PM_TO_INTEGER(lrint, long, float, rint)
PM_TO_INTEGER(lrint, long, double, rint)
PM_TO_INTEGER(llrintf, long long, float, rint)
PM_TO_INTEGER(llrint, long long, float, rint)
PM_TO_INTEGER(llrint, long long, double, rint)
PM_TO_INTEGER(lroundf, long, float, round)
PM_TO_INTEGER(lround, long, float, round)
PM_TO_INTEGER(lround, long, double, round)
PM_TO_INTEGER(llroundf, long long, float, round)
PM_TO_INTEGER(llround, long long, float, round)
PM_TO_INTEGER(llround, long long, double, round)
#undef PM_TO_INTEGER
PM_DEVICE float fmaf(float x, float y, float z)
{
    return __builtin_fmaf(x, y, z);
}
PM_DEVICE float fma(float x, float y, float z)
{
    return __builtin_fmaf(x, y, z);
}
PM_DEVICE double fma(double x, double y, double z)
{
    return __builtin_fma(x, y, z);
}
PM_DEVICE void sincosf(float x, float *s, float *c)
{
    *s = sinf(x);
    *c = pm_cos_beside(x);
}
PM_DEVICE void sincos(double x, double *s, double *c)
{
    *s = sin(x);
    *c = cos(x);
}
PM_DEVICE float fdividef(float x, float y)
{
    return x / y;
}
PM_DEVICE float rhypotf(float x, float y)
{
    return rsqrtf(x * x + y * y);
}
PM_DEVICE float norm3df(float x, float y, float z)
{
    return sqrtf(x * x + y * y + z * z);
}
PM_DEVICE float rnorm3df(float x, float y, float z)
{
    return rsqrtf(x * x + y * y + z * z);
}
PM_DEVICE double frexp(double x, int *exponent)
{
    return __builtin_frexp(x, exponent);
}
PM_DEVICE float frexpf(float x, int *exponent)
{
    return __builtin_frexpf(x, exponent);
}
PM_DEVICE double nan(const char *)
{
    return __builtin_nan("");
}
PM_DEVICE float nanf(const char *)
{
    return __builtin_nanf("");
}

#define PM_CLASSIFY(type)                                                                          \
    PM_DEVICE bool isnan(type x)                                                                   \
    {                                                                                              \
        return __builtin_isnan(x);                                                                 \
    }                                                                                              \
    PM_DEVICE bool isinf(type x)                                                                   \
    {                                                                                              \
        return __builtin_isinf(x);                                                                 \
    }                                                                                              \
    PM_DEVICE bool isfinite(type x)                                                                \
    {                                                                                              \
        return __builtin_isfinite(x);                                                              \
    }                                                                                              \
    PM_DEVICE bool signbit(type x)                                                                 \
    {                                                                                              \
        return __builtin_signbit(x);                                                               \
    }
PM_CLASSIFY(float)
PM_CLASSIFY(double)
#undef PM_CLASSIFY

/* Functions that the GPU's special-function unit computes. */
PM_DEVICE float __expf(float x)
{
    return pm_native_exp(x);
}
PM_DEVICE float __exp10f(float x)
{
#ifdef PM_FAST_MATH
    return pm_exp10_fast(x);
#else
    return pm_native_exp10(x);
#endif
}
PM_DEVICE float __tanhf(float x)
{
#ifdef PM_FAST_MATH
    return pm_tanh_fast(x);
#else
    return pm_tanh_f(x);
#endif
}
PM_DEVICE float __logf(float x)
{
    return pm_native_log(x);
}
PM_DEVICE float __log2f(float x)
{
    return pm_native_log2(x);
}
PM_DEVICE float __log10f(float x)
{
    return pm_native_log10(x);
}
PM_DEVICE float __sinf(float x)
{
    return pm_native_sin(x);
}
PM_DEVICE float __cosf(float x)
{
    return pm_native_cos(x);
}
PM_DEVICE void __sincosf(float x, float *s, float *c)
{
    *s = pm_native_sin(x);
    *c = pm_native_cos(x);
}
PM_DEVICE float __tanf(float x)
{
    return pm_native_tan(x);
}
PM_DEVICE float __powf(float x, float y)
{
#ifdef PM_FAST_MATH
    return pm_pow_fast(x, y);
#else
    return pm_native_powr(x, y);
#endif
}
PM_DEVICE float __fdividef(float x, float y)
{
    return pm_divide_fast(x, y);
}
PM_DEVICE float __saturatef(float x)
{
    return fminf(fmaxf(x, 0.0f), 1.0f);
}
PM_DEVICE float __frsqrt_rn(float x)
{
    return rsqrtf(x);
}

/* min, max and abs with arguments of different types, as CUDA defines them. */
#define PM_LEAST(result, a, b)                                                                     \
    PM_DEVICE constexpr result min(a x, b y)                                                       \
    {                                                                                              \
        return (result)x < (result)y ? (result)x : (result)y;                                      \
    }                                                                                              \
    PM_DEVICE constexpr result max(a x, b y)                                                       \
    {                                                                                              \
        return (result)x < (result)y ? (result)y : (result)x;                                      \
    }
PM_LEAST(int, int, int)
PM_LEAST(unsigned int, unsigned int, unsigned int)
PM_LEAST(unsigned int, int, unsigned int)
PM_LEAST(unsigned int, unsigned int, int)
PM_LEAST(long, long, long)
PM_LEAST(unsigned long, unsigned long, unsigned long)
PM_LEAST(unsigned long, long, unsigned long)
PM_LEAST(unsigned long, unsigned long, long)
PM_LEAST(long long, long long, long long)
PM_LEAST(unsigned long long, unsigned long long, unsigned long long)
#undef PM_LEAST
#define PM_LEAST(result, a, b)                                                                     \
    PM_DEVICE result min(a x, b y)                                                                 \
    {                                                                                              \
        return fmin((result)x, (result)y);                                                         \
    }                                                                                              \
    PM_DEVICE result max(a x, b y)                                                                 \
    {                                                                                              \
        return fmax((result)x, (result)y);                                                         \
    }
PM_LEAST(float, float, float)
PM_LEAST(double, double, double)
PM_LEAST(double, float, double)
PM_LEAST(double, double, float)
#undef PM_LEAST
PM_DEVICE unsigned int umin(unsigned int x, unsigned int y)
{
    return min(x, y);
}
PM_DEVICE unsigned int umax(unsigned int x, unsigned int y)
{
    return max(x, y);
}
PM_DEVICE int abs(int x)
{
    return __builtin_abs(x);
}
PM_DEVICE long abs(long x)
{
    return __builtin_labs(x);
}
PM_DEVICE long long abs(long long x)
{
    return __builtin_llabs(x);
}
PM_DEVICE long labs(long x)
{
    return __builtin_labs(x);
}
PM_DEVICE long long llabs(long long x)
{
    return __builtin_llabs(x);
}
PM_DEVICE float abs(float x)
{
    return fabs(x);
}
PM_DEVICE double abs(double x)
{
    return fabs(x);
}
