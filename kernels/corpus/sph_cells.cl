// 2D SPH. Smoothing length = cell size = 1, mass = 1.
#define STIFF  3.0f
#define REST   3.5f
#define MU     0.8f
#define POLY   1.27323954f     // 4 / pi
#define SPIKY  9.54929659f     // 30 / pi
#define VISC   12.7323954f     // 40 / pi

__kernel void place(__global const int *home, __global const float2 *jitter, __global float2 *pos)
{
    int i = get_global_id(0);
    int c = home[i];
    pos[i] = (float2)(c % GRID, c / GRID) + jitter[i];
}

__kernel void density(__global const int *home, __global const int *first, __global const float2 *pos,
                      __global float *rho)
{
    int i = get_global_id(0);
    int cx = home[i] % GRID;
    int cy = home[i] / GRID;
    float2 p = pos[i];
    float sum = 0.0f;

    for (int y = cy - 1; y <= cy + 1; y++) {
        for (int x = cx - 1; x <= cx + 1; x++) {
            if (x < 0 || y < 0 || x >= GRID || y >= GRID)
                continue;
            int c = y * GRID + x;
            for (int j = first[c]; j < first[c + 1]; j++) {
                float2 d = pos[j] - p;
                float q = 1.0f - dot(d, d);
                if (q > 0.0f)
                    sum += q * q * q;
            }
        }
    }
    rho[i] = POLY * sum;
}

float2 pair(float2 d, float2 dv, float rho_i, float rho_j)
{
    float r2 = d.x * d.x + d.y * d.y;
    if (r2 >= 1.0f || r2 < 1e-10f)
        return (float2)(0.0f);
    float r = sqrt(r2);
    float q = 1.0f - r;
    float press = STIFF * (rho_i - REST + rho_j - REST) * 0.5f / rho_j;
    // d points from i to j, press > 0 pushes i away
    return (-press * SPIKY * q * q / r) * d + (MU * VISC * q / rho_j) * dv;
}

__kernel void forces(__global const int *home, __global const int *first, __global const float2 *pos,
                     __global const float2 *vel, __global const float *rho, __global float2 *acc)
{
    int i = get_global_id(0);
    int cx = home[i] % GRID;
    int cy = home[i] / GRID;
    float2 f = (float2)(0.0f, 0.0f);

    for (int y = cy - 1; y <= cy + 1; y++) {
        for (int x = cx - 1; x <= cx + 1; x++) {
            if (x < 0 || y < 0 || x >= GRID || y >= GRID)
                continue;
            int c = y * GRID + x;
            for (int j = first[c]; j < first[c + 1]; j++) {
                if (j == i)
                    continue;
                f += pair(pos[j] - pos[i], vel[j] - vel[i], rho[i], rho[j]);
            }
        }
    }
    acc[i] = f / rho[i] + (float2)(0.0f, -9.81f);
}

// particles are sorted by cell, so cells x-1..x+1 of a row are one contiguous run
__kernel void density_strips(__global const int *restrict home, __global const int *restrict first,
                             __global const float2 *restrict pos, __global float *restrict rho)
{
    int i = get_global_id(0);
    int cell = home[i];
    int cx = cell % GRID, cy = cell / GRID;
    int lo = max(cx - 1, 0), hi = min(cx + 1, GRID - 1);
    float2 p = pos[i];
    float sum = 0.0f;
    for (int y = max(cy - 1, 0); y <= min(cy + 1, GRID - 1); y++) {
        int end = first[y * GRID + hi + 1];
        for (int j = first[y * GRID + lo]; j < end; j++) {
            float2 d = pos[j] - p;
            float q = fmax(1.0f - dot(d, d), 0.0f);
            sum += q * q * q;
        }
    }
    rho[i] = POLY * sum;
}

__kernel void forces_strips(__global const int *restrict home, __global const int *restrict first,
                            __global const float2 *restrict pos, __global const float2 *restrict vel,
                            __global const float *restrict rho, __global float2 *restrict acc)
{
    int i = get_global_id(0);
    int cell = home[i];
    int cx = cell % GRID, cy = cell / GRID;
    int lo = max(cx - 1, 0), hi = min(cx + 1, GRID - 1);
    float2 p = pos[i], v = vel[i], f = (float2)(0.0f);
    float ri = rho[i];
    for (int y = max(cy - 1, 0); y <= min(cy + 1, GRID - 1); y++) {
        int end = first[y * GRID + hi + 1];
        for (int j = first[y * GRID + lo]; j < end; j++)
            f += pair(pos[j] - p, vel[j] - v, ri, rho[j]);      // itself adds nothing: r is 0
    }
    acc[i] = f / ri + (float2)(0.0f, -9.81f);
}
