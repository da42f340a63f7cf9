/* kernels/corpus/fdtd_tmz.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void update_h(float *hx, float *hy, const float *ez, int nx, int ny, float ch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int p = j * nx + i;
    float e = ez[p];

    if (j < ny - 1)
        hx[p] -= ch * (ez[p + nx] - e);
    if (i < nx - 1)
        hy[p] += ch * (ez[p + 1] - e);
}

/* Updates ez inside of the grid. The rim is metal, so that ez does not change there. */
__global__ void update_e(float *ez, const float *hx, const float *hy, const unsigned char *medium,
                         const float *ca, const float *cb, int nx, int ny)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int p = j * nx + i;

    if (i == 0 || j == 0 || i == nx - 1 || j == ny - 1)
        return;
    unsigned char m = medium[p];
    ez[p] = ca[m] * ez[p] + cb[m] * ((hy[p] - hy[p - 1]) - (hx[p] - hx[p - nx]));
}

__global__ void feed(float *ez, int where, int step)
{
    ez[where] += sinf(0.3f * step);
}
