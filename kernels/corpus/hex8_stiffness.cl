/* Node a of an element sits at corner (a & 1, a >> 1 & 1, a >> 2). Loops over nodes are unrolled, so that every index
   into a private array is known and the arrays become registers. */

#define GAUSS 0.57735026919f

typedef struct {
    float x[8], y[8], z[8];
} Corners;

void corners(Corners *c, __global const float *x, __global const float *y, __global const float *z, int e, int nx,
             int ny)
{
    int i = e % nx, j = e / nx % ny, k = e / (nx * ny);
    int base = (k * (ny + 1) + j) * (nx + 1) + i;
#pragma unroll
    for (int a = 0; a < 8; a++) {
        int node = base + (a & 1) + (a >> 1 & 1) * (nx + 1) + (a >> 2) * (nx + 1) * (ny + 1);
        c->x[a] = x[node];
        c->y[a] = y[node];
        c->z[a] = z[node];
    }
}

/* Gradients of the eight shape functions at Gauss point g, in space; returns the determinant. */
float gradients(const Corners *c, int g, float *gx, float *gy, float *gz)
{
    float r = g & 1 ? GAUSS : -GAUSS, s = g >> 1 & 1 ? GAUSS : -GAUSS, t = g >> 2 ? GAUSS : -GAUSS;
    float j00 = 0, j01 = 0, j02 = 0, j10 = 0, j11 = 0, j12 = 0, j20 = 0, j21 = 0, j22 = 0;
#pragma unroll
    for (int a = 0; a < 8; a++) {
        float sr = a & 1 ? 1.0f : -1.0f, ss = a >> 1 & 1 ? 1.0f : -1.0f, st = a >> 2 ? 1.0f : -1.0f;
        float dr = 0.125f * sr * (1 + ss * s) * (1 + st * t);
        float ds = 0.125f * ss * (1 + sr * r) * (1 + st * t);
        float dt = 0.125f * st * (1 + sr * r) * (1 + ss * s);
        gx[a] = dr;
        gy[a] = ds;
        gz[a] = dt;
        j00 += dr * c->x[a]; j01 += dr * c->y[a]; j02 += dr * c->z[a];
        j10 += ds * c->x[a]; j11 += ds * c->y[a]; j12 += ds * c->z[a];
        j20 += dt * c->x[a]; j21 += dt * c->y[a]; j22 += dt * c->z[a];
    }
    float c00 = j11 * j22 - j12 * j21, c01 = j12 * j20 - j10 * j22, c02 = j10 * j21 - j11 * j20;
    float det = j00 * c00 + j01 * c01 + j02 * c02, inv = 1.0f / det;
    float i00 = c00 * inv, i10 = c01 * inv, i20 = c02 * inv;
    float i01 = (j02 * j21 - j01 * j22) * inv, i11 = (j00 * j22 - j02 * j20) * inv, i21 = (j01 * j20 - j00 * j21) * inv;
    float i02 = (j01 * j12 - j02 * j11) * inv, i12 = (j02 * j10 - j00 * j12) * inv, i22 = (j00 * j11 - j01 * j10) * inv;
#pragma unroll
    for (int a = 0; a < 8; a++) {
        float dr = gx[a], ds = gy[a], dt = gz[a];
        gx[a] = i00 * dr + i01 * ds + i02 * dt;
        gy[a] = i10 * dr + i11 * ds + i12 * dt;
        gz[a] = i20 * dr + i21 * ds + i22 * dt;
    }
    return det;
}

__kernel void whole_matrix(__global const float *x, __global const float *y, __global const float *z,
                           __global const float *conductivity, __global float *matrix, int nx, int ny, int nz)
{
    int e = get_global_id(0), elements = nx * ny * nz;
    Corners c;
    float k[36], gx[8], gy[8], gz[8];
    corners(&c, x, y, z, e, nx, ny);
#pragma unroll
    for (int p = 0; p < 36; p++)
        k[p] = 0;
    float kappa = conductivity[e];
#pragma unroll 1
    for (int g = 0; g < 8; g++) {
        float w = kappa * gradients(&c, g, gx, gy, gz);
#pragma unroll
        for (int a = 0; a < 8; a++)
#pragma unroll
            for (int b = 0; b <= a; b++)
                k[a * (a + 1) / 2 + b] += w * (gx[a] * gx[b] + gy[a] * gy[b] + gz[a] * gz[b]);
    }
#pragma unroll
    for (int p = 0; p < 36; p++)
        matrix[p * elements + e] = k[p];
}

__kernel void one_row(__global const float *x, __global const float *y, __global const float *z,
                      __global const float *conductivity, __global float *matrix, int nx, int ny, int nz)
{
    int e = get_global_id(0), row = get_global_id(1), elements = nx * ny * nz;
    Corners c;
    float k[8], gx[8], gy[8], gz[8];
    corners(&c, x, y, z, e, nx, ny);
#pragma unroll
    for (int b = 0; b < 8; b++)
        k[b] = 0;
    float kappa = conductivity[e];
#pragma unroll 1
    for (int g = 0; g < 8; g++) {
        float w = kappa * gradients(&c, g, gx, gy, gz);
        float rx = 0, ry = 0, rz = 0;
#pragma unroll
        for (int a = 0; a < 8; a++)
            if (a == row) {
                rx = gx[a];
                ry = gy[a];
                rz = gz[a];
            }
#pragma unroll
        for (int b = 0; b < 8; b++)
            k[b] += w * (rx * gx[b] + ry * gy[b] + rz * gz[b]);
    }
#pragma unroll
    for (int b = 0; b < 8; b++)
        if (b <= row)
            matrix[(row * (row + 1) / 2 + b) * elements + e] = k[b];
}
