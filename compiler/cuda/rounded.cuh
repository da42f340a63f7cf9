/* Arithmetic with a rounding direction. See prelude.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header
/* Rounded by themselves: not contracted with what comes before or after. The direction (rn, rd, ru, rz) is a modifier
 * of a GPU's instructions and changes no count. All are rounded to nearest here. */
#define PM_ROUNDED(type, prefix, function, way)                                                    \
    PM_DEVICE type prefix##add_##way(type x, type y)                                               \
    {                                                                                              \
        return x + y;                                                                              \
    }                                                                                              \
    PM_DEVICE type prefix##sub_##way(type x, type y)                                               \
    {                                                                                              \
        return x - y;                                                                              \
    }                                                                                              \
    PM_DEVICE type prefix##mul_##way(type x, type y)                                               \
    {                                                                                              \
        return x * y;                                                                              \
    }                                                                                              \
    PM_DEVICE type prefix##div_##way(type x, type y)                                               \
    {                                                                                              \
        return x / y;                                                                              \
    }                                                                                              \
    PM_DEVICE type function##way(type x, type y, type z)                                           \
    {                                                                                              \
        return fma(x, y, z);                                                                       \
    }
#define PM_ROUNDED_ROOTS(way)                                                                      \
    PM_DEVICE float __fsqrt_##way(float x)                                                         \
    {                                                                                              \
        return pm_sqrt_ieee(x);                                                                    \
    }                                                                                              \
    PM_DEVICE float __frcp_##way(float x)                                                          \
    {                                                                                              \
        return 1.0f / x;                                                                           \
    }                                                                                              \
    PM_DEVICE double __dsqrt_##way(double x)                                                       \
    {                                                                                              \
        return sqrt(x);                                                                            \
    }                                                                                              \
    PM_DEVICE double __drcp_##way(double x)                                                        \
    {                                                                                              \
        return 1.0 / x;                                                                            \
    }
#define PM_ROUNDED_WAY(way)                                                                        \
    PM_ROUNDED(float, __f, __fmaf_, way)                                                           \
    PM_ROUNDED(double, __d, __fma_, way)                                                           \
    PM_ROUNDED_ROOTS(way)
PM_ROUNDED_WAY(rn)
PM_ROUNDED_WAY(rd)
PM_ROUNDED_WAY(ru)
PM_ROUNDED_WAY(rz)
#undef PM_ROUNDED_WAY
#undef PM_ROUNDED_ROOTS
#undef PM_ROUNDED
