// Kernels with buffers whose contents do and do not decide what is executed. tests/ptx/test_ptx_buffer_use.c names them.
__device__ float table[64];
extern "C" __global__ void add(const float *a, const float *b, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sum[i] = a[i] + b[i];
}
extern "C" __global__ void gather(const int *index, const float *from, float *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[i] = from[index[i]];
}
extern "C" __global__ void count(const unsigned char *keys, const float *weights, float *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[keys[i]], weights[i]);
}
extern "C" __global__ void branch(const float *error, const float *limit, float *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (error[i] > 0.5f)
        to[i] = expf(limit[i]) * limit[i + 1];
}
extern "C" __global__ void choose(const float *a, const float *b, float *larger)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    larger[i] = a[i] > b[i] ? a[i] : b[i];
}
extern "C" __global__ void through_shared(const int *order, const float *a, float *to)
{
    __shared__ int slots[256];
    slots[threadIdx.x] = order[threadIdx.x];
    __syncthreads();
    to[slots[255 - threadIdx.x]] = a[threadIdx.x];
}
extern "C" __global__ void through_buffer(const int *order, int *slots, const float *a, float *to)
{
    slots[threadIdx.x] = order[threadIdx.x] / 2;
    __syncthreads();
    to[slots[255 - threadIdx.x]] = a[threadIdx.x];
}
extern "C" __global__ void rows(const int *starts, const float *values, const float *x, float *y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = starts[row]; k < starts[row + 1]; k++)
        sum += values[k] * x[k];
    y[row] = sum;
}
extern "C" __global__ void lists(float **pointers, const float *a)
{
    pointers[blockIdx.x][threadIdx.x] = a[threadIdx.x];
}
extern "C" __global__ void queue(int *tail, const float *a, float *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    to[atomicAdd(tail, 1)] = a[i];
}
extern "C" __global__ void reduce(const double *a, double *sums)
{
    __shared__ double part[256];
    part[threadIdx.x] = a[blockIdx.x * 256 + threadIdx.x];
    for (int step = 128; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step)
            part[threadIdx.x] += part[threadIdx.x + step];
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0];
}
struct view { const float *data; int n; };
extern "C" __global__ void viewed(view v, float *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < v.n)
        to[i] = v.data[i] * table[threadIdx.x % 64];
}
__device__ __noinline__ float turn(const float *at) { return at[threadIdx.x] * 2; }
extern "C" __global__ void called(const float *a, float *to)
{
    to[threadIdx.x] = turn(a);
}
