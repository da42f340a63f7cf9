/* What OpenCL C a random program needs, for clang to compile it as a library for this machine. The
 * work-items of a program run one after the other: atomics need not be.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;

#define VECTORS(type)                                                                              \
    typedef type type##2 __attribute__((ext_vector_type(2)));                                      \
    typedef type type##3 __attribute__((ext_vector_type(3)));                                      \
    typedef type type##4 __attribute__((ext_vector_type(4)));                                      \
    typedef type type##8 __attribute__((ext_vector_type(8)));                                      \
    typedef type type##16 __attribute__((ext_vector_type(16)));
VECTORS(char)
VECTORS(uchar)
VECTORS(short)
VECTORS(ushort)
VECTORS(int)
VECTORS(uint)
VECTORS(long)
VECTORS(ulong)
VECTORS(float)
VECTORS(double)

ulong lr_work_item(uint what);
void lr_barrier(void);

#define get_global_id(d) lr_work_item(0)
#define get_local_id(d) lr_work_item(1)
#define get_group_id(d) lr_work_item(2)
#define get_global_size(d) lr_work_item(3)
#define get_local_size(d) lr_work_item(4)
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define barrier(fence) lr_barrier()
#define as_char(x) __builtin_astype(x, char)
#define as_char2(x) __builtin_astype(x, char2)
#define as_char3(x) __builtin_astype(x, char3)
#define as_char4(x) __builtin_astype(x, char4)
#define as_char8(x) __builtin_astype(x, char8)
#define as_char16(x) __builtin_astype(x, char16)
#define as_uchar(x) __builtin_astype(x, uchar)
#define as_uchar2(x) __builtin_astype(x, uchar2)
#define as_uchar3(x) __builtin_astype(x, uchar3)
#define as_uchar4(x) __builtin_astype(x, uchar4)
#define as_uchar8(x) __builtin_astype(x, uchar8)
#define as_uchar16(x) __builtin_astype(x, uchar16)
#define as_short(x) __builtin_astype(x, short)
#define as_short2(x) __builtin_astype(x, short2)
#define as_short3(x) __builtin_astype(x, short3)
#define as_short4(x) __builtin_astype(x, short4)
#define as_short8(x) __builtin_astype(x, short8)
#define as_short16(x) __builtin_astype(x, short16)
#define as_ushort(x) __builtin_astype(x, ushort)
#define as_ushort2(x) __builtin_astype(x, ushort2)
#define as_ushort3(x) __builtin_astype(x, ushort3)
#define as_ushort4(x) __builtin_astype(x, ushort4)
#define as_ushort8(x) __builtin_astype(x, ushort8)
#define as_ushort16(x) __builtin_astype(x, ushort16)
#define as_int(x) __builtin_astype(x, int)
#define as_int2(x) __builtin_astype(x, int2)
#define as_int3(x) __builtin_astype(x, int3)
#define as_int4(x) __builtin_astype(x, int4)
#define as_int8(x) __builtin_astype(x, int8)
#define as_int16(x) __builtin_astype(x, int16)
#define as_uint(x) __builtin_astype(x, uint)
#define as_uint2(x) __builtin_astype(x, uint2)
#define as_uint3(x) __builtin_astype(x, uint3)
#define as_uint4(x) __builtin_astype(x, uint4)
#define as_uint8(x) __builtin_astype(x, uint8)
#define as_uint16(x) __builtin_astype(x, uint16)
#define as_long(x) __builtin_astype(x, long)
#define as_long2(x) __builtin_astype(x, long2)
#define as_long3(x) __builtin_astype(x, long3)
#define as_long4(x) __builtin_astype(x, long4)
#define as_long8(x) __builtin_astype(x, long8)
#define as_long16(x) __builtin_astype(x, long16)
#define as_ulong(x) __builtin_astype(x, ulong)
#define as_ulong2(x) __builtin_astype(x, ulong2)
#define as_ulong3(x) __builtin_astype(x, ulong3)
#define as_ulong4(x) __builtin_astype(x, ulong4)
#define as_ulong8(x) __builtin_astype(x, ulong8)
#define as_ulong16(x) __builtin_astype(x, ulong16)
#define as_float(x) __builtin_astype(x, float)
#define as_float2(x) __builtin_astype(x, float2)
#define as_float3(x) __builtin_astype(x, float3)
#define as_float4(x) __builtin_astype(x, float4)
#define as_float8(x) __builtin_astype(x, float8)
#define as_float16(x) __builtin_astype(x, float16)
#define as_double(x) __builtin_astype(x, double)
#define as_double2(x) __builtin_astype(x, double2)
#define as_double3(x) __builtin_astype(x, double3)
#define as_double4(x) __builtin_astype(x, double4)
#define as_double8(x) __builtin_astype(x, double8)
#define as_double16(x) __builtin_astype(x, double16)

#define ATOMIC(name, type, result)                                                                 \
    static type __attribute__((overloadable, unused)) atomic_##name(volatile __global type *at,    \
                                                                    type v)                        \
    {                                                                                              \
        type old = *at;                                                                            \
        *at = (type)(result);                                                                      \
        return old;                                                                                \
    }
#define ATOMICS(type)                                                                              \
    ATOMIC(add, type, (uint)old + (uint)v)                                                         \
    ATOMIC(sub, type, (uint)old - (uint)v)                                                         \
    ATOMIC(xor, type, old ^ v)                                                                     \
    ATOMIC(or, type, old | v)                                                                      \
    ATOMIC(and, type, old &v)                                                                      \
    ATOMIC(min, type, old < v ? old : v)                                                           \
    ATOMIC(max, type, old > v ? old : v)
ATOMICS(int)
ATOMICS(uint)
#define atomic_inc(at) atomic_add(at, 1)

#define LOADS(type, width, space)                                                                  \
    static type##width __attribute__((overloadable, unused))                                       \
    vload##width(size_t i, const space type *from)                                                 \
    {                                                                                              \
        type##width v;                                                                             \
        for (uint k = 0; k < width; k++)                                                           \
            v[k] = from[i * width + k];                                                            \
        return v;                                                                                  \
    }                                                                                              \
    static void __attribute__((overloadable, unused))                                              \
    vstore##width(type##width v, size_t i, space type *to)                                         \
    {                                                                                              \
        for (uint k = 0; k < width; k++)                                                           \
            to[i * width + k] = v[k];                                                              \
    }
#define LOADS_OF(type)                                                                             \
    LOADS(type, 2, __global) LOADS(type, 3, __global) LOADS(type, 4, __global)                     \
    LOADS(type, 8, __global) LOADS(type, 16, __global)
LOADS_OF(char)
LOADS_OF(uchar)
LOADS_OF(short)
LOADS_OF(ushort)
LOADS_OF(int)
LOADS_OF(uint)
LOADS_OF(long)
LOADS_OF(ulong)
LOADS_OF(float)
LOADS_OF(double)
