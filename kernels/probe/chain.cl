/* A chain of multiply-adds, each of which needs the one before: the latency of arithmetic, and the
 * clock beside which the other kernels of the probe are timed. Where CYCLES is defined the GPU's
 * own counter of cycles is read (NVIDIA's compiler knows PTX).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifdef CYCLES
#define READ_CYCLES(count, value)                                                                  \
    __asm__ volatile("mov.u64 %0, %%clock64;" : "=l"(count), "+f"(value))
#else
#define READ_CYCLES(count, value) (count) = 0
#endif

/* steps: a multiple of 64. at: where this launch leaves its cycles. */
__kernel void chain(__global float *value, __global ulong *cycles, int at, int steps)
{
    const float a = value[1], b = value[2];
    float x = value[0];
    ulong before, after;

    READ_CYCLES(before, x);
    for (int i = 0; i < steps; i += 64) {
#pragma unroll
        for (int k = 0; k < 64; k++)
            x = fma(x, a, b);
    }
    READ_CYCLES(after, x);
    value[3] = x;
    cycles[at] = after - before;
}
