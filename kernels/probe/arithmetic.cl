/* Measures rates of arithmetic. Each work-item has eight independent chains, so that the throughput
 * of a pipe and not its latency limits the rate. An operation is one instruction of a GPU;
 * OPERATION selects its kind. Multiply-adds read two registers, because with three the register
 * ports might limit the rate.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#if OPERATION == 0 /* fp32 multiply-add */
#define TYPE float
#define STEP(x, y, z) x = fma(x, a, x)
#elif OPERATION == 1 /* fp64 multiply-add */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define TYPE double
#define STEP(x, y, z) x = fma(x, a, x)
#elif OPERATION == 2 /* 32-bit integer multiply-add */
#define TYPE uint
#define STEP(x, y, z) x = x * a + b
#elif OPERATION == 3 /* logic function of three values, which no compiler can simplify to fewer */
#define TYPE uint
#define STEP(x, y, z) x = (x & y) ^ z
#elif OPERATION == 4 /* special functions */
#define TYPE float
#define STEP(x, y, z) x = native_rsqrt(x)
#endif

#define EIGHT(STEP)                                                                                \
    STEP(x0, x3, x6);                                                                              \
    STEP(x1, x4, x7);                                                                              \
    STEP(x2, x5, x0);                                                                              \
    STEP(x3, x6, x1);                                                                              \
    STEP(x4, x7, x2);                                                                              \
    STEP(x5, x0, x3);                                                                              \
    STEP(x6, x1, x4);                                                                              \
    STEP(x7, x2, x5)

/* steps: rounds of 64 operations. seed has 16 elements. out is never written, but only the host
 * knows that. */
__kernel void arithmetic(__global const TYPE *seed, __global TYPE *out, int steps)
{
    const TYPE a = seed[8], b = seed[9], never = seed[10];
    TYPE x0 = seed[0] + (TYPE)get_local_id(0), x1 = seed[1] + x0, x2 = seed[2] + x1;
    TYPE x3 = seed[3] + x2, x4 = seed[4] + x3, x5 = seed[5] + x4, x6 = seed[6] + x5;
    TYPE x7 = seed[7] + x6;

    for (int i = 0; i < steps; i++) {
#pragma unroll
        for (int k = 0; k < 8; k++) {
            EIGHT(STEP);
        }
    }
    x0 += x1 + x2 + x3 + x4 + x5 + x6 + x7;
    if (x0 == never)
        out[get_global_id(0)] = x0;
}
