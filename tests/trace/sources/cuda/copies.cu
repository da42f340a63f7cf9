/* Structs of floats that are copied, of which the kernels want all or some members.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
struct __align__(16) Seven { float a, b, c, d, e, f, g; };
struct __align__(8) Five { float a, b, c, d, e; };
struct Three { float a, b, c; };

/* Two loads and two stores of 16 bytes. */
extern "C" __global__ void whole(const Seven *in, Seven *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const Seven own = in[i];

    out[i] = own;
}

/* One load, because only the second half is used. */
extern "C" __global__ void half(const Seven *in, float *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const Seven own = in[i];

    out[i] = own.f + own.g;
}

/* 8, 8 and 4 bytes. */
extern "C" __global__ void pairs(const Five *in, float *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const Five own = in[i];

    out[i] = own.a + own.c + own.e;
}

/* The struct is not aligned, so each member is loaded. */
extern "C" __global__ void apart(const Three *in, float *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const Three own = in[i];

    out[i] = own.a + own.b + own.c;
}
