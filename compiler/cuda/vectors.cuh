/* Vector types, and the built-in variables of a thread. See prelude.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header
#define PM_VECTORS(type, name, two, three, four)                                                   \
    struct name##1 {                                                                               \
        type x;                                                                                    \
    };                                                                                             \
    struct __align__(two) name##2                                                                  \
    {                                                                                              \
        type x, y;                                                                                 \
    };                                                                                             \
    struct __align__(three) name##3                                                                \
    {                                                                                              \
        type x, y, z;                                                                              \
    };                                                                                             \
    struct __align__(four) name##4                                                                 \
    {                                                                                              \
        type x, y, z, w;                                                                           \
    };                                                                                             \
    PM_DEVICE constexpr name##1 make_##name##1(type x)                                             \
    {                                                                                              \
        return {x};                                                                                \
    }                                                                                              \
    PM_DEVICE constexpr name##2 make_##name##2(type x, type y)                                     \
    {                                                                                              \
        return {x, y};                                                                             \
    }                                                                                              \
    PM_DEVICE constexpr name##3 make_##name##3(type x, type y, type z)                             \
    {                                                                                              \
        return {x, y, z};                                                                          \
    }                                                                                              \
    PM_DEVICE constexpr name##4 make_##name##4(type x, type y, type z, type w)                     \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }
PM_VECTORS(signed char, char, 2, 1, 4)
PM_VECTORS(unsigned char, uchar, 2, 1, 4)
PM_VECTORS(short, short, 4, 2, 8)
PM_VECTORS(unsigned short, ushort, 4, 2, 8)
PM_VECTORS(int, int, 8, 4, 16)
PM_VECTORS(unsigned int, uint, 8, 4, 16)
PM_VECTORS(long, long, 16, 8, 16)
PM_VECTORS(unsigned long, ulong, 16, 8, 16)
PM_VECTORS(long long, longlong, 16, 8, 16)
PM_VECTORS(unsigned long long, ulonglong, 16, 8, 16)
PM_VECTORS(float, float, 8, 4, 16)
PM_VECTORS(double, double, 16, 8, 16)
#undef PM_VECTORS

struct dim3 {
    unsigned int x, y, z;
    PM_MEMBER constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
        : x(x), y(y), z(z)
    {
    }
    PM_MEMBER constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
    PM_MEMBER constexpr operator uint3() const
    {
        return {x, y, z};
    }
};

#ifdef PM_PARSED
/* Declarations of the builtin variables for tools that only parse the source. */
#define PM_BUILTIN_VARIABLE(variable, sreg, other) extern const __device__ other variable;
#else
/* A builtin variable without storage: its members are properties, whose getter reads the special
 * register. */
#define PM_BUILTIN_VARIABLE(variable, sreg, other)                                                 \
    struct pm_##sreg {                                                                             \
        __declspec(property(get = pm_x)) unsigned int x;                                           \
        __declspec(property(get = pm_y)) unsigned int y;                                           \
        __declspec(property(get = pm_z)) unsigned int z;                                           \
        static PM_MEMBER unsigned int pm_x()                                                       \
        {                                                                                          \
            return __nvvm_read_ptx_sreg_##sreg##_x();                                              \
        }                                                                                          \
        static PM_MEMBER unsigned int pm_y()                                                       \
        {                                                                                          \
            return __nvvm_read_ptx_sreg_##sreg##_y();                                              \
        }                                                                                          \
        static PM_MEMBER unsigned int pm_z()                                                       \
        {                                                                                          \
            return __nvvm_read_ptx_sreg_##sreg##_z();                                              \
        }                                                                                          \
        PM_MEMBER operator other() const                                                           \
        {                                                                                          \
            return {pm_x(), pm_y(), pm_z()};                                                       \
        }                                                                                          \
    };                                                                                             \
    extern const __device__ pm_##sreg variable;
#endif
PM_BUILTIN_VARIABLE(threadIdx, tid, uint3)
PM_BUILTIN_VARIABLE(blockIdx, ctaid, uint3)
PM_BUILTIN_VARIABLE(blockDim, ntid, dim3)
PM_BUILTIN_VARIABLE(gridDim, nctaid, dim3)
#undef PM_BUILTIN_VARIABLE
#ifndef PM_WARP /* defined as 64 on the command line for GPUs with wavefronts of 64 */
#define PM_WARP 32
#endif
static constexpr int warpSize = PM_WARP;
