/* Half-precision floating-point numbers. Replaces the CUDA toolkit's header of this name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header
#ifndef PM_CUDA_FP16_H
#define PM_CUDA_FP16_H

struct __half_raw {
    unsigned short x;
};
struct __half {
    _Float16 pm_value;
    __half() = default;
    PM_MEMBER constexpr __half(_Float16 x) : pm_value(x)
    {
    }
    PM_MEMBER __half(__half_raw raw) : pm_value(__builtin_bit_cast(_Float16, raw.x))
    {
    }
#define PM_FROM(type)                                                                              \
    PM_MEMBER constexpr __half(type x) : pm_value((_Float16)x)                                     \
    {                                                                                              \
    }
    PM_FROM(float)
    PM_FROM(double)
    PM_FROM(short)
    PM_FROM(unsigned short)
    PM_FROM(int)
    PM_FROM(unsigned int)
    PM_FROM(long)
    PM_FROM(unsigned long)
    PM_FROM(long long)
    PM_FROM(unsigned long long)
#undef PM_FROM
    PM_MEMBER constexpr operator float() const
    {
        return (float)pm_value;
    }
    PM_MEMBER operator __half_raw() const
    {
        return {__builtin_bit_cast(unsigned short, pm_value)};
    }
};

#define PM_NARROW __half
#define PM_PAIR __half2
#define PM_PAIR_RAW __half2_raw
#define PM_TWICE __half2half2
#define PM_RAW _Float16
#define PM_OF(a, b) a##half##b
#include "narrow.cuh"
#undef PM_NARROW
#undef PM_PAIR
#undef PM_PAIR_RAW
#undef PM_TWICE
#undef PM_RAW
#undef PM_OF
typedef __half half, nv_half;
typedef __half2 half2, nv_half2;

#endif
