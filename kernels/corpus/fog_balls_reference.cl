#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// Computes the fog on a ray in closed form, in double: a chord of half length a has 4/3 a^3 / r^2
// of fog. All balls are tested.
kernel void trace_fog(global const float *bx, global const float *by, global const float *bz,
                      global const float *radius, global const float4 *colour, global float4 *image,
                      int w, int h)
{
    int px = get_global_id(0), py = get_global_id(1);
    double dx = (2.0 * px - w) / w, dy = (2.0 * py - h) / w, dz = 1.8;
    double len = sqrt(dx * dx + dy * dy + dz * dz), sum[3] = {0, 0, 0}, through = 1;
    for (int b = 0; b < BALLS; b++) {
        double along = (bx[b] * dx + by[b] * dy + bz[b] * dz) / len, r = radius[b];
        double a2 = r * r - ((double)bx[b] * bx[b] + (double)by[b] * by[b] + (double)bz[b] * bz[b] - along * along);
        if (a2 <= 0)
            continue;
        double keep = exp(-5 * 4.0 / 3 * a2 * sqrt(a2) / (r * r));
        sum[0] += through * (1 - keep) * colour[b].x;
        sum[1] += through * (1 - keep) * colour[b].y;
        sum[2] += through * (1 - keep) * colour[b].z;
        through *= keep;
    }
    image[py * w + px] = (float4)((float)sum[0], (float)sum[1], (float)sum[2], (float)(1 - through));
}
