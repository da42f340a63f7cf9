/* Arithmetic of all types. SPDX-License-Identifier: GPL-3.0-or-later */

__global__ void integers(const unsigned *in, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned a = in[i], b = in[(i + 1) % n] | 1;
    unsigned long long wide = (unsigned long long)a * b + (unsigned long long)i;
    long long product = (long long)(int)a * (int)b;

    out[i] = (unsigned)(wide >> 20) ^ (unsigned)(product / (int)b) ^ (unsigned)(wide % b);
    out[i] += __popc(a) + __clz((int)b) + __brev(a) + __ffs((int)b) + __umulhi(a, b);
    out[i] ^= a / b + a % 17 + (unsigned)((int)a / 10) + min(a, b) + (unsigned)max((int)a, (int)b);
    out[i] ^= (unsigned)abs((int)a) + (a << (b & 31)) + (a >> (b & 15)) + __byte_perm(a, b, 0x5140);
}

__global__ void floats(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];

    out[i] = sqrtf(x) / (1 + x) + fminf(x, 0.25f) * fabsf(x - 0.5f) + floorf(8 * x) + rintf(3 * x);
}

__global__ void functions(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = in[i];

    out[i] = expf(x) + logf(1 + x) + __sinf(x) + powf(x + 0.5f, 1.5f) + rsqrtf(x + 1) + __expf(-x) +
             tanhf(x) + __fdividef(x, x + 2);
}

__global__ void doubles(const double *in, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n / 2)
        out[i] = sqrt(in[i]) * in[i] + 1.0 / (1.0 + in[i]) + (double)(float)in[i] + floor(in[i] * 9);
}
