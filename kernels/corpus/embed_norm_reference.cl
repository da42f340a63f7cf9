#pragma OPENCL EXTENSION cl_khr_fp64 : enable
// Each work-item computes the statistics of its element's whole row: mean of squares minus square
// of mean, in double.
__kernel void every_element(__global const int* ids, __global const float* table,
                            __global const float* positions, __global const float* gain,
                            __global const float* bias, __global float* out)
{
    const int d = get_global_id(0), t = get_global_id(1);
    double s = 0, q = 0, mine = 0;
    for (int k = 0; k < 384; k++) {
        const double x = (double)table[ids[t] * 384 + k] + positions[t % 512 * 384 + k];
        s += x;
        q += x * x;
        if (k == d)
            mine = x;
    }
    s /= 384;
    out[t * 384 + d] = (float)((mine - s) / sqrt(q / 384 - s * s + 1e-5) * gain[d] + bias[d]);
}
