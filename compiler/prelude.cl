/* Prelude of every traced OpenCL source: clang includes it first. It has functions of OpenCL C 1.2
 * that libclc for NVIDIA lacks, or implements without global offsets. The trace engine implements
 * pm_global_offset and pm_work_dim.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions are inlined and have no source lines of their own. An access in such a function
 * counts as an access of the line that calls it. A name that is defined here hides clang's
 * declarations of it, so each function is defined either with all its overloads or not at all. The
 * trace engine refuses kernels that call functions without a definition, such as printf. Parsing
 * this file takes as long as starting clang. Therefore parts that a source does not need are left
 * out (PM_WITHOUT_, see prelude_words.c).
 */
#ifndef __OPENCL_VERSION__
#define __OPENCL_VERSION__ 120
#endif

/* Allow static functions before OpenCL C 1.2, where they are an extension. Static functions that
 * are not called add no code. */
#pragma OPENCL EXTENSION cl_clang_storage_class_specifiers : enable
#define PM_BUILTIN static inline __attribute__((overloadable, always_inline, nodebug, const))
#define PM_FUNCTION static inline __attribute__((overloadable, always_inline, nodebug))

/* Enable double in all standards, as NVIDIA's compiler does. Before 1.2, a literal such as 2.0
 * would be a float otherwise. */
#if defined(cl_khr_fp64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

size_t __attribute__((const)) pm_global_offset(uint dimension);
uint __attribute__((const)) pm_work_dim(void);

/* Work-item functions. For a dimension above the number of dimensions, the result is the one that
 * the OpenCL specification defines. */

#define PM_OF_DIMENSION(dimension, name, otherwise)                                                \
    ((dimension) == 0   ? (size_t)__nvvm_read_ptx_sreg_##name##_x()                                \
     : (dimension) == 1 ? (size_t)__nvvm_read_ptx_sreg_##name##_y()                                \
     : (dimension) == 2 ? (size_t)__nvvm_read_ptx_sreg_##name##_z()                                \
                        : (size_t)(otherwise))

PM_BUILTIN size_t get_local_id(uint dimension)
{
    return PM_OF_DIMENSION(dimension, tid, 0);
}

PM_BUILTIN size_t get_local_size(uint dimension)
{
    return PM_OF_DIMENSION(dimension, ntid, 1);
}

PM_BUILTIN size_t get_group_id(uint dimension)
{
    return PM_OF_DIMENSION(dimension, ctaid, 0);
}

PM_BUILTIN size_t get_num_groups(uint dimension)
{
    return PM_OF_DIMENSION(dimension, nctaid, 1);
}

PM_BUILTIN size_t get_global_offset(uint dimension)
{
    return dimension < 3 ? pm_global_offset(dimension) : 0;
}

PM_BUILTIN size_t get_global_id(uint dimension)
{
    return get_group_id(dimension) * get_local_size(dimension) + get_local_id(dimension) +
           get_global_offset(dimension);
}

/* OpenCL 1.2 requires that work-groups divide the global size, so the global size is this
 * product. */
PM_BUILTIN size_t get_global_size(uint dimension)
{
    return get_num_groups(dimension) * get_local_size(dimension);
}

PM_BUILTIN uint get_work_dim(void)
{
    return pm_work_dim();
}

/* Has the same effect as libclc's barrier(). Linking libclc for it would take longer than compiling
 * a small kernel. */
PM_FUNCTION void barrier(uint flags)
{
    __syncthreads();
}

