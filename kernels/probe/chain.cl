/* Measures the latency of arithmetic: a chain of multiply-adds, each of which needs the result
 * before. It is also the clock to which the times of the probe's other kernels are compared. If
 * CYCLES is defined, the GPU's own cycle counter is read, in PTX, which NVIDIA's compiler accepts.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifdef CYCLES
#define READ_CYCLES(count, value)                                                                  \
    __asm__ volatile("mov.u64 %0, %%clock64;" : "=l"(count), "+f"(value))
#else
#define READ_CYCLES(count, value) (count) = 0
#endif

/* steps: number of multiply-adds, a multiple of 64. at: index in `cycles` at which this launch
 * stores its cycles. */
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
