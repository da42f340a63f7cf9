/* Computes several levels of the orthonormal Haar transform of a signal of n floats. A work-group
 * reduces a piece of twice its size level by level to one approximation. The approximations between
 * levels are in global memory, in 1.5 floats of scratch for each work-item.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The details of a level whose input has `length` floats are stored at out[length / 2 .. length -
 * 1]. The approximations, one for each work-group, are stored in approx, as the input of the next
 * launch.
 */
__kernel void haar1d(__global const float2 *restrict in, __global float *out,
                     __global float *approx, int n, __global float *scratch)
{
    const int lid = get_local_id(0);
    const int size = get_local_size(0);
    const int group = get_group_id(0);
    const float2 pair = in[get_global_id(0)];
    __global float *from = scratch + group * (size + size / 2);
    __global float *to = from + size;
    float sum = (pair.x + pair.y) * M_SQRT1_2_F;

    out[n / 2 + get_global_id(0)] = (pair.x - pair.y) * M_SQRT1_2_F;
    from[lid] = sum;
    for (int count = size / 2, length = n / 2; count > 0; count /= 2, length /= 2) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (lid < count) {
            const float2 next = vload2(lid, from);
            out[length / 2 + group * count + lid] = (next.x - next.y) * M_SQRT1_2_F;
            sum = (next.x + next.y) * M_SQRT1_2_F;
            to[lid] = sum;
        }
        __global float *swap = from;
        from = to;
        to = swap;
    }
    if (lid == 0)
        approx[group] = sum;
}
