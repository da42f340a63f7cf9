#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Handles each nonzero of a slice separately, and searches its fibre from the slice's first one. */
kernel void mttkrp_each(global const int *slice_start, global const int *fibre_start, global const int *fibre_j,
                        global const int *k_of, global const float *value, global const float *B,
                        global const float *C, global float *M)
{
    int slice = get_global_id(0) / 32, r = get_global_id(0) % 32;
    int first = slice_start[slice], last = slice_start[slice + 1];
    double sum = 0;
    for (int e = fibre_start[last] - 1, f = last - 1; e >= fibre_start[first]; e--) {
        while (fibre_start[f] > e)
            f--;
        sum += (double)value[e] * B[fibre_j[f] * 32 + r] * C[k_of[e] * 32 + r];
    }
    M[slice * 32 + r] = (float)sum;
}
