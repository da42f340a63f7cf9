#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Adds the product of each nonzero element separately, without factoring anything out. */
__kernel void mttkrp(__global const int *slice, __global const int *fibre, __global const int *j, __global const int *k,
                     __global const float *value, __global const float *B, __global const float *C, __global float *A)
{
    int s = get_global_id(0) / RANK, r = get_global_id(0) % RANK;
    int f = slice[s];
    double sum = 0;
    for (int e = fibre[f]; e < fibre[slice[s + 1]]; e++) {
        while (e >= fibre[f + 1])
            f++;
        sum += (double)value[e] * B[j[f] * RANK + r] * C[k[e] * RANK + r];
    }
    A[get_global_id(0)] = (float)sum;
}
