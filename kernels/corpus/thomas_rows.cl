/* Tridiagonal systems, one per row of the matrices:
 *   lower[k] x[k-1] + diag[k] x[k] + upper[k] x[k+1] = rhs[k]
 * lower[0] and upper[m-1] are ignored. */

__kernel void thomas(__global const float *restrict lower, __global const float *restrict diag,
                     __global const float *restrict upper, __global const float *restrict rhs,
                     __global float *restrict cprime, __global float *restrict x,
                     int rows, int m)
{
    int row = get_global_id(0);
    if (row >= rows)
        return;

    long first = (long)row * m;
    lower += first;
    diag += first;
    upper += first;
    rhs += first;
    cprime += first;
    x += first;

    float c = upper[0] / diag[0];
    float d = rhs[0] / diag[0];
    cprime[0] = c;
    x[0] = d;
    for (int k = 1; k < m; ++k) {
        float low = lower[k];
        float scale = 1.0f / (diag[k] - low * c);
        c = upper[k] * scale;
        d = (rhs[k] - low * d) * scale;
        cprime[k] = c;
        x[k] = d;
    }
    for (int k = m - 2; k >= 0; --k) {
        d = x[k] - cprime[k] * d;
        x[k] = d;
    }
}

/* Solves each system with one work-group of m work-items, by parallel cyclic reduction. */
__kernel void pcr(__global const float *restrict lower, __global const float *restrict diag,
                  __global const float *restrict upper, __global const float *restrict rhs,
                  __global float *restrict x, int m, __local float4 *eq)
{
    int k = get_local_id(0);
    size_t at = (size_t)get_group_id(0) * m + k;

    /* x: lower, y: diagonal, z: upper, w: right hand side */
    float4 mine = (float4)(k > 0 ? lower[at] : 0.0f, diag[at], k < m - 1 ? upper[at] : 0.0f,
                           rhs[at]);
    eq[k] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int s = 1; s < m; s <<= 1) {
        float4 next = mine;
        if (k - s >= 0) {
            float4 up = eq[k - s];
            float f = mine.x / up.y;
            next.x = -f * up.x;
            next.y -= f * up.z;
            next.w -= f * up.w;
        } else {
            next.x = 0.0f;
        }
        if (k + s < m) {
            float4 down = eq[k + s];
            float f = mine.z / down.y;
            next.z = -f * down.z;
            next.y -= f * down.x;
            next.w -= f * down.w;
        } else {
            next.z = 0.0f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        mine = next;
        eq[k] = mine;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    x[at] = mine.w / mine.y;
}
