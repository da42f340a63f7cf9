// Soft threshold: reduces the magnitude of d by t, but at most to 0.
float shrink(float d, float t)
{
    return copysign(fmax(fabs(d) - t, 0.0f), d);
}

// 2x2 butterfly: x = average, y = horizontal, z = vertical, w = diagonal detail; its own inverse
float4 butterfly(float4 q)
{
    float4 r;
    float a = q.x + q.y, b = q.z + q.w, c = q.x - q.y, d = q.z - q.w;
    r.x = 0.5f * (a + b);
    r.y = 0.5f * (c + d);
    r.z = 0.5f * (a - b);
    r.w = 0.5f * (c - d);
    return r;
}

kernel void haar_forward(global float *pic, int w, int h, int step)
{
    int x = get_global_id(0) * 2 * step;
    int y = get_global_id(1) * 2 * step;
    if (x + step >= w || y + step >= h)
        return;
    global float *p = pic + y * w + x;
    float4 q = (float4)(p[0], p[step], p[step * w], p[step * w + step]);
    q = butterfly(q);
    p[0] = q.x;
    p[step] = q.y;
    p[step * w] = q.z;
    p[step * w + step] = q.w;
}

kernel void haar_backward(global float *pic, int w, int h, int step, float t)
{
    int x = get_global_id(0) * 2 * step;
    int y = get_global_id(1) * 2 * step;
    if (x + step >= w || y + step >= h)
        return;
    global float *p = pic + y * w + x;
    float4 q = (float4)(p[0], shrink(p[step], t), shrink(p[step * w], t), shrink(p[step * w + step], t));
    q = butterfly(q);
    p[0] = q.x;
    p[step] = q.y;
    p[step * w] = q.z;
    p[step * w + step] = q.w;
}

kernel void haar_block8(global float *pic, int w, float t)
{
    float b[64];
    global float *p = pic + get_global_id(1) * 8 * w + get_global_id(0) * 8;

    for (int y = 0; y < 8; y++) {
        vstore4(vload4(0, p + y * w), 2 * y, b);
        vstore4(vload4(1, p + y * w), 2 * y + 1, b);
    }
#pragma unroll
    for (int s = 1; s < 8; s *= 2)
#pragma unroll
        for (int y = 0; y < 8; y += 2 * s)
#pragma unroll
            for (int x = 0; x < 8; x += 2 * s) {
                int o = y * 8 + x;
                float4 q = butterfly((float4)(b[o], b[o + s], b[o + 8 * s], b[o + 9 * s]));
                b[o] = q.x;
                b[o + s] = shrink(q.y, t);
                b[o + 8 * s] = shrink(q.z, t);
                b[o + 9 * s] = shrink(q.w, t);
            }
#pragma unroll
    for (int s = 4; s > 0; s /= 2)
#pragma unroll
        for (int y = 0; y < 8; y += 2 * s)
#pragma unroll
            for (int x = 0; x < 8; x += 2 * s) {
                int o = y * 8 + x;
                float4 q = butterfly((float4)(b[o], b[o + s], b[o + 8 * s], b[o + 9 * s]));
                b[o] = q.x;
                b[o + s] = q.y;
                b[o + 8 * s] = q.z;
                b[o + 9 * s] = q.w;
            }
    for (int y = 0; y < 8; y++) {
        vstore4(vload4(2 * y, b), 0, p + y * w);
        vstore4(vload4(2 * y + 1, b), 1, p + y * w);
    }
}
