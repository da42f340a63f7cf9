#define TWO_OVER_SQRT_PI 1.12837917f

int wrap(int a, int m)
{
    if (a < 0) return a + m;
    if (a >= m) return a - m;
    return a;
}

// The box has m cells of length `edge` in each direction. The cutoff is the length of a cell.
__kernel void ewald_real(__global const float* fx, __global const float* fy, __global const float* fz,
                         __global const float* charge, __global const int* taken, __global float4* force,
                         const int m, const float edge, const float alpha)
{
    const int id = get_global_id(0);
    const int cell = id / CAP;
    if (cell >= m * m * m)
        return;
    const int slot = id - cell * CAP;
    if (slot >= taken[cell]) {
        force[id] = (float4)(0.0f);
        return;
    }

    const int cx = cell % m;
    const int cy = cell / m % m;
    const int cz = cell / (m * m);
    const float x = fx[id], y = fy[id], z = fz[id];
    const float cutoff2 = edge * edge;
    float4 sum = (float4)(0.0f);

    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                const int other = (wrap(cz + dz, m) * m + wrap(cy + dy, m)) * m + wrap(cx + dx, m);
                const int end = other * CAP + taken[other];
                for (int j = other * CAP; j < end; j++) {
                    const float rx = (x - fx[j] - dx) * edge;
                    const float ry = (y - fy[j] - dy) * edge;
                    const float rz = (z - fz[j] - dz) * edge;
                    const float r2 = rx * rx + ry * ry + rz * rz;
                    if (r2 >= cutoff2 || j == id)
                        continue;
                    const float r = sqrt(r2);
                    const float ar = alpha * r;
                    const float q = charge[j];
                    const float e = q * erfc(ar) / r;
                    const float f = (e + q * TWO_OVER_SQRT_PI * alpha * exp(-ar * ar)) / r2;
                    sum.x += f * rx;
                    sum.y += f * ry;
                    sum.z += f * rz;
                    sum.w += e;
                }
            }
    force[id] = sum * charge[id];
}
