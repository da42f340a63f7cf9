/* Staggering: bx(i,j,k) lies on the face at x_i, ex(i,j,k) on the edge that starts in (i,j,k) and runs in x.
 * The outermost layers are walls: no EMF on them. */
#define AT(i, j, k) (((k) * ny + (j)) * nx + (i))

__kernel void edge_emf(__global const float* restrict bx, __global const float* restrict by,
                       __global const float* restrict bz, __global const float* restrict eta,
                       __global float* restrict ex, __global float* restrict ey, __global float* restrict ez,
                       const int nx, const int ny, const int nz,
                       const float rdx, const float rdy, const float rdz)
{
    const int i = get_global_id(0);
    const int j = get_global_id(1);
    const int k = get_global_id(2);
    if (i < 1 || j < 1 || k < 1 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;

    const int c = AT(i, j, k);
    const float r = eta[c];

    ex[c] = r * ((bz[c] - bz[AT(i, j - 1, k)]) * rdy - (by[c] - by[AT(i, j, k - 1)]) * rdz);
    ey[c] = r * ((bx[c] - bx[AT(i, j, k - 1)]) * rdz - (bz[c] - bz[AT(i - 1, j, k)]) * rdx);
    ez[c] = r * ((by[c] - by[AT(i - 1, j, k)]) * rdx - (bx[c] - bx[AT(i, j - 1, k)]) * rdy);
}

__kernel void update_faces(__global float* restrict bx, __global float* restrict by, __global float* restrict bz,
                           __global const float* restrict ex, __global const float* restrict ey,
                           __global const float* restrict ez,
                           const int nx, const int ny, const int nz,
                           const float dtdx, const float dtdy, const float dtdz)
{
    const int i = get_global_id(0);
    const int j = get_global_id(1);
    const int k = get_global_id(2);
    if (i >= nx - 1 || j >= ny - 1 || k >= nz - 1) return;

    const int c = AT(i, j, k);
    const float x0 = ex[c], y0 = ey[c], z0 = ez[c];

    bx[c] -= (ez[AT(i, j + 1, k)] - z0) * dtdy - (ey[AT(i, j, k + 1)] - y0) * dtdz;
    by[c] -= (ex[AT(i, j, k + 1)] - x0) * dtdz - (ez[AT(i + 1, j, k)] - z0) * dtdx;
    bz[c] -= (ey[AT(i + 1, j, k)] - y0) * dtdx - (ex[AT(i, j + 1, k)] - x0) * dtdy;
}
