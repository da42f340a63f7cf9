__kernel void lags(__global const float *restrict signal, __global float *restrict sums, int n)
{
    int lag = get_global_id(0);
    float sum = 0;
    for (int i = 0; i < 256; i++)
        sum += 0.5f * signal[i] * signal[i + lag];
    sums[lag] = sum;
}
