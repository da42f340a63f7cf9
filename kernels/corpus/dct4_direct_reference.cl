#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* Computes the cosines of (n + 1/2) a for increasing n by recurrence, in double. */
kernel void dct4(global const float *in, global float *out)
{
    const double a = M_PI / 128 * (get_global_id(0) + 0.5);
    double before = cos(a / 2), now = before, sum = 0;
    for (int n = 0; n < 128; n++) {
        sum += in[128 * get_global_id(1) + n] * now;
        const double next = 2 * cos(a) * now - before;
        before = now;
        now = next;
    }
    out[128 * get_global_id(1) + get_global_id(0)] = (float)(sum / 8);
}
