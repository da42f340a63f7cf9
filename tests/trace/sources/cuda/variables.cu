// Variables in global memory, which kernels read and change.
struct pair {
    short first;
    float second[2];
};
__device__ int counter = 5;
__device__ unsigned bins[64];
static __device__ const pair *none = nullptr;
__device__ pair pairs[2] = {{-3, {0.5f, 1.5f}}, {4, {2.5f, 1e30f}}};
__managed__ unsigned long long large = 0x123456789abcdefull;
__device__ float weights[4] = {1, 2, 3, 4};

namespace inner
{
static __device__ double total = 2.25;
}

__device__ void add(unsigned value)
{
    atomicAdd(&bins[value % 64], 1u);
}

__global__ void count(const unsigned *in)
{
    add(in[blockIdx.x * blockDim.x + threadIdx.x]);
    if (threadIdx.x == 0)
        atomicAdd(&counter, 1);
}

// out[0..63]: bins, then what the other variables hold
__global__ void show(float *out)
{
    static __device__ float last[64];
    const float *from = threadIdx.x % 2 ? weights : pairs[1].second;

    last[threadIdx.x] = from[threadIdx.x % 2];
    out[threadIdx.x] = bins[threadIdx.x];
    out[64 + threadIdx.x] = last[threadIdx.x];
    if (threadIdx.x == 0) {
        out[128] = counter;
        out[129] = pairs[0].first + pairs[1].first;
        out[130] = pairs[0].second[1];
        out[131] = large >> 32;
        out[132] = inner::total;
        out[133] = weights[3];
        out[134] = none == nullptr;
        inner::total = 7;
    }
}

// Copies of a variable and of a buffer: the same accesses.
__global__ void from_variable(unsigned *out)
{
    out[threadIdx.x] = bins[threadIdx.x];
}
__global__ void from_buffer(unsigned *out, const unsigned *in)
{
    out[threadIdx.x] = in[threadIdx.x];
}
