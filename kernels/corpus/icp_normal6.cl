// Point-to-plane alignment of a sliding window of point pairs: one 6x6 system per work-item.
#define LAMBDA 2.0f

static inline int tri(int r, int c) { return r * (r + 1) / 2 + c; }   // lower triangle, c <= r

__kernel void solve_window(__global const float4 *src, __global const float4 *dst,
                           __global const float4 *nrm, __global float *twist, int systems)
{
    int s = get_global_id(0);
    if (s >= systems) return;

    float A[21];
    float b[6];
    for (int k = 0; k < 21; k++) A[k] = 0.0f;
    for (int k = 0; k < 6; k++) b[k] = 0.0f;

    for (int p = 0; p < PAIRS; p++) {
        float4 x = src[s + p];
        float4 n = nrm[s + p];
        float4 d = dst[s + p] - x;
        float J[6];
        J[0] = x.y * n.z - x.z * n.y;
        J[1] = x.z * n.x - x.x * n.z;
        J[2] = x.x * n.y - x.y * n.x;
        J[3] = n.x;
        J[4] = n.y;
        J[5] = n.z;
        float res = d.x * n.x + d.y * n.y + d.z * n.z;
        for (int r = 0; r < 6; r++) {
            for (int c = 0; c <= r; c++)
                A[tri(r, c)] += J[r] * J[c];
            b[r] += J[r] * res;
        }
    }
    for (int r = 0; r < 6; r++) A[tri(r, r)] += LAMBDA;

    // Cholesky in place, then the two triangular solves
    for (int c = 0; c < 6; c++) {
        float d = A[tri(c, c)];
        for (int k = 0; k < c; k++) d -= A[tri(c, k)] * A[tri(c, k)];
        d = sqrt(d);
        A[tri(c, c)] = d;
        for (int r = c + 1; r < 6; r++) {
            float v = A[tri(r, c)];
            for (int k = 0; k < c; k++) v -= A[tri(r, k)] * A[tri(c, k)];
            A[tri(r, c)] = v / d;
        }
    }
    for (int r = 0; r < 6; r++) {
        float v = b[r];
        for (int k = 0; k < r; k++) v -= A[tri(r, k)] * b[k];
        b[r] = v / A[tri(r, r)];
    }
    for (int r = 5; r >= 0; r--) {
        float v = b[r];
        for (int k = r + 1; k < 6; k++) v -= A[tri(k, r)] * b[k];
        b[r] = v / A[tri(r, r)];
    }
    for (int r = 0; r < 6; r++) twist[s * 6 + r] = b[r];
}

// the same with everything that is of constant length unrolled, reciprocals kept, planar output order
__kernel void solve_window_unrolled(__global const float4 * restrict src, __global const float4 * restrict dst,
                                    __global const float4 * restrict nrm, __global float * restrict twist,
                                    int systems)
{
    int s = get_global_id(0);
    if (s >= systems) return;
    float A[6][6], b[6], inv[6];
#pragma unroll
    for (int r = 0; r < 6; r++) {
#pragma unroll
        for (int c = 0; c < 6; c++) A[r][c] = r == c ? LAMBDA : 0.0f;
        b[r] = 0.0f;
    }
#pragma unroll 4
    for (int p = 0; p < PAIRS; p++) {
        const float3 x = src[s + p].xyz, n = nrm[s + p].xyz;
        const float3 m = cross(x, n);
        const float res = dot(dst[s + p].xyz - x, n);
        float J[6] = { m.x, m.y, m.z, n.x, n.y, n.z };
#pragma unroll
        for (int r = 0; r < 6; r++) {
#pragma unroll
            for (int c = 0; c <= r; c++) A[r][c] = mad(J[r], J[c], A[r][c]);
            b[r] = mad(J[r], res, b[r]);
        }
    }
#pragma unroll
    for (int c = 0; c < 6; c++) {
        inv[c] = rsqrt(A[c][c]);
#pragma unroll
        for (int r = c; r < 6; r++) A[r][c] *= inv[c];
#pragma unroll
        for (int r = c + 1; r < 6; r++)
#pragma unroll
            for (int k = c + 1; k <= r; k++) A[r][k] -= A[r][c] * A[k][c];
    }
#pragma unroll
    for (int r = 0; r < 6; r++) {
#pragma unroll
        for (int k = 0; k < r; k++) b[r] -= A[r][k] * b[k];
        b[r] *= inv[r];
    }
#pragma unroll
    for (int r = 5; r >= 0; r--) {
#pragma unroll
        for (int k = r + 1; k < 6; k++) b[r] -= A[k][r] * b[k];
        b[r] *= inv[r];
    }
#pragma unroll
    for (int r = 0; r < 6; r++) twist[s * 6 + r] = b[r];
}
