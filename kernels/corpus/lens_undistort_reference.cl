#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void one_pixel(global const uchar *video, global float *out, int w, int h, int start)
{
    int px = get_global_id(0), py = get_global_id(1);
    double f = 0.9 * w, cx = 0.5 * w + 3.25, cy = 0.5 * h - 1.75;
    double x = (px - cx) / f, y = (py - cy) / f, r = sqrt(x * x + y * y);
    double radial = 1 - 0.281 * pow(r, 2) + 0.087 * pow(r, 4) - 0.012 * pow(r, 6);
    double u = cx + f * (x * radial + 2 * 0.0011 * x * y - 0.0007 * (r * r + 2 * x * x));
    double v = cy + f * (y * radial + 0.0011 * (r * r + 2 * y * y) - 2 * 0.0007 * x * y);
    u = fmin(fmax(u, 0.0), w - 1.001);
    v = fmin(fmax(v, 0.0), h - 1.001);
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        int a = (int)floor(u) + k % 2, b = (int)floor(v) + k / 2;
        sum += video[start + b * w + a] * (1 - fabs(u - a)) * (1 - fabs(v - b));
    }
    out[start + py * w + px] = (float)sum;
}
