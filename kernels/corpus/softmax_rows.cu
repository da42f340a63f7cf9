/* kernels/corpus/softmax_rows.cl in CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__global__ void softmax_row_per_item(const float *scores, float *prob, const int rows,
                                     const int cols, const float temperature)
{
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    const float *s = scores + r * cols;
    float *p = prob + r * cols;

    float biggest = __int_as_float(0xff800000); /* less than any */
    for (int c = 0; c < cols; c++)
        biggest = fmaxf(biggest, s[c]);

    float total = 0.0f;
    for (int c = 0; c < cols; c++) {
        float e = expf((s[c] - biggest) / temperature);
        total += e;
        p[c] = e;
    }

    for (int c = 0; c < cols; c++)
        p[c] /= total;
}
