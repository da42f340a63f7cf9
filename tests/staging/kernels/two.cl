__kernel void one(__global const float *restrict a, __global float *restrict b)
{
    const int x = get_global_id(0);
    b[x] = a[x] + a[x + 1] + a[x + 2];
}
__kernel void two(__global const float *restrict c, __global float *restrict d)
{
    const int x = get_global_id(0);
    d[x] = c[x] + c[x + 1] + c[x + 2];
}
