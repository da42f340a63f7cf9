#define AT(M, r, c) M[(r) * D + (c)]

__kernel void propagate(__global const float *F, __global const float *P,
                        __constant float *Q, __global float *S, const int count)
{
    const int id = get_global_id(0);
    float f[D * D], g[D * D];
    int r, c, k;

    if (id >= count)
        return;
    F += id * D * D;
    P += id * D * D;
    S += id * D * D;
    for (k = 0; k < D * D; k++)
        f[k] = F[k];

    /* g = F P */
    for (r = 0; r < D; r++)
        for (c = 0; c < D; c++) {
            float sum = 0;
            for (k = 0; k < D; k++)
                sum += AT(f, r, k) * AT(P, k, c);
            AT(g, r, c) = sum;
        }
    /* S = g F^T + Q */
    for (r = 0; r < D; r++)
        for (c = 0; c < D; c++) {
            float sum = AT(Q, r, c);
            for (k = 0; k < D; k++)
                sum += AT(g, r, k) * AT(f, c, k);
            AT(S, r, c) = sum;
        }
}

__kernel void propagate_spread(__global const float *F, __global const float *P,
                               __constant float *Q, __global float *S, const int count)
{
    __local float f[4][D * D], p[4][D * D], g[4][D * D];
    const int e = get_local_id(0) % (D * D), m = get_local_id(0) / (D * D);
    const int id = 4 * get_group_id(0) + m;
    const int r = e / D, c = e % D;
    float sum = 0;

    if (id < count) {
        f[m][e] = F[id * D * D + e];
        p[m][e] = P[id * D * D + e];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < count) {
        for (int k = 0; k < D; k++)
            sum += AT(f[m], r, k) * AT(p[m], k, c);
        g[m][e] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < count) {
        sum = Q[e];
        for (int k = 0; k < D; k++)
            sum += AT(g[m], r, k) * AT(f[m], c, k);
        S[id * D * D + e] = sum;
    }
}
