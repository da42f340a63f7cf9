/* Loads and stores with hints, atomics, barriers and fences. See prelude.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header

/* Loads and stores with cache hints. The trace engine ignores the hints. */
#define PM_LOAD(name)                                                                              \
    template <typename PM_T> PM_DEVICE PM_T name(const PM_T *p)                                    \
    {                                                                                              \
        return *p;                                                                                 \
    }
PM_LOAD(__ldg)
PM_LOAD(__ldca)
PM_LOAD(__ldcg)
PM_LOAD(__ldcs)
PM_LOAD(__ldlu)
PM_LOAD(__ldcv)
#undef PM_LOAD
#define PM_STORE(name)                                                                             \
    template <typename PM_T> PM_DEVICE void name(PM_T *p, PM_T value)                              \
    {                                                                                              \
        *p = value;                                                                                \
    }
PM_STORE(__stwb)
PM_STORE(__stcg)
PM_STORE(__stcs)
PM_STORE(__stwt)
#undef PM_STORE

PM_DEVICE void *memcpy(void *to, const void *from, size_t bytes)
{
    return __builtin_memcpy(to, from, bytes);
}
PM_DEVICE void *memset(void *to, int value, size_t bytes)
{
    return __builtin_memset(to, value, bytes);
}

#define PM_ATOMIC(name, builtin, type)                                                             \
    PM_DEVICE type name(type *p, type value)                                                       \
    {                                                                                              \
        return builtin(p, value, __ATOMIC_RELAXED);                                                \
    }                                                                                              \
    PM_DEVICE type name##_block(type *p, type value)                                               \
    {                                                                                              \
        return builtin(p, value, __ATOMIC_RELAXED);                                                \
    }                                                                                              \
    PM_DEVICE type name##_system(type *p, type value)                                              \
    {                                                                                              \
        return builtin(p, value, __ATOMIC_RELAXED);                                                \
    }
#define PM_ATOMIC_INTEGERS(name, builtin)                                                          \
    PM_ATOMIC(name, builtin, int)                                                                  \
    PM_ATOMIC(name, builtin, unsigned int)                                                         \
    PM_ATOMIC(name, builtin, long long)                                                            \
    PM_ATOMIC(name, builtin, unsigned long long)                                                   \
    PM_ATOMIC(name, builtin, unsigned long)
PM_ATOMIC_INTEGERS(atomicAdd, __atomic_fetch_add)
PM_ATOMIC_INTEGERS(atomicSub, __atomic_fetch_sub)
PM_ATOMIC_INTEGERS(atomicMin, __atomic_fetch_min)
PM_ATOMIC_INTEGERS(atomicMax, __atomic_fetch_max)
PM_ATOMIC_INTEGERS(atomicAnd, __atomic_fetch_and)
PM_ATOMIC_INTEGERS(atomicOr, __atomic_fetch_or)
PM_ATOMIC_INTEGERS(atomicXor, __atomic_fetch_xor)
PM_ATOMIC_INTEGERS(atomicExch, __atomic_exchange_n)
PM_ATOMIC(atomicAdd, __atomic_fetch_add, float)
PM_ATOMIC(atomicAdd, __atomic_fetch_add, double)
#undef PM_ATOMIC
#undef PM_ATOMIC_INTEGERS
PM_DEVICE float atomicExch(float *p, float value)
{
    return __builtin_bit_cast(
        float, atomicExch((unsigned int *)p, __builtin_bit_cast(unsigned int, value)));
}
#define PM_CAS(type)                                                                               \
    PM_CAS_OF(atomicCAS, type)                                                                     \
    PM_CAS_OF(atomicCAS_block, type)                                                               \
    PM_CAS_OF(atomicCAS_system, type)
#define PM_CAS_OF(name, type)                                                                      \
    PM_DEVICE type name(type *p, type compare, type value)                                         \
    {                                                                                              \
        __atomic_compare_exchange_n(p, &compare, value, false, __ATOMIC_RELAXED,                   \
                                    __ATOMIC_RELAXED);                                             \
        return compare;                                                                            \
    }
PM_CAS(int)
PM_CAS(unsigned int)
PM_CAS(unsigned long long)
PM_CAS(unsigned short)
#undef PM_CAS
#undef PM_CAS_OF
/* Atomics that are one machine instruction each. They have no definition, so the trace engine
 * counts each call as one instruction. */
extern "C" __attribute__((device, host)) unsigned int pm_atomic_inc(unsigned int *p,
                                                                    unsigned int most);
extern "C" __attribute__((device, host)) unsigned int pm_atomic_dec(unsigned int *p,
                                                                    unsigned int most);
PM_DEVICE unsigned int atomicInc(unsigned int *p, unsigned int most)
{
    return pm_atomic_inc(p, most);
}
PM_DEVICE unsigned int atomicDec(unsigned int *p, unsigned int most)
{
    return pm_atomic_dec(p, most);
}

PM_DEVICE unsigned int atomicInc_system(unsigned int *p, unsigned int most)
{
    return pm_atomic_inc(p, most);
}
PM_DEVICE unsigned int atomicDec_system(unsigned int *p, unsigned int most)
{
    return pm_atomic_dec(p, most);
}

PM_DEVICE void __threadfence_block()
{
    __nvvm_membar_cta();
}
PM_DEVICE void __threadfence()
{
    __nvvm_membar_gl();
}
PM_DEVICE void __threadfence_system()
{
    __nvvm_membar_sys();
}

PM_DEVICE bool __isGlobal(const void *p)
{
    return __nvvm_isspacep_global(p);
}
PM_DEVICE bool __isShared(const void *p)
{
    return __nvvm_isspacep_shared(p);
}
