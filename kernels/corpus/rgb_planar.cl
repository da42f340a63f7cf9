/* weights in 1/65536 */
#define LUMA(r, g, b) ((19595 * (r) + 38470 * (g) + 7471 * (b) + 32768) >> 16)
#define DIFF_B(b, y)  clamp((((b) - (y)) * 36962 >> 16) + 128, 0, 255)
#define DIFF_R(r, y)  clamp((((r) - (y)) * 46727 >> 16) + 128, 0, 255)

__kernel void split_pixels(__global const uchar *rgb, __global uchar *luma,
                           __global uchar *cb, __global uchar *cr)
{
    size_t i = get_global_id(0);
    int r = rgb[3 * i];
    int g = rgb[3 * i + 1];
    int b = rgb[3 * i + 2];
    int y = LUMA(r, g, b);

    luma[i] = (uchar)y;
    cb[i] = (uchar)DIFF_B(b, y);
    cr[i] = (uchar)DIFF_R(r, y);
}

__kernel void split_quads(__global const uint *rgb, __global uchar4 *luma,
                          __global uchar4 *cb, __global uchar4 *cr)
{
    size_t i = get_global_id(0);
    uint3 w = vload3(i, rgb); /* rgbr gbrg brgb, lowest byte first */

    int4 r = (int4)(w.x & 255, w.x >> 24, (w.y >> 16) & 255, (w.z >> 8) & 255);
    int4 g = (int4)((w.x >> 8) & 255, w.y & 255, w.y >> 24, (w.z >> 16) & 255);
    int4 b = (int4)((w.x >> 16) & 255, (w.y >> 8) & 255, w.z & 255, w.z >> 24);
    int4 y = LUMA(r, g, b);

    luma[i] = convert_uchar4(y);
    cb[i] = convert_uchar4(DIFF_B(b, y));
    cr[i] = convert_uchar4(DIFF_R(r, y));
}
