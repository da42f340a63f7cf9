// Camera constants of the Brown-Conrady model, from a calibration.
constant float K1 = -0.281f, K2 = 0.087f, K3 = -0.012f;
constant float P1 = 0.0011f, P2 = -0.0007f;

inline float2 source_position(int px, int py, int w, int h)
{
    const float f = 0.9f * w;
    const float2 c = (float2)(0.5f * w + 3.25f, 0.5f * h - 1.75f);
    const float x = (px - c.x) / f, y = (py - c.y) / f;
    const float r2 = x * x + y * y;
    const float radial = 1.0f + r2 * (K1 + r2 * (K2 + r2 * K3));
    const float xd = x * radial + 2.0f * P1 * x * y + P2 * (r2 + 2.0f * x * x);
    const float yd = y * radial + P1 * (r2 + 2.0f * y * y) + 2.0f * P2 * x * y;
    return (float2)(xd * f + c.x, yd * f + c.y);
}

inline float bilinear(global const uchar *img, float2 at, int w, int h)
{
    at = clamp(at, (float2)(0.0f), (float2)(w - 1.001f, h - 1.001f));
    const int x = (int)at.x, y = (int)at.y;
    const float fx = at.x - x, fy = at.y - y;
    global const uchar *p = img + y * w + x;
    const float top = mix((float)p[0], (float)p[1], fx);
    const float bottom = mix((float)p[w], (float)p[w + 1], fx);
    return mix(top, bottom, fy);
}

kernel void undistort(global const uchar *video, global float *out, int w, int h, int start)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    out[start + y * w + x] = bilinear(video + start, source_position(x, y, w, h), w, h);
}

kernel void make_map(global float2 *where, int w, int h)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h)
        where[y * w + x] = source_position(x, y, w, h);
}

kernel void remap(global const uchar *video, global const float2 *where, global float *out,
                  int w, int h, int start)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h)
        out[start + y * w + x] = bilinear(video + start, where[y * w + x], w, h);
}
