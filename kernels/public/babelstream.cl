/* The five loops of BabelStream, in double precision. Each work-item handles one element. For the
 * dot product, a fixed number of work-groups goes through the arrays, and each adds up its products
 * in local memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void stream_copy(global const double *a, global double *b, global double *c)
{
    size_t i = get_global_id(0);

    c[i] = a[i];
}

kernel void stream_mul(global double *a, global double *b, global const double *c)
{
    size_t i = get_global_id(0);

    b[i] = 0.4 * c[i];
}

kernel void stream_add(global const double *a, global const double *b, global double *c)
{
    size_t i = get_global_id(0);

    c[i] = a[i] + b[i];
}

kernel void stream_triad(global double *a, global const double *b, global const double *c)
{
    size_t i = get_global_id(0);

    a[i] = b[i] + 0.4 * c[i];
}

kernel void stream_dot(global const double *a, global const double *b, global double *sums, int n)
{
    local double part[GROUP];
    int lane = get_local_id(0);
    double sum = 0.0;

    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        sum += a[i] * b[i];
    part[lane] = sum;
    for (int half_of = get_local_size(0) / 2; half_of > 0; half_of /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane < half_of)
            part[lane] += part[lane + half_of];
    }
    if (lane == 0)
        sums[get_group_id(0)] = part[0];
}
