/* Checks the DCT kernels: computes y = c x c^T for each 8 x 8 block x in double, with the
 * orthonormal DCT-II (Ahmed, Natarajan, Rao 1974). Each work-item computes a block.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

enum { BLOCK = 8 };

/* half of cos(k pi / 16) */
__constant double half_cosines[BLOCK + 1] = {
    0.5, 0.4903926402016152, 0.46193976625564337,
    0.4157348061512726, 0.3535533905932738, 0.27778511650980114,
    0.19134171618254492, 0.09754516100806417, 0.0};

/* Returns the coefficient of pixel i in frequency u. */
static double coefficient(int u, int i)
{
    const int turned = u * (2 * i + 1) % 32, k = turned > 16 ? 32 - turned : turned;

    if (u == 0)
        return 0.35355339059327378; /* sqrt(1 / 8) */
    return k <= BLOCK ? half_cosines[k] : -half_cosines[16 - k];
}

__kernel void transform_block(__global const float *image, __global float *out, int width)
{
    const int first = (int)get_global_id(1) * BLOCK * width + (int)get_global_id(0) * BLOCK;
    double c[BLOCK][BLOCK], cx[BLOCK][BLOCK];

    for (int u = 0; u < BLOCK; u++)
        for (int i = 0; i < BLOCK; i++)
            c[u][i] = coefficient(u, i);
    for (int u = 0; u < BLOCK; u++)
        for (int k = 0; k < BLOCK; k++) {
            cx[u][k] = 0;
            for (int i = 0; i < BLOCK; i++)
                cx[u][k] += c[u][i] * image[first + i * width + k];
        }
    for (int u = 0; u < BLOCK; u++)
        for (int v = 0; v < BLOCK; v++) {
            double y = 0;

            for (int k = 0; k < BLOCK; k++)
                y += cx[u][k] * c[v][k];
            out[first + u * width + v] = (float)y;
        }
}
