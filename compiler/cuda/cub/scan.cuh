/* CUB's prefix sums over a warp and a block. See cub.cuh.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header

namespace cub
{
/* Returns the result of the operation over the values of this thread and of the earlier ones among
 * PM_N neighbouring threads of a warp. */
template <int PM_N, typename PM_T, typename PM_O>
PM_DEVICE PM_T pm_scan_warp(PM_T value, PM_O operation)
{
#pragma unroll
    for (int by = 1; by < PM_N; by *= 2) {
        PM_T other = __shfl_up_sync(0xffffffffu, value, (unsigned int)by, PM_N);

        if (pm_lane() % PM_N >= by)
            value = operation(other, value);
    }
    return value;
}

template <typename PM_T, int PM_N = PM_WARP, int PM_ARCH = 0> struct WarpScan {
    struct TempStorage {
        char pm_unused;
    };
    PM_MEMBER WarpScan(TempStorage &)
    {
    }
    template <typename PM_O> PM_MEMBER void InclusiveScan(PM_T in, PM_T &out, PM_O operation)
    {
        out = pm_scan_warp<PM_N>(in, operation);
    }
    PM_MEMBER void InclusiveSum(PM_T in, PM_T &out)
    {
        out = pm_scan_warp<PM_N>(in, cub::Sum());
    }
    PM_MEMBER void ExclusiveSum(PM_T in, PM_T &out)
    {
        out = pm_scan_warp<PM_N>(in, cub::Sum()) - in;
    }
};

/* Scans over a block of PM_X * PM_Y * PM_Z threads: each warp scans its values, and each thread
 * adds the sums of the warps before its own. The algorithm PM_A is ignored. */
template <typename PM_T, int PM_X, BlockScanAlgorithm PM_A = BLOCK_SCAN_RAKING, int PM_Y = 1,
          int PM_Z = 1, int PM_ARCH = 0>
class BlockScan
{
    enum { PM_THREADS = PM_X * PM_Y * PM_Z, PM_WARPS = (PM_THREADS + PM_WARP - 1) / PM_WARP };

  public:
    struct TempStorage {
        PM_T pm_of_warp[PM_WARPS];
    };
    PM_MEMBER BlockScan(TempStorage &given) : storage(given)
    {
    }

    template <typename PM_O>
    PM_MEMBER void InclusiveScan(PM_T in, PM_T &out, PM_O operation, PM_T &all)
    {
        PM_T before;
        const bool has_before = scan(in, out, before, operation, all);

        if (has_before)
            out = operation(before, out);
    }
    template <typename PM_O> PM_MEMBER void InclusiveScan(PM_T in, PM_T &out, PM_O operation)
    {
        PM_T all;

        InclusiveScan(in, out, operation, all);
    }
    PM_MEMBER void InclusiveSum(PM_T in, PM_T &out)
    {
        InclusiveScan(in, out, cub::Sum());
    }
    PM_MEMBER void InclusiveSum(PM_T in, PM_T &out, PM_T &all)
    {
        InclusiveScan(in, out, cub::Sum(), all);
    }

    template <typename PM_O>
    PM_MEMBER void ExclusiveScan(PM_T in, PM_T &out, PM_T first, PM_O operation, PM_T &all)
    {
        PM_T inclusive, before;
        const bool has_before = scan(in, inclusive, before, operation, all);
        PM_T previous = __shfl_up_sync(0xffffffffu, inclusive, 1u, PM_WARP);

        out = has_before ? operation(first, before) : first;
        if (pm_lane() > 0)
            out = operation(out, previous);
    }
    template <typename PM_O>
    PM_MEMBER void ExclusiveScan(PM_T in, PM_T &out, PM_T first, PM_O operation)
    {
        PM_T all;

        ExclusiveScan(in, out, first, operation, all);
    }
    PM_MEMBER void ExclusiveSum(PM_T in, PM_T &out)
    {
        ExclusiveScan(in, out, PM_T(0), cub::Sum());
    }
    PM_MEMBER void ExclusiveSum(PM_T in, PM_T &out, PM_T &all)
    {
        ExclusiveScan(in, out, PM_T(0), cub::Sum(), all);
    }

    template <int PM_K> PM_MEMBER void InclusiveSum(PM_T (&in)[PM_K], PM_T (&out)[PM_K])
    {
        PM_T all;

        InclusiveSum(in, out, all);
    }
    template <int PM_K> PM_MEMBER void InclusiveSum(PM_T (&in)[PM_K], PM_T (&out)[PM_K], PM_T &all)
    {
        PM_T before = starts(in, all);

#pragma unroll
        for (int i = 0; i < PM_K; i++)
            out[i] = before = before + in[i];
    }
    template <int PM_K> PM_MEMBER void ExclusiveSum(PM_T (&in)[PM_K], PM_T (&out)[PM_K])
    {
        PM_T all;

        ExclusiveSum(in, out, all);
    }
    template <int PM_K> PM_MEMBER void ExclusiveSum(PM_T (&in)[PM_K], PM_T (&out)[PM_K], PM_T &all)
    {
        PM_T before = starts(in, all);

#pragma unroll
        for (int i = 0; i < PM_K; i++) {
            PM_T value = in[i];

            out[i] = before;
            before = before + value;
        }
    }

  private:
    TempStorage &storage;
    /* Scans within the warp. Returns whether there are warps before; `before` is then their
     * result. */
    template <typename PM_O>
    PM_MEMBER bool scan(PM_T in, PM_T &inclusive, PM_T &before, PM_O operation, PM_T &all)
    {
        const int warp = pm_thread() / PM_WARP;

        inclusive = pm_scan_warp<PM_WARP>(in, operation);
        if (pm_lane() == PM_WARP - 1 || pm_thread() == PM_THREADS - 1)
            storage.pm_of_warp[warp] = inclusive;
        __syncthreads();
        all = storage.pm_of_warp[0];
#pragma unroll
        for (int i = 1; i < PM_WARPS; i++) {
            if (warp == i)
                before = all;
            all = operation(all, storage.pm_of_warp[i]);
        }
        return warp > 0;
    }
    /* Returns the sum of the values of all threads before this one. */
    template <int PM_K> PM_MEMBER PM_T starts(PM_T (&in)[PM_K], PM_T &all)
    {
        PM_T sum = in[0], before;

#pragma unroll
        for (int i = 1; i < PM_K; i++)
            sum = sum + in[i];
        ExclusiveSum(sum, before, all);
        return before;
    }
};
} // namespace cub