#define PM_WIDTHS(what, type)                                                                      \
    what(type) what(type##2) what(type##3) what(type##4) what(type##8) what(type##16)

#ifndef PM_WITHOUT_MAD_HI
/* Defines mad_hi, which libclc does not have. */

#define PM_MAD_HI(type)                                                                            \
    PM_BUILTIN type mad_hi(type a, type b, type c)                                                 \
    {                                                                                              \
        return mul_hi(a, b) + c;                                                                   \
    }
PM_WIDTHS(PM_MAD_HI, char)
PM_WIDTHS(PM_MAD_HI, uchar)
PM_WIDTHS(PM_MAD_HI, short)
PM_WIDTHS(PM_MAD_HI, ushort)
PM_WIDTHS(PM_MAD_HI, int)
PM_WIDTHS(PM_MAD_HI, uint)
PM_WIDTHS(PM_MAD_HI, long)
PM_WIDTHS(PM_MAD_HI, ulong)
#endif

#ifndef PM_WITHOUT_MUL24
/* Defines mul24 for size_t, because clang considers such a call ambiguous but NVIDIA's compiler
 * accepts it. */

#define PM_MUL24(type)                                                                             \
    PM_BUILTIN type pm_mul24(type a, type b)                                                       \
    {                                                                                              \
        return mul24(a, b);                                                                        \
    }
#define PM_MUL24_LOW(type, left, right)                                                            \
    PM_BUILTIN type pm_mul24(left a, right b)                                                      \
    {                                                                                              \
        return mul24((type)a, (type)b);                                                            \
    }
PM_WIDTHS(PM_MUL24, int)
PM_WIDTHS(PM_MUL24, uint)
PM_MUL24_LOW(uint, ulong, ulong)
PM_MUL24_LOW(uint, ulong, uint)
PM_MUL24_LOW(uint, uint, ulong)
PM_MUL24_LOW(int, ulong, int)
PM_MUL24_LOW(int, int, ulong)
#ifndef mul24
#define mul24 pm_mul24
#endif
#endif

#ifndef PM_WITHOUT_MAD_SAT
/* Defines mad_sat, because libclc 19 computes it wrongly for long: if a factor is 0, and if the sum
 * is too large but the product is not. Here the product is computed with twice the bits, in `high`
 * and `low`. The sum fits if its high part is only the sign of its low part. */

#define PM_MAD_SAT_SIGNED(type, same, bits)                                                        \
    PM_BUILTIN type mad_sat(type a, type b, type c)                                                \
    {                                                                                              \
        same product = (same)(as_##same(a) * as_##same(b));                                        \
        same low = (same)(product + as_##same(c));                                                 \
        type high = (type)(mul_hi(a, b) + (type)(c >> (bits - 1)));                                \
        type bounded;                                                                              \
                                                                                                   \
        high += low < product ? (type)1 : (type)0;                                                 \
        bounded = (type)((type)(high >> (bits - 1)) ^                                              \
                         (type)(~as_##type((same)((same)1 << (bits - 1)))));                       \
        return high == (type)(as_##type(low) >> (bits - 1)) ? as_##type(low) : bounded;            \
    }
#define PM_MAD_SAT_UNSIGNED(type, same, bits)                                                      \
    PM_BUILTIN type mad_sat(type a, type b, type c)                                                \
    {                                                                                              \
        type product = (type)(a * b), low = (type)(product + c);                                   \
                                                                                                   \
        return mul_hi(a, b) == (type)0 && low >= product ? low : (type) ~(type)0;                  \
    }
#define PM_WIDTHS_OF(what, type, same, bits)                                                       \
    what(type, same, bits) what(type##2, same##2, bits) what(type##3, same##3, bits)               \
        what(type##4, same##4, bits) what(type##8, same##8, bits) what(type##16, same##16, bits)
PM_WIDTHS_OF(PM_MAD_SAT_SIGNED, char, uchar, 8)
PM_WIDTHS_OF(PM_MAD_SAT_SIGNED, short, ushort, 16)
PM_WIDTHS_OF(PM_MAD_SAT_SIGNED, int, uint, 32)
PM_WIDTHS_OF(PM_MAD_SAT_SIGNED, long, ulong, 64)
PM_WIDTHS_OF(PM_MAD_SAT_UNSIGNED, uchar, uchar, 8)
PM_WIDTHS_OF(PM_MAD_SAT_UNSIGNED, ushort, ushort, 16)
PM_WIDTHS_OF(PM_MAD_SAT_UNSIGNED, uint, uint, 32)
PM_WIDTHS_OF(PM_MAD_SAT_UNSIGNED, ulong, ulong, 64)
#endif

/* Defines the stores of half with a rounding mode as plain stores, because converting to half is
 * one machine instruction that rounds to even. libclc would round in software if a name contains a
 * rounding mode. */
#define vstore_half_rte vstore_half
#define vstore_half2_rte vstore_half2
#define vstore_half3_rte vstore_half3
#define vstore_half4_rte vstore_half4
#define vstore_half8_rte vstore_half8
#define vstore_half16_rte vstore_half16
#define vstorea_half2_rte vstorea_half2
#define vstorea_half3_rte vstorea_half3
#define vstorea_half4_rte vstorea_half4
#define vstorea_half8_rte vstorea_half8
#define vstorea_half16_rte vstorea_half16

#ifndef PM_WITHOUT_SINCOS
/* Defines sincos, because libclc's version computes sine and cosine separately and reduces the
 * argument twice. The trace engine counts a call of pm_cos_beside as the few instructions that a
 * cosine costs beside a sine. */

static inline __attribute__((overloadable, noinline, nodebug, const)) float pm_cos_beside(float x)
{
    return cos(x);
}
PM_BUILTIN float2 pm_cos_beside(float2 x)
{
    return (float2)(pm_cos_beside(x.x), pm_cos_beside(x.y));
}
PM_BUILTIN float3 pm_cos_beside(float3 x)
{
    return (float3)(pm_cos_beside(x.x), pm_cos_beside(x.y), pm_cos_beside(x.z));
}
PM_BUILTIN float4 pm_cos_beside(float4 x)
{
    return (float4)(pm_cos_beside(x.lo), pm_cos_beside(x.hi));
}
PM_BUILTIN float8 pm_cos_beside(float8 x)
{
    return (float8)(pm_cos_beside(x.lo), pm_cos_beside(x.hi));
}
PM_BUILTIN float16 pm_cos_beside(float16 x)
{
    return (float16)(pm_cos_beside(x.lo), pm_cos_beside(x.hi));
}
#define PM_SINCOS_IN(type, cosine, space)                                                          \
    PM_FUNCTION type sincos(type x, space type *c)                                                 \
    {                                                                                              \
        *c = cosine(x);                                                                            \
        return sin(x);                                                                             \
    }
#define PM_SINCOS(type, cosine)                                                                    \
    PM_SINCOS_IN(type, cosine, global)                                                             \
    PM_SINCOS_IN(type, cosine, local) PM_SINCOS_IN(type, cosine, private)
#define PM_FLOAT_SINCOS(type) PM_SINCOS(type, pm_cos_beside)
#define PM_DOUBLE_SINCOS(type) PM_SINCOS(type, cos)
PM_WIDTHS(PM_FLOAT_SINCOS, float)
#ifdef cl_khr_fp64
PM_WIDTHS(PM_DOUBLE_SINCOS, double)
#endif
#endif

#ifndef PM_WITHOUT_ATOM
/* Defines the atomic functions of the extensions cl_khr_int64_*_atomics, and the 32-bit ones of
 * OpenCL 1.0, which have the same names. */

#define PM_ATOM(name, type, space, value)                                                          \
    PM_FUNCTION type name(volatile space type *p, type x)                                          \
    {                                                                                              \
        return value;                                                                              \
    }
#define PM_ATOM_NONE(name, type, space, value)                                                     \
    PM_FUNCTION type name(volatile space type *p)                                                  \
    {                                                                                              \
        return value;                                                                              \
    }
#define PM_ATOM_TYPES(what, name, space, value)                                                    \
    what(name, int, space, value) what(name, uint, space, value) what(name, long, space, value)    \
        what(name, ulong, space, value)
#define PM_ATOM_SPACES(what, name, value)                                                          \
    PM_ATOM_TYPES(what, name, global, value) PM_ATOM_TYPES(what, name, local, value)
PM_ATOM_SPACES(PM_ATOM, atom_add, __sync_fetch_and_add(p, x))
PM_ATOM_SPACES(PM_ATOM, atom_sub, __sync_fetch_and_sub(p, x))
PM_ATOM_SPACES(PM_ATOM, atom_xchg, __atomic_exchange_n(p, x, __ATOMIC_SEQ_CST))
PM_ATOM_SPACES(PM_ATOM_NONE, atom_inc, __sync_fetch_and_add(p, 1))
PM_ATOM_SPACES(PM_ATOM_NONE, atom_dec, __sync_fetch_and_sub(p, 1))
PM_ATOM_SPACES(PM_ATOM, atom_min, __atomic_fetch_min(p, x, __ATOMIC_SEQ_CST))
PM_ATOM_SPACES(PM_ATOM, atom_max, __atomic_fetch_max(p, x, __ATOMIC_SEQ_CST))
PM_ATOM_SPACES(PM_ATOM, atom_and, __sync_fetch_and_and(p, x))
PM_ATOM_SPACES(PM_ATOM, atom_or, __sync_fetch_and_or(p, x))
PM_ATOM_SPACES(PM_ATOM, atom_xor, __sync_fetch_and_xor(p, x))
#define PM_ATOM_COMPARE(name, type, space, value)                                                  \
    PM_FUNCTION type name(volatile space type *p, type compare, type x)                            \
    {                                                                                              \
        return value;                                                                              \
    }
PM_ATOM_SPACES(PM_ATOM_COMPARE, atom_cmpxchg, __sync_val_compare_and_swap(p, compare, x))
#endif

#undef PM_ATOM
#undef PM_ATOM_NONE
#undef PM_ATOM_TYPES
#undef PM_ATOM_SPACES
#undef PM_ATOM_COMPARE
#undef PM_BUILTIN
#undef PM_OF_DIMENSION
#undef PM_MAD_HI
#undef PM_MUL24
#undef PM_MUL24_LOW
#undef PM_WIDTHS
#undef PM_MAD_SAT_SIGNED
#undef PM_MAD_SAT_UNSIGNED
#undef PM_WIDTHS_OF
#pragma OPENCL EXTENSION cl_clang_storage_class_specifiers : disable
#undef PM_FUNCTION
#undef PM_SINCOS_IN
#undef PM_SINCOS
#undef PM_FLOAT_SINCOS
#undef PM_DOUBLE_SINCOS
