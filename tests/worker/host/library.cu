// Vectors and functions of libraries.
//= data: float[500] zeros
//= d_sizes: int[3]
//= 20: k<<<2, 256>>>(data, d_sizes, int 500)
//= 24: k<<<9, 192>>>(data, d_sizes, int 3)
//= 25: k<<<7, 32>>>(data, null, int 32)
#include <algorithm>
#include <cmath>
#include <thrust/device_vector.h>
#include <vector>
__global__ void k(float *x, int *sizes, int n) { x[n] = sizes[0]; }
int main()
{
    thrust::device_vector<float> data(500);
    std::vector<int> sizes;
    for (int i = 1; i < 4; i++) sizes.push_back(64 * i);
    int *d_sizes; cudaMalloc(&d_sizes, sizes.size() * sizeof(int));
    cudaMemcpy(d_sizes, sizes.data(), 12, cudaMemcpyHostToDevice);
    int n = static_cast<int>(data.size());
    k<<<std::ceil(n / 256.0), 256>>>(thrust::raw_pointer_cast(data.data()), d_sizes, n);
    std::vector<float> other(n, 1.0f);
    int count = std::min<int>(sizes.size(), 10);
    unsigned shift = (unsigned)log2((double)n) + 1;
    k<<<shift, sizes[2]>>>(thrust::raw_pointer_cast(&data[0]), d_sizes, count);
    k<<<std::max(7, count), 32>>>(data.data().get(), NULL, 1 << 5);
}
