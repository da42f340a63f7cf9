#define B 16

static float flow(float d, float k)
{
    return d * exp(-k * d * d);
}

__kernel void diffuse_once(__global const float *src, __global float *dst, int width, int height,
                           float k, float rate)
{
    int x = get_global_id(0);
    int y = get_global_id(1);

    if (x >= width || y >= height)
        return;

    int p = y * width + x;
    float c = src[p];
    float sum = 0.0f;
    if (x > 0)          sum += flow(src[p - 1] - c, k);
    if (x < width - 1)  sum += flow(src[p + 1] - c, k);
    if (y > 0)          sum += flow(src[p - width] - c, k);
    if (y < height - 1) sum += flow(src[p + width] - c, k);
    dst[p] = c + rate * sum;
}

/* Returns a pixel after a diffusion step. (x, y): position in the image of the pixel t[at]. stride:
 * row length of the tile. */
static float step_in_tile(__local const float *t, int at, int stride, int x, int y, int width,
                          int height, float k, float rate)
{
    float c = t[at];
    float sum = x > 0 ? flow(t[at - 1] - c, k) : 0.0f;
    sum += x < width - 1 ? flow(t[at + 1] - c, k) : 0.0f;
    sum += y > 0 ? flow(t[at - stride] - c, k) : 0.0f;
    sum += y < height - 1 ? flow(t[at + stride] - c, k) : 0.0f;
    return c + rate * sum;
}

__kernel __attribute__((reqd_work_group_size(B, B, 1)))
void diffuse_twice(__global const float *src, __global float *dst, int width, int height,
                   float k, float rate)
{
    __local float a[(B + 4) * (B + 4)];
    __local float b[(B + 2) * (B + 2)];
    int lx = get_local_id(0), ly = get_local_id(1);
    int left = get_group_id(0) * B, top = get_group_id(1) * B;
    int n = ly * B + lx;

    for (int i = n; i < (B + 4) * (B + 4); i += B * B) {
        int x = clamp(left - 2 + i % (B + 4), 0, width - 1);
        int y = clamp(top - 2 + i / (B + 4), 0, height - 1);
        a[i] = src[y * width + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int i = n; i < (B + 2) * (B + 2); i += B * B) {
        int tx = i % (B + 2), ty = i / (B + 2);
        b[i] = step_in_tile(a, (ty + 1) * (B + 4) + tx + 1, B + 4, left - 1 + tx, top - 1 + ty,
                            width, height, k, rate);
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    int x = left + lx, y = top + ly;
    if (x < width && y < height)
        dst[y * width + x] = step_in_tile(b, (ly + 1) * (B + 2) + lx + 1, B + 2, x, y, width,
                                          height, k, rate);
}
