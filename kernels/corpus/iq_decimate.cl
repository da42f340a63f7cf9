#define DECIM 8
#define TURN (6.283185307f / 4294967296.0f)

__kernel void mix_and_dump(__global const float2 *iq, __global float *re, __global float *im,
                           const uint step)
{
    const uint k = get_global_id(0);
    float2 acc = (float2)(0.0f);
    uint phase = k * DECIM * step; /* wraps like the oscillator */

    for (uint j = 0; j < DECIM; ++j, phase += step) {
        const float2 s = iq[k * DECIM + j];
        const float a = (float)(int)phase * TURN;
        const float c = native_cos(a), d = native_sin(a);
        acc += (float2)(s.x * c + s.y * d, s.y * c - s.x * d);
    }
    re[k] = acc.x;
    im[k] = acc.y;
}

__kernel void mirror(__global const float2 *iq, __global float2 *mirrored, const int last)
{
    const int i = get_global_id(0);
    const float2 s = iq[i];
    mirrored[last - i] = (float2)(s.x, -s.y);
}
