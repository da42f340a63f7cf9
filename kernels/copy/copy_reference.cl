/* Checks the copy kernels: b must equal a.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__kernel void copy(__global const float *a, __global float *b)
{
    const size_t i = get_global_id(0);

    b[i] = a[i];
}
