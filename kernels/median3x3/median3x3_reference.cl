/* Checks the median kernels: finds the median by rank. At most four of the nine values are smaller
 * than it, and at most four are larger.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__kernel void median3x3(__global const uchar4 *in, __global uchar4 *out, int width, int height)
{
    const int x = get_global_id(0), y = get_global_id(1);
    uchar4 values[9], median = 0;

    for (int i = 0; i < 9; i++) {
        const int row = clamp(y + i / 3 - 1, 0, height - 1);
        const int column = clamp(x + i % 3 - 1, 0, width - 1);

        values[i] = in[row * width + column];
    }
    for (int i = 0; i < 9; i++) {
        /* negative counts: each smaller (larger) value adds -1, because comparisons of vectors give
         * -1 */
        char4 smaller = 0, larger = 0;

        for (int k = 0; k < 9; k++) {
            smaller += values[k] < values[i];
            larger += values[k] > values[i];
        }
        median = select(median, values[i], smaller >= (char4)-4 && larger >= (char4)-4);
    }
    out[y * width + x] = median;
}
