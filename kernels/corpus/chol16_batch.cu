/* kernels/corpus/chol16_batch.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define N 16

/* in place: lower triangle becomes L with L L^T = A + shift I; the upper triangle is never touched
 */
__global__ void potrf16(float *mats, float shift, unsigned int batch)
{
    unsigned int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= batch)
        return;
    float *m = mats + id * (N * N);

    for (int j = 0; j < N; ++j) {
        float d = m[j * N + j] + shift;
        for (int k = 0; k < j; ++k)
            d -= m[j * N + k] * m[j * N + k];
        d = sqrtf(d);
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

/* Each block factorises PER matrices, with 16 threads for each, right-looking in shared memory.
 * Rows are padded to 17 elements. */
#define PER 8
