/* c = a + b; each thread computes an element.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}
