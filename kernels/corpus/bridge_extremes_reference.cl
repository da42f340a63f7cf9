#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Each point from the sum of its hat functions (Levy), in double, without the array of the path: the
   numbers are drawn as a table first. */
__kernel void bridges(__global const uint *seeds, __global float *path, __global float *highest,
                      __global float *area, int paths)
{
    const int me = get_global_id(0);
    double z[64];
    if (me >= paths)
        return;
    uint x = seeds[me];
    for (int k = 0; k < 64; k++) {
        ulong sum = 0;
        for (int q = 0; q < 4; q++) {
            x = x * 1664525u + 1013904223u;
            sum += x / 256;
        }
        z[k] = (sum / 16777216.0 - 2) * sqrt(3.0);
    }
    double top = 0, total = 0;
    for (int s = 1; s <= 64; s++) {
        double w = z[0] * s / 64;
        for (int level = 0, first = 1; level < 6; first += 1 << level++) {
            const int gap = 64 >> level, cell = s / gap, at = s % gap;
            const double hat = 1 - fabs(2.0 * at / gap - 1);
            if (at > 0)
                w += 0.5 * sqrt(1.0 / (1 << level)) * hat * z[first + cell];
        }
        top = w > top ? w : top;
        total += w;
    }
    highest[me] = (float)top;
    area[me] = (float)(total / 64);
}
