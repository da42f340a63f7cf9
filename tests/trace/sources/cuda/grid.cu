// Kernels whose work-groups wait for each other at barriers of the whole grid.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// Sweeps of a three-point average, from one array to the other and back.
__global__ void smooth(float *a, float *b, int n, int sweeps)
{
    cg::grid_group grid = cg::this_grid();

#pragma unroll 1
    for (int s = 0; s < sweeps; s++) {
#pragma unroll 1
        for (int i = grid.thread_rank(); i < n; i += grid.size())
            b[i] = 0.5f * (a[i > 0 ? i - 1 : i] + a[i < n - 1 ? i + 1 : i]);
        grid.sync();
        float *t = a;
        a = b;
        b = t;
    }
}

// Halves x until its sum is below 16. All work-groups decide by the sum over all of them.
__global__ void halve(float *x, float *sums, int *steps, int n)
{
    cg::grid_group grid = cg::this_grid();

#pragma unroll 1
    for (int k = 0; k < 100; k++) {
        float mine = 0;

#pragma unroll 1
        for (int i = grid.thread_rank(); i < n; i += grid.size())
            mine += x[i] *= 0.5f;
        atomicAdd(&sums[k], mine);
        cg::sync(grid);
        if (sums[k] < 16) {
            if (grid.thread_rank() == 0)
                *steps = k + 1;
            break;
        }
    }
}
