/* c = a + b; each work-item computes an element.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
kernel void vector_add(global const float *a, global const float *b, global float *c, int n)
{
    int i = get_global_id(0);

    if (i < n)
        c[i] = a[i] + b[i];
}
