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
    typedef type type##4 __attribute__((ext_vector_type(4)));
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
#define as_uint(x) __builtin_astype(x, uint)
#define as_int(x) __builtin_astype(x, int)
#define as_float(x) __builtin_astype(x, float)

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
    LOADS(type, 2, __private) LOADS(type, 3, __private) LOADS(type, 4, __private)
LOADS_OF(float)
LOADS_OF(int)
LOADS_OF(uint)
