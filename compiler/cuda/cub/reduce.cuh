/* CUB's reductions over a warp and a block. See cub.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header

namespace cub
{
/* Reduces the values of PM_N neighbouring threads of a warp, of which the first `valid` have one.
 * The first of these threads gets the result. */
template <int PM_N, typename PM_T, typename PM_O>
PM_DEVICE PM_T pm_reduce_warp(PM_T value, PM_O operation, int valid)
{
#pragma unroll
    for (int by = 1; by < PM_N; by *= 2) {
        PM_T other = __shfl_down_sync(0xffffffffu, value, (unsigned int)by, PM_N);

        if (pm_lane() % PM_N + by < valid)
            value = operation(value, other);
    }
    return value;
}

template <typename PM_T, int PM_N = PM_WARP, int PM_ARCH = 0> struct WarpReduce {
    struct TempStorage {
        char pm_unused;
    };
    PM_MEMBER WarpReduce(TempStorage &)
    {
    }
    template <typename PM_O> PM_MEMBER PM_T Reduce(PM_T value, PM_O operation, int valid = PM_N)
    {
        return pm_reduce_warp<PM_N>(value, operation, valid);
    }
    PM_MEMBER PM_T Sum(PM_T value, int valid = PM_N)
    {
        return pm_reduce_warp<PM_N>(value, cub::Sum(), valid);
    }
};

/* Reduces over a block of PM_X * PM_Y * PM_Z threads. Thread 0 gets the result. Each warp reduces
 * its values, and thread 0 reduces the results of the warps. The algorithm PM_A is ignored. */
template <typename PM_T, int PM_X, BlockReduceAlgorithm PM_A = BLOCK_REDUCE_WARP_REDUCTIONS,
          int PM_Y = 1, int PM_Z = 1, int PM_ARCH = 0>
class BlockReduce
{
    enum { PM_THREADS = PM_X * PM_Y * PM_Z, PM_WARPS = (PM_THREADS + PM_WARP - 1) / PM_WARP };

  public:
    struct TempStorage {
        PM_T pm_of_warp[PM_WARPS];
    };
    PM_MEMBER BlockReduce() : storage(own())
    {
    }
    PM_MEMBER BlockReduce(TempStorage &given) : storage(given)
    {
    }
    template <typename PM_O>
    PM_MEMBER PM_T Reduce(PM_T value, PM_O operation, int valid = PM_THREADS)
    {
        const int warp = pm_thread() / PM_WARP;

        value = pm_reduce_warp<PM_WARP>(value, operation, valid - warp * PM_WARP);
        if (pm_lane() == 0)
            storage.pm_of_warp[warp] = value;
        __syncthreads();
        if (pm_thread() == 0) {
#pragma unroll
            for (int i = 1; i < PM_WARPS; i++)
                if (i * PM_WARP < valid)
                    value = operation(value, storage.pm_of_warp[i]);
        }
        return value;
    }
    template <int PM_K, typename PM_O> PM_MEMBER PM_T Reduce(PM_T (&values)[PM_K], PM_O operation)
    {
        PM_T value = values[0];

#pragma unroll
        for (int i = 1; i < PM_K; i++)
            value = operation(value, values[i]);
        return Reduce(value, operation);
    }
    PM_MEMBER PM_T Sum(PM_T value, int valid = PM_THREADS)
    {
        return Reduce(value, cub::Sum(), valid);
    }
    template <int PM_K> PM_MEMBER PM_T Sum(PM_T (&values)[PM_K])
    {
        return Reduce(values, cub::Sum());
    }

  private:
    TempStorage &storage;
    static PM_MEMBER TempStorage &own()
    {
        __attribute__((shared)) static TempStorage one;

        return one;
    }
};
} // namespace cub
