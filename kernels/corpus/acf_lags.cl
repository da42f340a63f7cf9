float toVolt(short sample)
{
    return sample * (1.0f / 2048.0f);
}

// Computes the autocorrelation for each lag: the mean of x[i] * x[i + lag].
__kernel void acf_global(__global const short *wave, __global float *acf, int length)
{
    int lag = get_global_id(0);
    int segment = get_global_id(1);
    __global const short *x = wave + segment * length;
    int terms = length - lag;
    float sum = 0.0f;

    for (int i = 0; i < terms; i++)
        sum += toVolt(x[i]) * toVolt(x[i + lag]);

    acf[segment * LAGS + lag] = sum / terms;
}

__kernel void acf_local(__global const short *wave, __global float *acf, int length,
                        __local float *x)
{
    int lag = get_local_id(0);
    int segment = get_global_id(1);

    for (int i = lag; i < length; i += LAGS)
        x[i] = toVolt(wave[segment * length + i]);
    barrier(CLK_LOCAL_MEM_FENCE);

    int terms = length - lag, i = 0;
    float even = 0.0f, odd = 0.0f;
    for (; i + 1 < terms; i += 2) {
        even += x[i] * x[i + lag];
        odd += x[i + 1] * x[i + 1 + lag];
    }
    if (i < terms)
        even += x[i] * x[i + lag];

    acf[segment * LAGS + lag] = (even + odd) / terms;
}
