/* Each work-item has CHAINS chains of dependent instructions of one pipe. With 1 chain each
 * instruction waits for the one before; several chains fill the pipe. All results are exact, so the
 * reference may compute them in another order. */
#define EACH _Pragma("unroll") for (int c = 0; c < CHAINS; c++)

__kernel void fp32(__global const float *in, __global float *out, int rounds, float one, float step)
{
    const int i = get_global_id(0);
    float x[CHAINS], sum = 0;
    EACH x[c] = in[i] + c;
    for (int r = 0; r < rounds; r++)
        EACH x[c] = fma(x[c], one, step);
    EACH sum += x[c];
    out[i] = sum;
}

__kernel void fp32_reference(__global const float *in, __global float *out, int rounds, float one, float step)
{
    const int i = get_global_id(0);
    out[i] = CHAINS * (in[i] + rounds * step) + CHAINS * (CHAINS - 1) / 2;
}

#ifdef DOUBLES
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void fp64(__global const float *in, __global float *out, int rounds, double one, double step)
{
    const int i = get_global_id(0);
    double x[CHAINS], sum = 0;
    EACH x[c] = in[i] + c;
    for (int r = 0; r < rounds; r++)
        EACH x[c] = fma(x[c], one, step);
    EACH sum += x[c];
    out[i] = (float)sum;
}

__kernel void fp64_reference(__global const float *in, __global float *out, int rounds, double one, double step)
{
    const int i = get_global_id(0);
    out[i] = CHAINS * (in[i] + rounds * (float)step) + CHAINS * (CHAINS - 1) / 2;
}
#endif

__kernel void special(__global const float *in, __global float *out, int rounds)
{
    const int i = get_global_id(0);
    float x[CHAINS], sum = 0;
    EACH x[c] = in[i] + c;
    for (int r = 0; r < rounds; r++)
        EACH x[c] = native_rsqrt(x[c]);
    EACH sum += x[c];
    out[i] = sum;
}

/* Repeats x to the power of -1/2. */
__kernel void special_reference(__global const float *in, __global float *out, int rounds)
{
    const int i = get_global_id(0);
    float sum = 0;
    for (int c = 0; c < CHAINS; c++)
        sum += pow(in[i] + c, pow(-0.5f, (float)rounds));
    out[i] = sum;
}

__kernel void logic(__global const uint *in, __global uint *out, int rounds, uint with, uint and)
{
    const int i = get_global_id(0);
    uint x[CHAINS], sum = 0;
    EACH x[c] = in[i] + c;
    for (int r = 0; r < rounds; r++)
        EACH x[c] = (x[c] ^ with) - and;
    EACH sum += x[c];
    out[i] = sum;
}

/* Computes the chains one after the other, with x ^ y written as x + y - 2 (x & y). */
__kernel void logic_reference(__global const uint *in, __global uint *out, int rounds, uint with, uint and)
{
    const int i = get_global_id(0);
    uint sum = 0;
    for (int c = 0; c < CHAINS; c++) {
        uint x = in[i] + c;
        for (int r = 0; r < rounds; r++)
            x = x + with - 2 * (x & with) - and;
        sum += x;
    }
    out[i] = sum;
}

__kernel void product(__global const uint *in, __global uint *out, int rounds, uint times, uint plus)
{
    const int i = get_global_id(0);
    uint x[CHAINS], sum = 0;
    EACH x[c] = in[i] + c;
    for (int r = 0; r < rounds; r++)
        EACH x[c] = x[c] * times + plus;
    EACH sum += x[c];
    out[i] = sum;
}

/* All rounds together are one linear function, which is found by squaring. */
__kernel void product_reference(__global const uint *in, __global uint *out, int rounds, uint times, uint plus)
{
    const int i = get_global_id(0);
    uint all = 1, rest = 0, sum = 0;
    for (uint r = rounds; r > 0; r /= 2) {
        if (r % 2) {
            rest = rest * times + plus;
            all *= times;
        }
        plus = plus * times + plus;
        times *= times;
    }
    for (int c = 0; c < CHAINS; c++)
        sum += (in[i] + c) * all + rest;
    out[i] = sum;
}

/* Alternates two kinds of instructions, so that each pipe has at most half of the issued
 * instructions. */
__kernel void mixed(__global const float *in, __global float *out, int rounds, float one, float step, uint with)
{
    const int i = get_global_id(0);
    float x[CHAINS], sum = 0;
    uint y[CHAINS], all = 0;
    EACH {
        x[c] = in[i] + c;
        y[c] = i + c;
    }
    for (int r = 0; r < rounds; r++)
        EACH {
            x[c] = fma(x[c], one, step);
            y[c] = (y[c] ^ with) - c;
        }
    EACH {
        sum += x[c];
        all += y[c];
    }
    out[i] = sum + (all & 255);
}

__kernel void mixed_reference(__global const float *in, __global float *out, int rounds, float one, float step,
                              uint with)
{
    const int i = get_global_id(0);
    uint all = 0;
    for (int c = 0; c < CHAINS; c++) {
        uint y = i + c;
        for (int r = 0; r < rounds; r++)
            y = y + with - 2 * (y & with) - c;
        all += y;
    }
    out[i] = CHAINS * (in[i] + rounds * step) + CHAINS * (CHAINS - 1) / 2 + (all & 255);
}
