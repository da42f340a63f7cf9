/* bfloat16: 16-bit floating-point numbers with the exponent of float. Replaces the CUDA toolkit's
 * header of this name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header
#ifndef PM_CUDA_BF16_H
#define PM_CUDA_BF16_H

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __nv_bfloat16 {
    __bf16 pm_value;
    __nv_bfloat16() = default;
    PM_MEMBER constexpr __nv_bfloat16(__bf16 x) : pm_value(x)
    {
    }
    PM_MEMBER __nv_bfloat16(__nv_bfloat16_raw raw) : pm_value(__builtin_bit_cast(__bf16, raw.x))
    {
    }
#define PM_FROM(type)                                                                              \
    PM_MEMBER constexpr __nv_bfloat16(type x) : pm_value((__bf16)x)                                \
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
    PM_MEMBER operator __nv_bfloat16_raw() const
    {
        return {__builtin_bit_cast(unsigned short, pm_value)};
    }
};

#define PM_NARROW __nv_bfloat16
#define PM_PAIR __nv_bfloat162
#define PM_PAIR_RAW __nv_bfloat162_raw
#define PM_TWICE __bfloat162bfloat162
#define PM_RAW __bf16
#define PM_OF(a, b) a##bfloat16##b
#include "narrow.cuh"
#undef PM_NARROW
#undef PM_PAIR
#undef PM_PAIR_RAW
#undef PM_TWICE
#undef PM_RAW
#undef PM_OF
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#endif
