/* Accesses to all kinds of memory. SPDX-License-Identifier: GPL-3.0-or-later */

__global__ void add(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = in[i] + 2.0f * in[n - 1 - i];
}

__global__ void wide(const float4 *in, float4 *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += gridDim.x * blockDim.x) {
        float4 v = in[i];

        v.x += v.w;
        v.y *= v.z;
        out[i] = v;
    }
}

__global__ void transpose(const float *in, float *out, int n)
{
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x % 16, y = threadIdx.x / 16;

    tile[y][threadIdx.x % 16] = in[(y * 64 + x) % n];
    __syncthreads();
    out[blockIdx.x * 256 + threadIdx.x] = tile[threadIdx.x % 16][y];
}

__global__ void gather(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = i, sum = 0;

    for (int k = 0; k < 5; k++) {
        at = in[at % n] & 1023;
        sum += at;
    }
    out[i] = sum;
}

__global__ void bytes(const unsigned char *in, unsigned char *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    out[3 * i] = in[i] + 1;
    out[3 * i + 1] = in[n - i - 1];
    ((short *)out)[2 * n + i] = (short)((const short *)in)[i] >> 2;
}

__constant__ float table[16] = {1, 2, 3, 4, 5, 6, 7, 8};
__device__ int counter;

__global__ void constants(const int *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    out[i] = table[i & 7] + table[in[i] & 15];
    if (i % 3 == 0)
        atomicAdd(&counter, 1);
}

__global__ void private_array(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int own[8];

    for (int k = 0; k < 8; k++)
        own[k] = in[(i + k) % n];
    own[in[i] & 7] += 5;
    out[i] = own[i & 7] - own[in[i + 1] & 7];
}

extern __shared__ float dynamic[];

__global__ void shared_of_launch(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    dynamic[threadIdx.x] = in[i];
    dynamic[blockDim.x + threadIdx.x] = in[i] * 0.5f;
    __syncthreads();
    out[i] = dynamic[threadIdx.x ^ 3] + dynamic[blockDim.x + (threadIdx.x + 7) % blockDim.x];
}

__global__ void walk(const float *in, float *out, int n)
{
    const float *p = in + blockIdx.x * 64, *end = p + 64;
    float sum = 0;

    for (p += threadIdx.x % 8; p < end; p += 8)
        sum += *p;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
