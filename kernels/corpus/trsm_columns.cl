/* L: row-major, strictly lower part used, with 1 / diagonal in rdiag. B: row-major, N x rhs. */
__kernel void trsm(__global const float *L, __global const float *rdiag, __global float *B, int rhs)
{
    int col = get_global_id(0);
    for (int i = 0; i < N; i++) {
        float acc = B[i * rhs + col];
        for (int j = 0; j < i; j++)
            acc -= L[i * N + j] * B[j * rhs + col];
        B[i * rhs + col] = acc * rdiag[i];
    }
}

#define NB 32
/* For each block of 32 rows: subtract what the rows above give, then solve in registers. */
__kernel void trsm_blocked(__global const float *L, __global const float *rdiag, __global float *B,
                           int rhs)
{
    __local float T[NB][NB];
    int col = get_global_id(0), t = get_local_id(0);
    float x[NB];

    for (int i0 = 0; i0 < N; i0 += NB) {
#pragma unroll
        for (int i = 0; i < NB; i++)
            x[i] = B[(i0 + i) * rhs + col];
        for (int j0 = 0; j0 <= i0; j0 += NB) {
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int e = t; e < NB * NB; e += 64)
                T[e % NB][e / NB] = L[(i0 + e / NB) * N + j0 + e % NB];
            barrier(CLK_LOCAL_MEM_FENCE);
            if (j0 < i0) {
                for (int j = 0; j < NB; j++) {
                    float b = B[(j0 + j) * rhs + col];
#pragma unroll
                    for (int i = 0; i < NB; i++)
                        x[i] -= T[j][i] * b;
                }
            } else {
#pragma unroll
                for (int j = 0; j < NB; j++) {
                    x[j] *= rdiag[i0 + j];
#pragma unroll
                    for (int i = 0; i < NB; i++)
                        if (i > j)
                            x[i] -= T[j][i] * x[j];
                }
            }
        }
#pragma unroll
        for (int i = 0; i < NB; i++)
            B[(i0 + i) * rhs + col] = x[i];
    }
}
