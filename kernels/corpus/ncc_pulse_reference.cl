#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Computes the correlation by its definition: first the means, then the products. */
__kernel void ncc_plain(__global const float *record, __global const float *pulse, __global float *score)
{
    int i = get_global_id(0);
    double mr = 0, mp = 0, rr = 0, pp = 0, rp = 0;
    for (int k = 0; k < TAPS; k++) {
        mr += record[i + k] / (double)TAPS;
        mp += pulse[k] / (double)TAPS;
    }
    for (int k = 0; k < TAPS; k++) {
        rr += (record[i + k] - mr) * (record[i + k] - mr);
        pp += (pulse[k] - mp) * (pulse[k] - mp);
        rp += (record[i + k] - mr) * (pulse[k] - mp);
    }
    score[i] = (float)(rp / sqrt(rr * pp));
}
