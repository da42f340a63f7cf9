/* Several levels of the orthonormal Haar transform of a signal of n floats. A work-group takes a
 * stretch of twice its size all the way down to one approximation; the approximations between levels
 * stand in global memory, in 1.5 floats of scratch a work-item.
 *
 * The details of a level whose input is `length` long stand at out[length / 2 .. length - 1]; the
 * approximations, one a work-group, go to approx, for the next launch to go on with.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
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
