/* Makes the matrix A = I + E of a random matrix E.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__kernel void add_identity(__global float *a, int n)
{
    const int i = get_global_id(0);

    a[i * (n + 1)] += 1.0f;
}
