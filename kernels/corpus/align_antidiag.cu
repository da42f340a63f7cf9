/* kernels/corpus/align_antidiag.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define MATCH 3
#define MISMATCH (-2)
#define GAP 2
#define REPORT 15 /* scores below are chance */
#define PITCH (LEN + 1)

// H of a pair has a first row and column of zeros. Diagonal d holds the cells with (r - 1) + (c -
// 1) = d.
__global__ void smith_waterman_diag(const unsigned char *seqA, const unsigned char *seqB, short *H,
                                    int *best, int d)
{
    const int pair = blockIdx.y * blockDim.y + threadIdx.y;
    const int first = max(0, d - (LEN - 1));
    const int r = first + (int)(blockIdx.x * blockDim.x + threadIdx.x);
    const int c = d - r;
    if (r >= LEN || c < 0)
        return;

    short *cell = H + pair * PITCH * PITCH + (r + 1) * PITCH + (c + 1);
    const int same = seqA[pair * LEN + r] == seqB[pair * LEN + c];
    int h = cell[-PITCH - 1] + (same ? MATCH : MISMATCH);
    h = max(h, cell[-1] - GAP);
    h = max(h, cell[-PITCH] - GAP);
    h = max(h, 0);
    *cell = (short)h;
    if (h >= REPORT)
        atomicMax(&best[pair], h);
}
