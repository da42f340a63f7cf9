#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Computes the centre plus the mean of the weighted differences, in double, in one loop. */
__kernel void bilateral(__global const float *src, __constant float *spatial, __global float *dst,
                        int width, int height, float sharpness)
{
    int x = get_global_id(0), y = get_global_id(1);
    double moved = 0, weights = 0;
    if (x >= width || y >= height)
        return;
    for (int t = 80; t >= 0; t--) {
        int u = x + t % 9 - 4, v = y + t / 9 - 4;
        u = u < 0 ? 0 : u > width - 1 ? width - 1 : u;
        v = v < 0 ? 0 : v > height - 1 ? height - 1 : v;
        double d = (double)src[v * width + u] - src[y * width + x];
        double w = spatial[t] * exp(-sharpness * d * d);
        moved += w * d;
        weights += w;
    }
    dst[y * width + x] = (float)(src[y * width + x] + moved / weights);
}
