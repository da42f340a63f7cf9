/* A: rows x feat, B: cols x feat, D: rows x cols */
#define T 4
__kernel void dist_l1(__global const float *A, __global const float *B, __global float *D,
                      int rows, int cols, int feat)
{
    int c0 = get_global_id(0) * T;
    int r0 = get_global_id(1) * T;
    float acc[T][T];
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++)
            acc[i][j] = 0.0f;
    for (int f = 0; f < feat; f++) {
        float a[T], b[T];
        for (int i = 0; i < T; i++) a[i] = A[(r0 + i) * feat + f];
        for (int j = 0; j < T; j++) b[j] = B[(c0 + j) * feat + f];
        for (int i = 0; i < T; i++)
            for (int j = 0; j < T; j++)
                acc[i][j] += fabs(a[i] - b[j]);
    }
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++)
            D[(r0 + i) * cols + c0 + j] = acc[i][j];
}

/* Each work-group of 64 work-items computes 64x64 elements of D. Panels of 16 features are
 * transposed in local memory. */
#define PANEL 16
#define PAD 65
__kernel __attribute__((reqd_work_group_size(8, 8, 1)))
void dist_l1_tile8(__global const float *A, __global const float *B, __global float *D,
                   int rows, int cols, int feat)
{
    __local float sa[PANEL * PAD], sb[PANEL * PAD];
    const int lx = get_local_id(0), ly = get_local_id(1);
    const int lid = ly * 8 + lx;
    const int rowBase = get_group_id(1) * 64, colBase = get_group_id(0) * 64;
    float acc[8][8] = {{0.0f}};

    for (int f0 = 0; f0 < feat; f0 += PANEL) {
        for (int k = lid; k < 64 * PANEL; k += 64) {
            int v = k / PANEL, f = k % PANEL;
            sa[f * PAD + v] = A[(rowBase + v) * feat + f0 + f];
            sb[f * PAD + v] = B[(colBase + v) * feat + f0 + f];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int f = 0; f < PANEL; f++) {
            float a[8], b[8];
            #pragma unroll
            for (int i = 0; i < 8; i++) {
                a[i] = sa[f * PAD + ly + 8 * i];
                b[i] = sb[f * PAD + lx + 8 * i];
            }
            #pragma unroll
            for (int i = 0; i < 8; i++)
                #pragma unroll
                for (int j = 0; j < 8; j++)
                    acc[i][j] += fabs(a[i] - b[j]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    #pragma unroll
    for (int i = 0; i < 8; i++)
        #pragma unroll
        for (int j = 0; j < 8; j++)
            D[(rowBase + ly + 8 * i) * cols + colBase + lx + 8 * j] = acc[i][j];
}
