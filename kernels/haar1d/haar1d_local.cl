/* Computes several levels of the orthonormal Haar transform of a signal of n floats. A work-group
 * reduces a piece of twice its size level by level to one approximation. The approximations between
 * levels are in local memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The details of a level whose input has `length` floats are stored at out[length / 2 .. length -
 * 1]. The approximations, one for each work-group, are stored in approx, as the input of the next
 * launch.
 */
__kernel void haar1d(__global const float2 *restrict in, __global float *out,
                     __global float *approx, int n)
{
    __local float tiles[2][GROUP];
    const int lid = get_local_id(0);
    const int group = get_group_id(0);
    const float2 pair = in[get_global_id(0)];
    float sum = (pair.x + pair.y) * M_SQRT1_2_F;
    int from = 0;

    out[n / 2 + get_global_id(0)] = (pair.x - pair.y) * M_SQRT1_2_F;
    tiles[0][lid] = sum;
    for (int count = get_local_size(0) / 2, length = n / 2; count > 0; count /= 2, length /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < count) {
            const float2 next = vload2(lid, tiles[from]);
            out[length / 2 + group * count + lid] = (next.x - next.y) * M_SQRT1_2_F;
            sum = (next.x + next.y) * M_SQRT1_2_F;
            tiles[1 - from][lid] = sum;
        }
        from = 1 - from;
    }
    if (lid == 0)
        approx[group] = sum;
}
