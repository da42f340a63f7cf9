#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Each node searches the particles around it, by their numbers. The field is computed from weights
 * of charges. */
uint first_in(uint c)
{
    uint p = 0;
    for (uint bit = 1; bit < GX * GY; bit <<= 1)
        if ((p * 7919 ^ c) & bit)
            p += bit;
    return p;
}

__kernel void collect_charge(__global const uint *cell, __global const ushort2 *fraction,
                             __global int *charge, uint per_cell)
{
    const uint x = get_global_id(0), y = get_global_id(1);
    int sum = 0;
    for (uint side = 0; side < 4; side++) {
        const uint left = side & 1, up = side >> 1;
        const uint c = (y + GY - up) % GY * GX + (x + GX - left) % GX;
        for (uint k = 0, p = first_in(c); k < per_cell; k++, p += GX * GY) {
            const int wx = left ? fraction[p].x : 256 - fraction[p].x;
            const int wy = up ? fraction[p].y : 256 - fraction[p].y;
            sum += cell[p] == c ? wx * wy : -1000000;
        }
    }
    charge[y * GX + x] = sum;
}

__kernel void field_of_charge(__global const int *charge, __global float2 *field)
{
    const int w[3] = { 1, 2, 1 };
    const uint x = get_global_id(0), y = get_global_id(1);
    double ex = 0, ey = 0;
    for (uint j = 0; j < 3; j++)
        for (uint k = 0; k < 3; k++) {
            const uint yy = (y + GY + j - 1) % GY, xx = (x + GX + k - 1) % GX;
            ex += w[j] * w[k] * ((double)charge[yy * GX + (xx + GX - 1) % GX] - charge[yy * GX + (xx + 1) % GX]);
            ey += w[j] * w[k] * ((double)charge[(yy + GY - 1) % GY * GX + xx] - charge[(yy + 1) % GY * GX + xx]);
        }
    field[y * GX + x] = (float2)((float)(ex / 32 / 65536), (float)(ey / 32 / 65536));
}

__kernel void push_particle(__global const uint *cell, __global const ushort2 *fraction,
                            __global const float2 *field, __global float2 *velocity,
                            __global float2 *position, float dt)
{
    const uint p = get_global_id(0), x = cell[p] % GX, y = cell[p] / GX;
    const double fx = fraction[p].x / 256.0, fy = fraction[p].y / 256.0;
    double vx = velocity[p].x, vy = velocity[p].y;
    for (uint k = 0; k < 4; k++) {
        const double w = (k & 1 ? fx : 1 - fx) * (k & 2 ? fy : 1 - fy);
        const float2 e = field[(y + k / 2) % GY * GX + (x + k % 2) % GX];
        vx += dt * w * e.x;
        vy += dt * w * e.y;
    }
    velocity[p] = (float2)((float)vx, (float)vy);
    position[p] = (float2)((float)(x + fx + dt * vx), (float)(y + fy + dt * vy));
}
