#define DIAMETER (2 * RADIUS + 1)

__kernel void bilateral(__global const float *src, __constant float *spatial, __global float *dst,
                        int width, int height, float sharpness)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    float centre, numerator = 0, denominator = 0;

    if (x >= width || y >= height)
        return;
    centre = src[y * width + x];
    for (int j = -RADIUS; j <= RADIUS; j++) {
        int yy = clamp(y + j, 0, height - 1);
        for (int i = -RADIUS; i <= RADIUS; i++) {
            int xx = clamp(x + i, 0, width - 1);
            float value = src[yy * width + xx];
            float delta = value - centre;
            float weight = spatial[(j + RADIUS) * DIAMETER + i + RADIUS] * exp(-delta * delta * sharpness);
            numerator += weight * value;
            denominator += weight;
        }
    }
    dst[y * width + x] = numerator / denominator;
}

#define TILE_W (32 + 2 * RADIUS)
#define TILE_H (8 + 2 * RADIUS)

__kernel void bilateral_halo(__global const float *src, __constant float *spatial,
                             __global float *dst, int width, int height, float sharpness)
{
    __local float tile[TILE_H][TILE_W];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = get_global_id(0), y = get_global_id(1);
    int left = (int)get_group_id(0) * 32 - RADIUS, top = (int)get_group_id(1) * 8 - RADIUS;
    float centre, numerator = 0, denominator = 0;

    for (int ty = ly; ty < TILE_H; ty += 8)
        for (int tx = lx; tx < TILE_W; tx += 32)
            tile[ty][tx] = src[clamp(top + ty, 0, height - 1) * width + clamp(left + tx, 0, width - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x >= width || y >= height)
        return;
    centre = tile[ly + RADIUS][lx + RADIUS];
    for (int j = 0; j < DIAMETER; j++) {
#pragma unroll
        for (int i = 0; i < DIAMETER; i++) {
            float value = tile[ly + j][lx + i];
            float delta = value - centre;
            float weight = spatial[j * DIAMETER + i] * exp(-delta * delta * sharpness);
            numerator += weight * value;
            denominator += weight;
        }
    }
    dst[y * width + x] = numerator / denominator;
}
