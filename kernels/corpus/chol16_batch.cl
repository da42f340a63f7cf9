#define N 16

/* Cholesky factorisation in place: the lower triangle becomes L with L L^T = A + shift I. The upper
 * triangle is not accessed. */
__kernel void potrf16(__global float *mats, float shift, uint batch)
{
    uint id = get_global_id(0);
    if (id >= batch) return;
    __global float *m = mats + id * (N * N);

    for (int j = 0; j < N; ++j) {
        float d = m[j * N + j] + shift;
        for (int k = 0; k < j; ++k)
            d -= m[j * N + k] * m[j * N + k];
        d = sqrt(d);
        m[j * N + j] = d;
        float inv = 1.0f / d;
        for (int i = j + 1; i < N; ++i) {
            float s = m[i * N + j];
            for (int k = 0; k < j; ++k)
                s -= m[i * N + k] * m[j * N + k];
            m[i * N + j] = s * inv;
        }
    }
}

/* Each work-group factorises PER matrices, with 16 work-items for each, right-looking in local
 * memory. Rows are padded to 17 elements. */
#define PER 8
__kernel __attribute__((reqd_work_group_size(N, PER, 1)))
void potrf16_local(__global float *mats, float shift)
{
    __local float tile[PER][N][N + 1];
    int lane = get_local_id(0), which = get_local_id(1);
    __global float *m = mats + (get_group_id(1) * PER + which) * (N * N);
    __local float (*t)[N + 1] = tile[which];

    for (int r = 0; r < N; ++r)
        t[r][lane] = m[r * N + lane];
    t[lane][lane] += shift;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int j = 0; j < N; ++j) {
        if (lane == j) t[j][j] = sqrt(t[j][j]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane > j) t[lane][j] /= t[j][j];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane > j) {
            float f = t[lane][j];
            for (int c = j + 1; c <= lane; ++c)
                t[lane][c] -= f * t[c][j];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (int r = 0; r < N; ++r)
        if (lane <= r) m[r * N + lane] = t[r][lane];
}
