/* Vector types for host code. See host.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header
#define PM_VECTORS(type, name, two, four)                                                          \
    struct name##1 {                                                                               \
        type x;                                                                                    \
    };                                                                                             \
    struct __align__(two) name##2                                                                  \
    {                                                                                              \
        type x, y;                                                                                 \
    };                                                                                             \
    struct name##3 {                                                                               \
        type x, y, z;                                                                              \
    };                                                                                             \
    struct __align__(four) name##4                                                                 \
    {                                                                                              \
        type x, y, z, w;                                                                           \
    };                                                                                             \
    PM_BOTH name##1 make_##name##1(type x)                                                         \
    {                                                                                              \
        return {x};                                                                                \
    }                                                                                              \
    PM_BOTH name##2 make_##name##2(type x, type y)                                                 \
    {                                                                                              \
        return {x, y};                                                                             \
    }                                                                                              \
    PM_BOTH name##3 make_##name##3(type x, type y, type z)                                         \
    {                                                                                              \
        return {x, y, z};                                                                          \
    }                                                                                              \
    PM_BOTH name##4 make_##name##4(type x, type y, type z, type w)                                 \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }
PM_VECTORS(signed char, char, 2, 4)
PM_VECTORS(unsigned char, uchar, 2, 4)
PM_VECTORS(short, short, 4, 8)
PM_VECTORS(unsigned short, ushort, 4, 8)
PM_VECTORS(int, int, 8, 16)
PM_VECTORS(unsigned int, uint, 8, 16)
PM_VECTORS(long, long, 16, 16)
PM_VECTORS(unsigned long, ulong, 16, 16)
PM_VECTORS(long long, longlong, 16, 16)
PM_VECTORS(unsigned long long, ulonglong, 16, 16)
PM_VECTORS(float, float, 8, 16)
PM_VECTORS(double, double, 16, 16)
#undef PM_VECTORS

struct dim3 {
    unsigned int x, y, z;
    PM_BOTH constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
        : x(x), y(y), z(z)
    {
    }
    PM_BOTH constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
};
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
static constexpr int warpSize = 32;

typedef float2 cuFloatComplex, cuComplex, cufftComplex;
typedef double2 cuDoubleComplex, cufftDoubleComplex;
typedef float cufftReal;
typedef double cufftDoubleReal;
PM_BOTH cuFloatComplex make_cuFloatComplex(float x, float y)
{
    return {x, y};
}
PM_BOTH cuDoubleComplex make_cuDoubleComplex(double x, double y)
{
    return {x, y};
}

/* Defines a 16-bit floating-point type. It converts to float, in which arithmetic is done. */
#define PM_HALF(name)                                                                              \
    struct name {                                                                                  \
        unsigned short pm_bits;                                                                    \
        name() = default;                                                                          \
        PM_BOTH name(float)                                                                        \
        {                                                                                          \
        }                                                                                          \
        PM_BOTH operator float() const                                                             \
        {                                                                                          \
            return pm_value;                                                                       \
        }                                                                                          \
        PM_BOTH name &operator+=(float);                                                           \
        PM_BOTH name &operator-=(float);                                                           \
        PM_BOTH name &operator*=(float);                                                           \
        PM_BOTH name &operator/=(float);                                                           \
        static const float pm_value;                                                               \
    };                                                                                             \
    struct name##2 {                                                                               \
        name x, y;                                                                                 \
    };
PM_HALF(half)
PM_HALF(nv_bfloat16)
#undef PM_HALF
typedef half __half;
typedef half2 __half2;
typedef nv_bfloat16 __nv_bfloat16;
typedef nv_bfloat162 __nv_bfloat162;
PM_BOTH half __float2half(float);
PM_BOTH float __half2float(half);
PM_BOTH nv_bfloat16 __float2bfloat16(float);
PM_BOTH float __bfloat162float(nv_bfloat16);
