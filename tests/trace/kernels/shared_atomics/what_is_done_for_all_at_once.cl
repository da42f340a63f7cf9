/* SPDX-License-Identifier: GPL-3.0-or-later */
__kernel void steps(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0);
    __local int bins[32];
    bins[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[a[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = bins[0];
}

__kernel void a_place_of_all(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0);
    __local int bins[32];
    bins[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[3], i);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = bins[0];
}

__kernel void an_exchange(__global const int *a, __global const int *b, __global int *out)
{
    const int i = get_global_id(0), lid = get_local_id(0);
    __local int bins[32];
    bins[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i + 64] = atomic_xchg(&bins[3], i);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = bins[0];
}
