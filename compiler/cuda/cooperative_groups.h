/* Groups of threads of a block (cooperative groups). Replaces the CUDA toolkit's header of this
 * name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma clang system_header
#ifndef PM_COOPERATIVE_GROUPS_H
#define PM_COOPERATIVE_GROUPS_H

namespace cooperative_groups
{
struct thread_block {
    static PM_MEMBER void sync()
    {
        __syncthreads();
    }
    static PM_MEMBER unsigned int size()
    {
        return blockDim.x * blockDim.y * blockDim.z;
    }
    static PM_MEMBER unsigned int num_threads()
    {
        return size();
    }
    static PM_MEMBER unsigned int thread_rank()
    {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
    static PM_MEMBER dim3 thread_index()
    {
        return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
    }
    static PM_MEMBER dim3 group_index()
    {
        return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
    }
    static PM_MEMBER dim3 group_dim()
    {
        return dim3(blockDim.x, blockDim.y, blockDim.z);
    }
};
PM_DEVICE thread_block this_thread_block()
{
    return {};
}
PM_DEVICE void sync(const thread_block &)
{
    __syncthreads();
}

/* A group of PM_SIZE threads of a warp with consecutive ranks. PM_SIZE is a power of two. */
template <unsigned int PM_SIZE, typename PM_PARENT = void> struct thread_block_tile {
    static PM_MEMBER unsigned int thread_rank()
    {
        return thread_block::thread_rank() % PM_SIZE;
    }
    static PM_MEMBER constexpr unsigned int size()
    {
        return PM_SIZE;
    }
    static PM_MEMBER constexpr unsigned int num_threads()
    {
        return PM_SIZE;
    }
    static PM_MEMBER unsigned int meta_group_rank()
    {
        return thread_block::thread_rank() / PM_SIZE;
    }
    static PM_MEMBER unsigned int meta_group_size()
    {
        return (thread_block::size() + PM_SIZE - 1) / PM_SIZE;
    }
    static PM_MEMBER unsigned int pm_first()
    {
        return thread_block::thread_rank() % 32 / PM_SIZE * PM_SIZE;
    }
    static PM_MEMBER unsigned int pm_mask()
    {
        return PM_SIZE == 32 ? 0xffffffffu : ((1u << PM_SIZE % 32) - 1) << pm_first();
    }
    static PM_MEMBER void sync()
    {
        __syncwarp(pm_mask());
    }
    template <typename PM_T> PM_MEMBER PM_T shfl(PM_T value, int from) const
    {
        return __shfl_sync(pm_mask(), value, from, (int)PM_SIZE);
    }
    template <typename PM_T> PM_MEMBER PM_T shfl_up(PM_T value, unsigned int by) const
    {
        return __shfl_up_sync(pm_mask(), value, by, (int)PM_SIZE);
    }
    template <typename PM_T> PM_MEMBER PM_T shfl_down(PM_T value, unsigned int by) const
    {
        return __shfl_down_sync(pm_mask(), value, by, (int)PM_SIZE);
    }
    template <typename PM_T> PM_MEMBER PM_T shfl_xor(PM_T value, int by) const
    {
        return __shfl_xor_sync(pm_mask(), value, by, (int)PM_SIZE);
    }
    static PM_MEMBER int any(int predicate)
    {
        return __any_sync(pm_mask(), predicate);
    }
    static PM_MEMBER int all(int predicate)
    {
        return __all_sync(pm_mask(), predicate);
    }
    static PM_MEMBER unsigned int ballot(int predicate)
    {
        return __ballot_sync(pm_mask(), predicate) >> pm_first();
    }
};
template <unsigned int PM_SIZE>
PM_DEVICE thread_block_tile<PM_SIZE> tiled_partition(const thread_block &)
{
    static_assert(PM_SIZE <= 32 && (PM_SIZE & (PM_SIZE - 1)) == 0,
                  "tiles of 1, 2, 4, 8, 16 and 32 threads can be traced");
    return {};
}
template <unsigned int PM_SIZE, unsigned int PM_PARENT>
PM_DEVICE thread_block_tile<PM_SIZE> tiled_partition(const thread_block_tile<PM_PARENT> &)
{
    static_assert(PM_SIZE <= PM_PARENT && (PM_SIZE & (PM_SIZE - 1)) == 0,
                  "tiles are of a power of two");
    return {};
}
template <unsigned int PM_SIZE> PM_DEVICE void sync(const thread_block_tile<PM_SIZE> &tile)
{
    tile.sync();
}

