__kernel void mix_and_dump(__global const float2 *iq, __global float *re, __global float *im,
                           const uint step)
{
    const ulong k = get_global_id(0);
    double sum_re = 0, sum_im = 0;
    for (ulong t = k * 8; t < k * 8 + 8; t++) {
        /* the sample times e^(-i a) */
        double a = 2.0 * M_PI * ((t * step) % 4294967296ul) / 4294967296.0;
        sum_re += iq[t].x * cos(a) + iq[t].y * sin(a);
        sum_im += iq[t].y * cos(a) - iq[t].x * sin(a);
    }
    re[k] = (float)sum_re;
    im[k] = (float)sum_im;
}

__kernel void mirror(__global const float2 *iq, __global float2 *mirrored, const int last)
{
    const int to = get_global_id(0);
    mirrored[to].x = iq[last - to].x;
    mirrored[to].y = -iq[last - to].y;
}
