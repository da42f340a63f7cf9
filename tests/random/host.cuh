/* What CUDA a random program needs, for clang to compile it as C++ and a library for this machine.
 * The threads of a program run one after the other: atomics need not be.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header
typedef unsigned long size_t;

extern "C" {
/* machine.c */
unsigned long rd_work_item(unsigned what, unsigned dimension);
void rd_barrier(unsigned fence, unsigned line);
/* memory.c */
void rd_atomic(volatile void *at);

/* Shared memory that all kernels of this file use. */
extern __attribute__((visibility("hidden"))) char __bss_start[], _end[];
unsigned long rd_local_start()
{
    return (unsigned long)__bss_start;
}
unsigned long rd_local_end()
{
    return (unsigned long)_end;
}
}

#define __global__ extern "C" /* extern "C", so that the kernel is found by its name */
#define __device__
#define __shared__ static
#define launch_bounds(...)
#define __launch_bounds__(...)

struct rd_indices {
    unsigned x, y, z;
};
static inline rd_indices rd_three(unsigned what)
{
    return {(unsigned)rd_work_item(what, 0), (unsigned)rd_work_item(what, 1),
            (unsigned)rd_work_item(what, 2)};
}
#define threadIdx rd_three(1)
#define blockIdx rd_three(2)
#define blockDim rd_three(4)
#define gridDim rd_three(5)
/* Fences of all memory. 1 and 2 are the fences of machine.c. */
#define __syncthreads() rd_barrier(3, __LINE__)

#define BOUNDS(type)                                                                               \
    static inline type min(type a, type b) { return b < a ? b : a; }                               \
    static inline type max(type a, type b) { return a < b ? b : a; }
BOUNDS(int)
BOUNDS(unsigned)
BOUNDS(long)
BOUNDS(unsigned long)
BOUNDS(long long)
BOUNDS(unsigned long long)
BOUNDS(float)
BOUNDS(double)

/* The types have CUDA's alignments. */
#define VECTORS(type, word, of2, of4)                                                              \
    struct alignas(of2) word##2 { type x, y; };                                                    \
    struct word##3 { type x, y, z; };                                                              \
    struct alignas(of4) word##4 { type x, y, z, w; };                                              \
    static inline word##2 make_##word##2(type x, type y) { return {x, y}; }                        \
    static inline word##3 make_##word##3(type x, type y, type z) { return {x, y, z}; }             \
    static inline word##4 make_##word##4(type x, type y, type z, type w) { return {x, y, z, w}; }
VECTORS(signed char, char, 2, 4)
VECTORS(unsigned char, uchar, 2, 4)
VECTORS(short, short, 4, 8)
VECTORS(unsigned short, ushort, 4, 8)
VECTORS(int, int, 8, 16)
VECTORS(unsigned, uint, 8, 16)
VECTORS(long, long, 16, 16)
VECTORS(unsigned long, ulong, 16, 16)
VECTORS(float, float, 8, 16)
VECTORS(double, double, 16, 16)

/* Reinterprets the bits of one type as another. */
#define BITS(name, from, to)                                                                       \
    static inline to name(from value) { return __builtin_bit_cast(to, value); }
BITS(__float_as_uint, float, unsigned)
BITS(__uint_as_float, unsigned, float)
BITS(__float_as_int, float, int)
BITS(__int_as_float, int, float)
BITS(__double_as_longlong, double, long long)
BITS(__longlong_as_double, long long, double)
static inline int __double2hiint(double d)
{
    return (int)(__double_as_longlong(d) >> 32);
}
static inline int __double2loint(double d)
{
    return (int)__double_as_longlong(d);
}
static inline double __hiloint2double(int high, int low)
{
    return __longlong_as_double((long long)(((unsigned long)(unsigned)high << 32) | (unsigned)low));
}
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __forceinline__ inline

#define ATOMIC(name, type, result)                                                                 \
    static inline __attribute__((no_sanitize("thread"))) type atomic##name(type *at, type v)       \
    {                                                                                              \
        type old;                                                                                  \
        rd_atomic(at);                                                                             \
        old = *at;                                                                                 \
        *at = (type)(result);                                                                      \
        return old;                                                                                \
    }
#define ATOMICS(type)                                                                              \
    ATOMIC(Add, type, (unsigned)old + (unsigned)v)                                                 \
    ATOMIC(Sub, type, (unsigned)old - (unsigned)v)                                                 \
    ATOMIC(Xor, type, old ^ v)                                                                     \
    ATOMIC(Or, type, old | v)                                                                      \
    ATOMIC(And, type, old &v)                                                                      \
    ATOMIC(Min, type, old < v ? old : v)                                                           \
    ATOMIC(Max, type, old > v ? old : v)
ATOMICS(int)
ATOMICS(unsigned)
