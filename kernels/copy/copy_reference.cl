/* The plain definition: b is a.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__kernel void copy(__global const float *a, __global float *b)
{
    const size_t i = get_global_id(0);

    b[i] = a[i];
}
