#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void least_squares(global const float *signal, global float *slope, global float *rest, int n)
{
    int i = get_global_id(0);
    double mean = 0, up = 0, down = 0, left = 0;
    for (int k = 0; k < 51; k++)
        mean += signal[i + k] / 51.0;
    for (int k = 0; k < 51; k++) {
        up += (k - 25) * (signal[i + k] - mean);
        down += (k - 25) * (k - 25);
    }
    for (int k = 0; k < 51; k++) {
        double e = signal[i + k] - (mean + up / down * (k - 25));
        left += e * e / 51;
    }
    slope[i] = (float)(up / down);
    rest[i] = (float)left;
}
