/* The plain definition of the inverse X of A = I + E, in double, for `rows` rows. The norm of E is about
 * 1/2. Row y of X solves y = e - y E, where e is the row of the identity, and each iteration of this
 * halves the error at least. A work-group computes a row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bound of the error, with u = 2^-24 and the standard deviation s = 1 / (4 sqrt n) of elements of E. Each
 * of the n exchanges rounds each element by about u of its magnitude, which is up to 2 on the diagonal and
 * 2 s elsewhere. The following exchanges multiply these errors from both sides by matrices similar to A.
 * Their norm is at most 2, and their elements are 1 on the diagonal and s elsewhere. If the errors are
 * independent (Higham and Mary 2019, "A new approach to probabilistic rounding error analysis"), they add
 * up on the diagonal to a standard deviation of about 2 u sqrt n. Elsewhere each error has the magnitude s
 * or is multiplied by s, and the standard deviation is about 10 u s sqrt n = 2.5 u. The bounds are
 * 16 u sqrt n and 16 u. The largest errors observed are a fifth of that. A missing exchange changes
 * elements by about s^2: 256 u for n = 4096.
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define ULP (1.0f / (1 << 24))
#define ITERATIONS 48

__kernel void inverse_reference(__global const float *a, __global float *x, __global float *errors,
                                __global double *solutions, int n, int rows)
{
    const int id = get_group_id(0), local_id = get_local_id(0), group = get_local_size(0);
    const int range = n / rows;
    const int row = id * range + (int)(id * 2654435761u % (uint)range);
    __global double *now = solutions + id * 2 * n, *next = now + n;

    for (int column = local_id; column < n; column += group)
        now[column] = column == row;
    for (int k = 0; k < ITERATIONS; k++) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        for (int column = local_id; column < n; column += group) {
            double sum = column == row;

            for (int i = 0; i < n; i++)
                sum -= now[i] * (a[i * n + column] - (i == column));
            next[column] = sum;
        }
        __global double *const swap = now;
        now = next;
        next = swap;
    }
    for (int column = local_id; column < n; column += group) {
        x[row * n + column] = now[column];
        errors[row * n + column] = 16 * ULP * (column == row ? sqrt((float)n) : 1.0f);
    }
}
