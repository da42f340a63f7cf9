/* kernels/corpus/pairwise_l1_tile.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A: rows x feat, B: cols x feat, D: rows x cols */
#define T 4
__global__ void dist_l1(const float *A, const float *B, float *D, int rows, int cols, int feat)
{
    int c0 = (blockIdx.x * blockDim.x + threadIdx.x) * T;
    int r0 = (blockIdx.y * blockDim.y + threadIdx.y) * T;
    float acc[T][T];
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++)
            acc[i][j] = 0.0f;
    for (int f = 0; f < feat; f++) {
        float a[T], b[T];
        for (int i = 0; i < T; i++)
            a[i] = A[(r0 + i) * feat + f];
        for (int j = 0; j < T; j++)
            b[j] = B[(c0 + j) * feat + f];
        for (int i = 0; i < T; i++)
            for (int j = 0; j < T; j++)
                acc[i][j] += fabsf(a[i] - b[j]);
    }
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++)
            D[(r0 + i) * cols + c0 + j] = acc[i][j];
}

/* Each block of 64 threads computes 64x64 elements of D. Panels of 16 features are transposed in
 * shared memory. */
#define PANEL 16
#define PAD 65
