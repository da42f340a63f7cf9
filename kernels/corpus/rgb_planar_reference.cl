/* Computes in double. Weights and rounding are those of a table in units of 1/65536. */
__kernel void split_pixels(__global const uchar *rgb, __global uchar *luma,
                           __global uchar *cb, __global uchar *cr)
{
    size_t i = get_global_id(0);
    double r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    double y = floor((19595.0 * r + 38470.0 * g + 7471.0 * b) / 65536.0 + 0.5);
    double u = 128 + floor((b - y) * (36962.0 / 65536.0));
    double v = 128 + floor((r - y) * (46727.0 / 65536.0));

    luma[i] = y;
    cb[i] = u < 0 ? 0 : u > 255 ? 255 : u;
    cr[i] = v < 0 ? 0 : v > 255 ? 255 : v;
}
