/* filtered[i] = taps[0] * signal[i + 62] + ... + taps[62] * signal[i] */

__kernel void fir(__global const float *signal, __global const float *taps, int ntaps,
                  __global float *filtered)
{
    int i = get_global_id(0);
    float acc = 0;
    for (int k = 0; k < ntaps; k++)
        acc += taps[k] * signal[i + ntaps - 1 - k];
    filtered[i] = acc;
}

__kernel void fir_unrolled(__global const float *signal, __constant float *taps,
                           __global float *filtered)
{
    int i = get_global_id(0);
    float acc = 0;
#pragma unroll
    for (int k = 0; k < 63; k++)
        acc = mad(taps[k], signal[i + 62 - k], acc);
    filtered[i] = acc;
}

__kernel void fir_staged(__global const float *signal, __constant float *taps, int ntaps,
                         __global float *filtered, __local float *piece)
{
    int i = get_global_id(0);
    int l = get_local_id(0);
    int width = get_local_size(0);

    for (int p = l; p < width + ntaps - 1; p += width)
        piece[p] = signal[i - l + p];
    barrier(CLK_LOCAL_MEM_FENCE);

    float acc = 0;
    for (int k = 0; k < ntaps; k++)
        acc += taps[k] * piece[l + ntaps - 1 - k];
    filtered[i] = acc;
}
