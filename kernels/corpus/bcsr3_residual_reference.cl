#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void scalar_row(__global const int *rowptr, __global const int *colidx, __global const float *val,
                         __global const float *x, __global const float *b, __global float *r, int nodes)
{
    int at = get_global_id(0), node = at / 3, row = at % 3;
    double s = 0;
    for (int k = rowptr[node]; k < rowptr[node + 1]; k++)
        for (int c = 0; c < 3; c++)
            s += (double)val[9 * k + 3 * row + c] * x[3 * colidx[k] + c];
    r[at] = b[at] - s;
}
