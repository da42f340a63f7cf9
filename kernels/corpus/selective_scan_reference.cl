#pragma OPENCL EXTENSION cl_khr_fp64 : enable
/* The closed form: what a step gave to a state, times the decay of all steps since. Steps are added from the
 * last one back, until nothing of them is left. */
kernel void scan_unrolled_in_time(global const float *u, global const float *delta, global const float *A,
                                  global const float *B, global const float *C, global const float *skip,
                                  global float *y, int length, int channels)
{
    int channel = get_global_id(0), b = get_global_id(1);
    for (int t = 0; t < length; t++) {
        size_t now = (size_t)b * length + t;
        double out = (double)skip[channel] * u[now * channels + channel], elapsed = 0;
        for (int from = t; from >= 0; from--) {
            size_t then = (size_t)b * length + from;
            double d = delta[then * channels + channel], gave = d * u[then * channels + channel];
            for (int s = 0; s < 16; s++)
                out += exp(elapsed * A[channel * 16 + s]) * gave * B[then * 16 + s] * C[now * 16 + s];
            elapsed += d;
        }
        y[now * channels + channel] = (float)out;
    }
}
