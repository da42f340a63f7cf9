/* D3Q19 BGK, pull scheme, periodic box, one array per direction. */
#define Q 19
#define CELLS (NX * NY * NZ)

__constant int CX[Q] = {0, 1,-1, 0, 0, 0, 0, 1,-1, 1,-1, 1,-1, 1,-1, 0, 0, 0, 0};
__constant int CY[Q] = {0, 0, 0, 1,-1, 0, 0, 1,-1,-1, 1, 0, 0, 0, 0, 1,-1, 1,-1};
__constant int CZ[Q] = {0, 0, 0, 0, 0, 1,-1, 0, 0, 0, 0, 1,-1,-1, 1, 1,-1,-1, 1};

__kernel __attribute__((reqd_work_group_size(32, 4, 1)))
void collideStream(__global const float *restrict fIn, __global float *restrict fOut,
                   __global float *restrict rhoOut, const float omega)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const int cell = x + NX * (y + NY * z);
    float f[Q];
    float rho = 0.f, ux = 0.f, uy = 0.f, uz = 0.f;

    #pragma unroll
    for (int q = 0; q < Q; ++q) {
        int sx = x - CX[q], sy = y - CY[q], sz = z - CZ[q];
        sx = sx < 0 ? NX - 1 : (sx == NX ? 0 : sx);
        sy = sy < 0 ? NY - 1 : (sy == NY ? 0 : sy);
        sz = sz < 0 ? NZ - 1 : (sz == NZ ? 0 : sz);
        f[q] = fIn[q * CELLS + sx + NX * (sy + NY * sz)];
        rho += f[q];
        ux += CX[q] * f[q];
        uy += CY[q] * f[q];
        uz += CZ[q] * f[q];
    }
    const float inv = 1.f / rho;
    ux *= inv; uy *= inv; uz *= inv;
    const float usq = 1.5f * (ux * ux + uy * uy + uz * uz);

    #pragma unroll
    for (int q = 0; q < Q; ++q) {
        const float w = q == 0 ? 1.f / 3.f : (q < 7 ? 1.f / 18.f : 1.f / 36.f);
        const float cu = 3.f * (CX[q] * ux + CY[q] * uy + CZ[q] * uz);
        const float feq = w * rho * (1.f + cu + 0.5f * cu * cu - usq);
        fOut[q * CELLS + cell] = f[q] + omega * (feq - f[q]);
    }
    rhoOut[cell] = rho;
}
