__kernel void fir(__global const float *signal, __global const float *taps,
                  __global float *filtered)
{
    int i = get_global_id(0);
    double sum = 0;
    for (int s = i; s <= i + 62; s++)
        sum += (double)signal[s] * taps[62 - (s - i)];
    filtered[i] = (float)sum;
}
