/* CUB's exchange of items between the threads of a block. See cub.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocked: thread t has the items t * PM_K to t * PM_K + PM_K - 1. Striped: thread t has the items
 * t, t + the number of threads, and so on.
 */
#pragma clang system_header

namespace cub
{
template <typename PM_T, int PM_X, int PM_K, bool PM_SLICED = false, int PM_Y = 1, int PM_Z = 1,
          int PM_ARCH = 0>
class BlockExchange
{
    enum { PM_THREADS = PM_X * PM_Y * PM_Z };

  public:
    struct TempStorage {
        PM_T pm_items[PM_THREADS * PM_K];
    };
    PM_MEMBER BlockExchange(TempStorage &given) : storage(given)
    {
    }
    template <typename PM_O> PM_MEMBER void StripedToBlocked(PM_T (&in)[PM_K], PM_O (&out)[PM_K])
    {
#pragma unroll
        for (int i = 0; i < PM_K; i++)
            storage.pm_items[i * PM_THREADS + pm_thread()] = in[i];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < PM_K; i++)
            out[i] = storage.pm_items[pm_thread() * PM_K + i];
    }
    template <typename PM_O> PM_MEMBER void BlockedToStriped(PM_T (&in)[PM_K], PM_O (&out)[PM_K])
    {
#pragma unroll
        for (int i = 0; i < PM_K; i++)
            storage.pm_items[pm_thread() * PM_K + i] = in[i];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < PM_K; i++)
            out[i] = storage.pm_items[i * PM_THREADS + pm_thread()];
    }
    /* ranks[i]: position of item i among the items of the block */
    template <typename PM_O, typename PM_R>
    PM_MEMBER void ScatterToStriped(PM_T (&in)[PM_K], PM_O (&out)[PM_K], PM_R (&ranks)[PM_K])
    {
        scatter(in, ranks);
#pragma unroll
        for (int i = 0; i < PM_K; i++)
            out[i] = storage.pm_items[i * PM_THREADS + pm_thread()];
    }
    template <typename PM_O, typename PM_R>
    PM_MEMBER void ScatterToBlocked(PM_T (&in)[PM_K], PM_O (&out)[PM_K], PM_R (&ranks)[PM_K])
    {
        scatter(in, ranks);
#pragma unroll
        for (int i = 0; i < PM_K; i++)
            out[i] = storage.pm_items[pm_thread() * PM_K + i];
    }
    PM_MEMBER void StripedToBlocked(PM_T (&items)[PM_K])
    {
        StripedToBlocked(items, items);
    }
    PM_MEMBER void BlockedToStriped(PM_T (&items)[PM_K])
    {
        BlockedToStriped(items, items);
    }
    template <typename PM_R>
    PM_MEMBER void ScatterToStriped(PM_T (&items)[PM_K], PM_R (&ranks)[PM_K])
    {
        ScatterToStriped(items, items, ranks);
    }
    template <typename PM_R>
    PM_MEMBER void ScatterToBlocked(PM_T (&items)[PM_K], PM_R (&ranks)[PM_K])
    {
        ScatterToBlocked(items, items, ranks);
    }

  private:
    TempStorage &storage;
    template <typename PM_R> PM_MEMBER void scatter(PM_T (&in)[PM_K], PM_R (&ranks)[PM_K])
    {
#pragma unroll
        for (int i = 0; i < PM_K; i++)
            storage.pm_items[ranks[i]] = in[i];
        __syncthreads();
    }
};
} // namespace cub
