/* tests/trace/sources/cuda/program.cu in OpenCL C.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void
reduce(__global const float *in, __global float *out, int n, __local float *seen)
{
    __local float sums[256];
    const int lid = get_local_id(0), i = get_global_id(0);

    seen[lid] = i < n ? in[i] : 0.0f;
    sums[lid] = seen[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 128; s > 0; s /= 2) {
        if (lid < s)
            sums[lid] += sums[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        out[get_group_id(0)] = sums[0] + seen[255];
}

__kernel void scale(__global float *out, const float2 by, int n, __constant float *weights)
{
    const int i = get_global_id(0);

    if (i < n)
        out[i] = 2 * (float)i * by.x + (by.y + weights[i % 4]);
}
