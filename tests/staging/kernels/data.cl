__kernel void k(__global const float *restrict in, __global const int *restrict at,
                __global float *restrict out)
{
    const int x = get_global_id(0);

    out[x] = in[at[x]] + in[at[x] + 1];
}