/* The group of the threads of a warp that are active together where the group was created. */
struct coalesced_group {
    unsigned int pm_mask;
    static PM_MEMBER unsigned int pm_lane()
    {
        return thread_block::thread_rank() % 32;
    }
    PM_MEMBER unsigned int size() const
    {
        return (unsigned int)__popc(pm_mask);
    }
    PM_MEMBER unsigned int num_threads() const
    {
        return size();
    }
    PM_MEMBER unsigned int thread_rank() const
    {
        return (unsigned int)__popc(pm_mask & ((1u << pm_lane()) - 1));
    }
    PM_MEMBER void sync() const
    {
        __syncwarp(pm_mask);
    }
    PM_MEMBER int any(int predicate) const
    {
        return __any_sync(pm_mask, predicate);
    }
    PM_MEMBER int all(int predicate) const
    {
        return __all_sync(pm_mask, predicate);
    }
    /* Returns the value of the thread with this rank in the group. The thread's lane is the
     * position of the rank-th set bit of pm_mask. */
    template <typename PM_T> PM_MEMBER PM_T shfl(PM_T value, unsigned int rank) const
    {
        unsigned int rest = pm_mask;

        for (unsigned int i = 0; i < rank; i++)
            rest &= rest - 1;
        return __shfl_sync(pm_mask, value, __ffs((int)rest) - 1);
    }
};
PM_DEVICE coalesced_group coalesced_threads()
{
    return {__activemask()};
}
PM_DEVICE void sync(const coalesced_group &group)
{
    group.sync();
}

/* The group of all threads of the grid. The trace engine executes the function that sync() calls.
 */
extern "C" __attribute__((device, host)) void grid_group_sync();
struct grid_group {
    static PM_MEMBER void sync()
    {
        grid_group_sync();
    }
    static PM_MEMBER bool is_valid()
    {
        return true;
    }
    static PM_MEMBER unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static PM_MEMBER unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    static PM_MEMBER unsigned long long size()
    {
        return num_blocks() * thread_block::size();
    }
    static PM_MEMBER unsigned long long num_threads()
    {
        return size();
    }
    static PM_MEMBER unsigned long long thread_rank()
    {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    static PM_MEMBER dim3 group_dim()
    {
        return dim3(gridDim.x, gridDim.y, gridDim.z);
    }
};
PM_DEVICE grid_group this_grid()
{
    return {};
}
PM_DEVICE void sync(const grid_group &)
{
    grid_group_sync();
}

template <typename PM_T> struct plus {
    PM_MEMBER PM_T operator()(PM_T x, PM_T y) const
    {
        return x + y;
    }
};
template <typename PM_T> struct less {
    PM_MEMBER PM_T operator()(PM_T x, PM_T y) const
    {
        return y < x ? y : x;
    }
};
template <typename PM_T> struct greater {
    PM_MEMBER PM_T operator()(PM_T x, PM_T y) const
    {
        return x < y ? y : x;
    }
};
template <unsigned int PM_SIZE, typename PM_T, typename PM_OPERATION>
PM_DEVICE PM_T reduce(const thread_block_tile<PM_SIZE> &tile, PM_T value, PM_OPERATION operation)
{
#pragma unroll
    for (int by = PM_SIZE / 2; by > 0; by /= 2)
        value = operation(value, tile.shfl_xor(value, by));
    return value;
}
} // namespace cooperative_groups

#endif
