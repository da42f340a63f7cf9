// Each way to launch a kernel.
//= x: float[256]
//= 17: add<<<2, 128>>>(x, int 256, float 3) x2
//= 19: add<<<2, 128, 64>>>(x+128, int 128, float 1)
//= 20: fill<float, 128><<<2, 128>>>(x, int 256)
//= 21: fill<int, 4><<<2x3, 8x4x2>>>(null, int 1)
//= 22: ns::in<<<1, 1>>>(x)
//= 24: fill<float, 64><<<1, 64>>>(x, int 64)
#include "hip/hip_runtime.h"
__global__ void add(float *x, int n, float by) { x[0] += by * n; }
template <typename T, int BLOCK> __global__ void fill(T *x, int n) { x[0] = n * BLOCK; }
namespace ns { __global__ void in(float *x) { x[0] = 0; } }
int main()
{
    const int n = 256; int count = n; float by = 3; float *x; hipMalloc(&x, sizeof(*x) * n);
    void *arguments[] = {&x, &count, &by}; dim3 grid(n / 128), block = 128;
    cudaLaunchKernel((void *)add, grid, block, arguments, 0, 0);
    cudaLaunchCooperativeKernel((void *)add, grid, block, arguments);
    hipLaunchKernelGGL(add, dim3(2), dim3(128), 64, 0, x + n / 2, n / 2, 1.0f);
    fill<float, 128><<<grid, block>>>(x, n);
    fill<int, 4><<<dim3(2, 3), dim3(8, 4, 2)>>>(nullptr, 1);
    ns::in<<<1, 1>>>(x);
    void (*kernel)(float *, int) = fill<float, 64>;
    kernel<<<1, 64>>>(x, 64);
}
