/* CUB's loads and stores of a block's items. See cub.cuh, and exchange.cuh for their order.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header

namespace cub
{
/* ---- functions: items of thread `thread`, of which the block has `valid` ----------------------
 */

#define PM_EACH _Pragma("unroll") for (int i = 0; i < PM_K; i++)
template <typename PM_I, typename PM_T, int PM_K>
PM_DEVICE void LoadDirectBlocked(int thread, PM_I from, PM_T (&items)[PM_K])
{
    PM_EACH items[i] = from[thread * PM_K + i];
}
template <typename PM_I, typename PM_T, int PM_K>
PM_DEVICE void LoadDirectBlocked(int thread, PM_I from, PM_T (&items)[PM_K], int valid)
{
    PM_EACH if (thread * PM_K + i < valid) items[i] = from[thread * PM_K + i];
}
template <int PM_N, typename PM_I, typename PM_T, int PM_K>
PM_DEVICE void LoadDirectStriped(int thread, PM_I from, PM_T (&items)[PM_K])
{
    PM_EACH items[i] = from[i * PM_N + thread];
}
template <int PM_N, typename PM_I, typename PM_T, int PM_K>
PM_DEVICE void LoadDirectStriped(int thread, PM_I from, PM_T (&items)[PM_K], int valid)
{
    PM_EACH if (i * PM_N + thread < valid) items[i] = from[i * PM_N + thread];
}
template <typename PM_I, typename PM_T, int PM_K>
PM_DEVICE void StoreDirectBlocked(int thread, PM_I to, PM_T (&items)[PM_K])
{
    PM_EACH to[thread * PM_K + i] = items[i];
}
template <typename PM_I, typename PM_T, int PM_K>
PM_DEVICE void StoreDirectBlocked(int thread, PM_I to, PM_T (&items)[PM_K], int valid)
{
    PM_EACH if (thread * PM_K + i < valid) to[thread * PM_K + i] = items[i];
}
template <int PM_N, typename PM_I, typename PM_T, int PM_K>
PM_DEVICE void StoreDirectStriped(int thread, PM_I to, PM_T (&items)[PM_K])
{
    PM_EACH to[i * PM_N + thread] = items[i];
}
template <int PM_N, typename PM_I, typename PM_T, int PM_K>
PM_DEVICE void StoreDirectStriped(int thread, PM_I to, PM_T (&items)[PM_K], int valid)
{
    PM_EACH if (i * PM_N + thread < valid) to[i * PM_N + thread] = items[i];
}

/* ---- classes -------------------------------------------------------------------------------- */

/* Loads blocked items. The loads of an algorithm that transposes are striped, and the items are
 * exchanged in shared memory. */
template <typename PM_T, int PM_X, int PM_K, BlockLoadAlgorithm PM_A = BLOCK_LOAD_DIRECT,
          int PM_Y = 1, int PM_Z = 1, int PM_ARCH = 0>
class BlockLoad
{
    enum { PM_THREADS = PM_X * PM_Y * PM_Z };
    typedef BlockExchange<PM_T, PM_X, PM_K, false, PM_Y, PM_Z> exchange;
    struct pm_none {
        char pm_unused;
    };

  public:
    typedef std::conditional_t<(PM_A >= BLOCK_LOAD_TRANSPOSE), typename exchange::TempStorage,
                               pm_none>
        TempStorage;
    PM_MEMBER BlockLoad(TempStorage &given) : storage(given)
    {
    }
    template <typename PM_I> PM_MEMBER void Load(PM_I from, PM_T (&items)[PM_K])
    {
        Load(from, items, PM_THREADS * PM_K);
    }
    template <typename PM_I> PM_MEMBER void Load(PM_I from, PM_T (&items)[PM_K], int valid)
    {
        if constexpr (PM_A == BLOCK_LOAD_DIRECT || PM_A == BLOCK_LOAD_VECTORIZE)
            LoadDirectBlocked(pm_thread(), from, items, valid);
        else
            LoadDirectStriped<PM_THREADS>(pm_thread(), from, items, valid);
        if constexpr (PM_A >= BLOCK_LOAD_TRANSPOSE)
            exchange(storage).StripedToBlocked(items);
    }
    template <typename PM_I, typename PM_D>
    PM_MEMBER void Load(PM_I from, PM_T (&items)[PM_K], int valid, PM_D otherwise)
    {
        PM_EACH items[i] = otherwise;
        Load(from, items, valid);
    }

  private:
    TempStorage &storage;
};

template <typename PM_T, int PM_X, int PM_K, BlockStoreAlgorithm PM_A = BLOCK_STORE_DIRECT,
          int PM_Y = 1, int PM_Z = 1, int PM_ARCH = 0>
class BlockStore
{
    enum { PM_THREADS = PM_X * PM_Y * PM_Z };
    typedef BlockExchange<PM_T, PM_X, PM_K, false, PM_Y, PM_Z> exchange;
    struct pm_none {
        char pm_unused;
    };

  public:
    typedef std::conditional_t<(PM_A >= BLOCK_STORE_TRANSPOSE), typename exchange::TempStorage,
                               pm_none>
        TempStorage;
    PM_MEMBER BlockStore(TempStorage &given) : storage(given)
    {
    }
    template <typename PM_I> PM_MEMBER void Store(PM_I to, PM_T (&items)[PM_K])
    {
        Store(to, items, PM_THREADS * PM_K);
    }
    template <typename PM_I> PM_MEMBER void Store(PM_I to, PM_T (&items)[PM_K], int valid)
    {
        if constexpr (PM_A >= BLOCK_STORE_TRANSPOSE)
            exchange(storage).BlockedToStriped(items);
        if constexpr (PM_A == BLOCK_STORE_DIRECT || PM_A == BLOCK_STORE_VECTORIZE)
            StoreDirectBlocked(pm_thread(), to, items, valid);
        else
            StoreDirectStriped<PM_THREADS>(pm_thread(), to, items, valid);
    }

  private:
    TempStorage &storage;
};
#undef PM_EACH
} // namespace cub
