// Computes the mean of x[i] * x[i + lag] exactly: products of shorts are added in 64-bit integers.
__kernel void acf_definition(__global const short *wave, __global float *acf, int length)
{
    int lag = get_global_id(0), segment = get_global_id(1);
    long sum = 0;
    for (int i = length - 1; i >= lag; i--)
        sum += (long)wave[segment * length + i] * wave[segment * length + i - lag];
    acf[segment * LAGS + lag] = (float)((double)sum / (2048.0 * 2048.0) / (length - lag));
}
