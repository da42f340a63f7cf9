void addFloat(volatile __global float *where, float what)
{
    union { uint u; float f; } seen, wanted;
    seen.f = *where;
    for (;;) {
        wanted.f = seen.f + what;
        uint now = atomic_cmpxchg((volatile __global uint *)where, seen.u, wanted.u);
        if (now == seen.u)
            break;
        seen.u = now;
    }
}

__kernel void deposit(__global const float2 *pos, __global const float *charge,
                      volatile __global float *grid, int cells)
{
    int p = get_global_id(0);
    float2 at = pos[p] * (float)cells;
    int cx = (int)at.x, cy = (int)at.y;
    float fx = at.x - cx, fy = at.y - cy;
    float q = charge[p];
    int node = cy * (cells + 1) + cx;
    addFloat(&grid[node], q * (1.0f - fx) * (1.0f - fy));
    addFloat(&grid[node + 1], q * fx * (1.0f - fy));
    addFloat(&grid[node + cells + 1], q * (1.0f - fx) * fy);
    addFloat(&grid[node + cells + 2], q * fx * fy);
}

#define UNIT 8388608.0f

__kernel void depositFixed(__global const float2 *pos, __global const float *charge,
                           __global int *grid, int cells)
{
    int p = get_global_id(0);
    float2 at = pos[p] * (float)cells;
    int cx = (int)at.x, cy = (int)at.y;
    float fx = at.x - cx, fy = at.y - cy;
    float q = charge[p] * UNIT;
    int node = cy * (cells + 1) + cx;
    atomic_add(&grid[node], (int)rint(q * (1.0f - fx) * (1.0f - fy)));
    atomic_add(&grid[node + 1], (int)rint(q * fx * (1.0f - fy)));
    atomic_add(&grid[node + cells + 1], (int)rint(q * (1.0f - fx) * fy));
    atomic_add(&grid[node + cells + 2], (int)rint(q * fx * fy));
}

__kernel void fromFixed(__global const int *in, __global float *out, int n)
{
    int i = get_global_id(0);
    if (i < n)
        out[i] = in[i] / UNIT;
}
