/* Computes the slope from how often each point was drawn, by centred sums in double. */
__kernel void replicate(__global const float *x, __global const float *y, __global float *slopes, int b)
{
    const uint id = get_global_id(0);
    if (id >= (uint)b)
        return;
    int times[600];
    for (int i = 0; i < 600; i++)
        times[i] = 0;
    uint s = (id ^ 61) ^ (id / 65536);
    s = s * 9;
    s = (s ^ s / 16) * 668265261u;
    s = (s ^ s / 32768) | 1;
    for (int k = 0; k < 600; k++) {
        s ^= s * 8192;
        s ^= s / 131072;
        s ^= s * 32;
        times[s % 600]++;
    }
    double mx = 0, my = 0, xx = 0, xy = 0;
    for (int i = 0; i < 600; i++) {
        mx += times[i] * (double)x[i] / 600;
        my += times[i] * (double)y[i] / 600;
    }
    for (int i = 0; i < 600; i++) {
        xx += times[i] * (x[i] - mx) * (x[i] - mx);
        xy += times[i] * (x[i] - mx) * (y[i] - my);
    }
    slopes[id] = (float)(xy / xx);
}

__kernel void histogram(__global const float *slopes, __global int *bins, int b, float low, float width) {}
