/* What the threads of a warp exchange; what each part should give stands in test_trace_cuda.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define ALL 0xffffffffu

__global__ void exchange(const unsigned *in, unsigned *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize;
    const unsigned v = in[i];
    unsigned part = 77;
    double wide = (double)v;

    out[0 * n + i] = __shfl_sync(ALL, v, lane * 7, 16);
    out[1 * n + i] = __shfl_up_sync(ALL, v, 3, 8);
    out[2 * n + i] = __shfl_down_sync(ALL, v, 5);
    out[3 * n + i] = __shfl_xor_sync(ALL, v, 12);
    out[4 * n + i] = (unsigned)__shfl_xor_sync(ALL, wide, 1);
    out[5 * n + i] = __ballot_sync(ALL, v % 3 == 0);
    out[6 * n + i] = __match_any_sync(ALL, v % 5);
    out[7 * n + i] = __reduce_max_sync(ALL, v);
    out[8 * n + i] = __reduce_add_sync(ALL, v);
    if (lane % 3 == 1)
        part = __popc(__activemask()) + 100 * __reduce_min_sync(__activemask(), v % 1000);
    out[9 * n + i] = part;
    out[10 * n + i] = __any_sync(ALL, v % 64 == 0) + 2 * __all_sync(ALL, v % 2 == 0 || lane != 9);
    for (int step = 16; step > 0; step /= 2)
        part += __shfl_down_sync(ALL, part, step);
    out[11 * n + i] = part;
}

/* Threads of a warp that hand values on through shared memory. */
__global__ void hand_on(const unsigned *in, unsigned *out, int n)
{
    __shared__ unsigned place[64];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    place[threadIdx.x] = in[i];
    __syncwarp();
    out[i] = place[threadIdx.x ^ 31];
}
