/* Functions that the threads of a warp execute together: shuffles, votes and reductions. See
 * prelude.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header
PM_DEVICE void __syncwarp(unsigned int mask = 0xffffffff)
{
    __nvvm_bar_warp_sync(mask);
}
PM_DEVICE unsigned int __activemask()
{
    return __nvvm_activemask();
}
PM_DEVICE int __all_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_all_sync(mask, predicate != 0);
}
PM_DEVICE int __any_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_any_sync(mask, predicate != 0);
}
PM_DEVICE int __uni_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_uni_sync(mask, predicate != 0);
}
PM_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate)
{
    return __nvvm_vote_ballot_sync(mask, predicate != 0);
}
PM_DEVICE unsigned int pm_match(unsigned int mask, unsigned int value)
{
    return __nvvm_match_any_sync_i32(mask, value);
}
PM_DEVICE unsigned int pm_match(unsigned int mask, unsigned long long value)
{
    return __nvvm_match_any_sync_i64(mask, (long)value);
}
template <typename PM_T> PM_DEVICE unsigned int __match_any_sync(unsigned int mask, PM_T value)
{
    if constexpr (sizeof(PM_T) == 8)
        return pm_match(mask, __builtin_bit_cast(unsigned long long, value));
    else
        return pm_match(mask, __builtin_bit_cast(unsigned int, value));
}

#define PM_REDUCE(name, builtin, type)                                                             \
    PM_DEVICE type name(unsigned int mask, type value)                                             \
    {                                                                                              \
        return (type)builtin((int)value, (int)mask);                                               \
    }
#define PM_REDUCE_UNSIGNED(name, builtin)                                                          \
    PM_DEVICE unsigned int name(unsigned int mask, unsigned int value)                             \
    {                                                                                              \
        return builtin(value, (int)mask);                                                          \
    }
PM_REDUCE(__reduce_add_sync, __nvvm_redux_sync_add, int)
PM_REDUCE(__reduce_add_sync, __nvvm_redux_sync_add, unsigned int)
PM_REDUCE(__reduce_min_sync, __nvvm_redux_sync_min, int)
PM_REDUCE(__reduce_max_sync, __nvvm_redux_sync_max, int)
PM_REDUCE_UNSIGNED(__reduce_min_sync, __nvvm_redux_sync_umin)
PM_REDUCE_UNSIGNED(__reduce_max_sync, __nvvm_redux_sync_umax)
PM_REDUCE(__reduce_and_sync, __nvvm_redux_sync_and, unsigned int)
PM_REDUCE(__reduce_or_sync, __nvvm_redux_sync_or, unsigned int)
PM_REDUCE(__reduce_xor_sync, __nvvm_redux_sync_xor, unsigned int)
#undef PM_REDUCE
#undef PM_REDUCE_UNSIGNED

/* Converts a value of less than 32 bits to an int, and back. A number keeps its value, a struct
 * keeps its bits. */
template <typename PM_T> PM_DEVICE int pm_word_of(PM_T value)
{
    if constexpr (__is_class(PM_T)) {
        int word = 0;
        __builtin_memcpy(&word, &value, sizeof value);
        return word;
    } else {
        return (int)value;
    }
}
template <typename PM_T> PM_DEVICE PM_T pm_of_word(int word)
{
    if constexpr (__is_class(PM_T)) {
        PM_T value;
        __builtin_memcpy(&value, &word, sizeof value);
        return value;
    } else {
        return (PM_T)word;
    }
}

/* Defines a shuffle. A value of 64 bits is shuffled in two halves, a larger value in words of 32
 * bits, and a smaller value as a word of 32 bits. */
#define PM_SHUFFLE(name, builtin, by_type, last)                                                   \
    template <typename PM_T>                                                                       \
    PM_DEVICE PM_T name(unsigned int mask, PM_T value, by_type by, int width = PM_WARP)                 \
    {                                                                                              \
        const int limits = (PM_WARP - width) << 8 | (last);                                             \
        if constexpr (sizeof(PM_T) == 8) {                                                         \
            unsigned long long bits = __builtin_bit_cast(unsigned long long, value);               \
            unsigned int low = (unsigned int)builtin(mask, (int)bits, (int)by, limits);            \
            unsigned int high = (unsigned int)builtin(mask, (int)(bits >> 32), (int)by, limits);   \
            return __builtin_bit_cast(PM_T, (unsigned long long)high << 32 | low);                 \
        } else if constexpr (sizeof(PM_T) == 4) {                                                  \
            return __builtin_bit_cast(                                                             \
                PM_T, builtin(mask, __builtin_bit_cast(int, value), (int)by, limits));             \
        } else if constexpr (sizeof(PM_T) > 8) {                                                   \
            int words[sizeof(PM_T) / 4];                                                           \
            __builtin_memcpy(words, &value, sizeof words);                                         \
            for (int &word : words)                                                                \
                word = builtin(mask, word, (int)by, limits);                                       \
            __builtin_memcpy(&value, words, sizeof words);                                         \
            return value;                                                                          \
        } else {                                                                                   \
            return pm_of_word<PM_T>(builtin(mask, pm_word_of(value), (int)by, limits));            \
        }                                                                                          \
    }
PM_SHUFFLE(__shfl_sync, __nvvm_shfl_sync_idx_i32, int, PM_WARP - 1)
PM_SHUFFLE(__shfl_up_sync, __nvvm_shfl_sync_up_i32, unsigned int, 0)
PM_SHUFFLE(__shfl_down_sync, __nvvm_shfl_sync_down_i32, unsigned int, PM_WARP - 1)
PM_SHUFFLE(__shfl_xor_sync, __nvvm_shfl_sync_bfly_i32, int, PM_WARP - 1)
#undef PM_SHUFFLE

/* Shuffles and votes without a mask, as HIP has them, and CUDA before Volta. HIP's __ballot returns
 * 64 bits. */
template <typename PM_T> PM_DEVICE PM_T __shfl(PM_T value, int by, int width = PM_WARP)
{
    return __shfl_sync(0xffffffff, value, by, width);
}
template <typename PM_T> PM_DEVICE PM_T __shfl_up(PM_T value, unsigned int by, int width = PM_WARP)
{
    return __shfl_up_sync(0xffffffff, value, by, width);
}
template <typename PM_T>
PM_DEVICE PM_T __shfl_down(PM_T value, unsigned int by, int width = PM_WARP)
{
    return __shfl_down_sync(0xffffffff, value, by, width);
}
template <typename PM_T> PM_DEVICE PM_T __shfl_xor(PM_T value, int by, int width = PM_WARP)
{
    return __shfl_xor_sync(0xffffffff, value, by, width);
}
PM_DEVICE int __all(int predicate)
{
    return __all_sync(0xffffffff, predicate);
}
PM_DEVICE int __any(int predicate)
{
    return __any_sync(0xffffffff, predicate);
}
#if PM_WARP == 64
/* Combines the ballots of the two halves of a wavefront, if wavefronts have 64 work-items. */
PM_DEVICE unsigned long long __ballot(int predicate)
{
    const unsigned long long own = __ballot_sync(0xffffffff, predicate);
    const unsigned long long other = __shfl_xor_sync(0xffffffff, (unsigned int)own, 32);
    const unsigned int thread =
        (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    return thread & 32 ? own << 32 | other : other << 32 | own;
}
#else
PM_DEVICE unsigned int __ballot(int predicate)
{
    return __ballot_sync(0xffffffff, predicate);
}
#endif
