#define RADIUS 4
#define PLANE (NX * NY)

__constant float c[RADIUS + 1] = { -205.0f / 72.0f, 8.0f / 5.0f, -1.0f / 5.0f, 8.0f / 315.0f,
                                   -1.0f / 560.0f };

/* `next` has the field of the previous time at the start, and that of the next time at the end. */
__kernel void wave_step(__global float *restrict next, __global const float *restrict now,
                        __global const float *restrict c2dt2)
{
    const int x = get_global_id(0) + RADIUS;
    const int y = get_global_id(1) + RADIUS;
    const int z = get_global_id(2) + RADIUS;
    const int i = (z * NY + y) * NX + x;

    float lap = 3.0f * c[0] * now[i];
#pragma unroll
    for (int r = 1; r <= RADIUS; r++)
        lap += c[r] * (now[i - r] + now[i + r] +
                       now[i - r * NX] + now[i + r * NX] +
                       now[i - r * PLANE] + now[i + r * PLANE]);

    next[i] = 2.0f * now[i] - next[i] + c2dt2[i] * lap;
}
