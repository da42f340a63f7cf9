/* before, now: displacement at the last two times; next: the one to come. The two outer lines do not move. */
#define ARGUMENTS __global const float *before, __global const float *now, __global float *next, int width, \
                  int height, float stiffness, float damping

float advance(float old, float u, float biharmonic, float stiffness, float damping)
{
    return (2.0f * u - (1.0f - damping) * old - stiffness * biharmonic) / (1.0f + damping);
}

__kernel void vibrate(ARGUMENTS)
{
    int x = get_global_id(0), y = get_global_id(1), at = y * width + x;
    if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) {
        next[at] = 0;
        return;
    }
    __global const float *u = now + at;
    float near = u[-1] + u[1] + u[-width] + u[width];
    float corner = u[-width - 1] + u[-width + 1] + u[width - 1] + u[width + 1];
    float far = u[-2] + u[2] + u[-2 * width] + u[2 * width];
    next[at] = advance(before[at], u[0], 20.0f * u[0] - 8.0f * near + 2.0f * corner + far, stiffness, damping);
}

#define TX 32
#define TY 8
#define PITCH (TX + 4)
__kernel void vibrate_tiled(ARGUMENTS)
{
    __local float tile[(TY + 4) * PITCH];
    int x = get_global_id(0), y = get_global_id(1), at = y * width + x;
    int lx = get_local_id(0), ly = get_local_id(1), left = x - lx - 2, top = y - ly - 2;
    for (int k = ly * TX + lx; k < (TY + 4) * PITCH; k += TX * TY) {
        int gx = left + k % PITCH, gy = top + k / PITCH;
        tile[k] = gx >= 0 && gy >= 0 && gx < width && gy < height ? now[gy * width + gx] : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) {
        next[at] = 0;
        return;
    }
    __local const float *u = tile + (ly + 2) * PITCH + lx + 2;
    float near = u[-1] + u[1] + u[-PITCH] + u[PITCH];
    float corner = u[-PITCH - 1] + u[-PITCH + 1] + u[PITCH - 1] + u[PITCH + 1];
    float far = u[-2] + u[2] + u[-2 * PITCH] + u[2 * PITCH];
    next[at] = advance(before[at], u[0], 20.0f * u[0] - 8.0f * near + 2.0f * corner + far, stiffness, damping);
}

#define ROWS 8
__kernel void vibrate_strip(ARGUMENTS)
{
    int x = get_global_id(0), y0 = get_global_id(1) * ROWS;
    if (x < 2 || x >= width - 2) {
        for (int y = y0; y < y0 + ROWS; y++)
            next[y * width + x] = 0;
        return;
    }
    float up2 = now[max(y0 - 2, 0) * width + x], up1 = now[max(y0 - 1, 0) * width + x];
    float mid = now[y0 * width + x], down1 = now[(y0 + 1) * width + x];
    for (int y = y0; y < y0 + ROWS; y++) {
        int at = y * width + x;
        float down2 = now[min(y + 2, height - 1) * width + x];
        float value = 0;
        if (y >= 2 && y < height - 2) {
            __global const float *u = now + at;
            float near = u[-1] + u[1] + up1 + down1;
            float corner = u[-width - 1] + u[-width + 1] + u[width - 1] + u[width + 1];
            float far = u[-2] + u[2] + up2 + down2;
            value = advance(before[at], mid, 20.0f * mid - 8.0f * near + 2.0f * corner + far, stiffness, damping);
        }
        next[at] = value;
        up2 = up1;
        up1 = mid;
        mid = down1;
        down1 = down2;
    }
}
