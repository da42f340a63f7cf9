/* Radix-4 Stockham FFT, out of place, one kernel call per stage, LEN = 4^m points, many transforms in a batch.
 * Stage with p = 1, 4, 16, ...; sign -1 */

#define T (LEN / 4)

inline float2 cmul(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
inline float2 mul_mi(float2 a) { return (float2)(a.y, -a.x); }                  /* times -i */

__kernel void stage_c(__global const float2 *src, __global float2 *dst, int p)
{
    const int gid = get_global_id(0);
    const int i = gid % T, base = gid / T * LEN;
    const int k = i & (p - 1);
    const int j = ((i - k) << 2) + k;

    float2 a = src[base + i];
    float2 b = src[base + i + T];
    float2 c = src[base + i + 2 * T];
    float2 d = src[base + i + 3 * T];

    const float ang = -M_PI_F * (float)k / (float)(2 * p);
    const float2 w1 = (float2)(native_cos(ang), native_sin(ang));
    const float2 w2 = cmul(w1, w1);
    b = cmul(b, w1);
    c = cmul(c, w2);
    d = cmul(d, cmul(w1, w2));

    const float2 s0 = a + c, s1 = a - c, s2 = b + d, s3 = mul_mi(b - d);
    dst[base + j]         = s0 + s2;
    dst[base + j + p]     = s1 + s3;
    dst[base + j + 2 * p] = s0 - s2;
    dst[base + j + 3 * p] = s1 - s3;
}

__kernel void power_c(__global const float2 *spec, __global float *power)
{
    const int g = get_global_id(0);
    power[g] = dot(spec[g], spec[g]);
}

/* The same stage with real and imaginary parts in separate arrays. */
__kernel void stage_s(__global const float *src_re, __global const float *src_im,
                      __global float *dst_re, __global float *dst_im, int p)
{
    const int gid = get_global_id(0);
    const int i = gid % T, base = gid / T * LEN;
    const int k = i & (p - 1);
    const int j = ((i - k) << 2) + k;

    float w1i, w1r;
    w1i = sincos(-M_PI_F * (float)k / (float)(2 * p), &w1r);
    const float w2r = w1r * w1r - w1i * w1i, w2i = 2.0f * w1r * w1i;
    const float w3r = w1r * w2r - w1i * w2i, w3i = w1r * w2i + w1i * w2r;

    const float ar = src_re[base + i],         ai = src_im[base + i];
    const float xr = src_re[base + i + T],     xi = src_im[base + i + T];
    const float yr = src_re[base + i + 2 * T], yi = src_im[base + i + 2 * T];
    const float zr = src_re[base + i + 3 * T], zi = src_im[base + i + 3 * T];
    const float br = xr * w1r - xi * w1i, bi = xr * w1i + xi * w1r;
    const float cr = yr * w2r - yi * w2i, ci = yr * w2i + yi * w2r;
    const float dr = zr * w3r - zi * w3i, di = zr * w3i + zi * w3r;

    dst_re[base + j]         = (ar + cr) + (br + dr);
    dst_im[base + j]         = (ai + ci) + (bi + di);
    dst_re[base + j + p]     = (ar - cr) + (bi - di);
    dst_im[base + j + p]     = (ai - ci) - (br - dr);
    dst_re[base + j + 2 * p] = (ar + cr) - (br + dr);
    dst_im[base + j + 2 * p] = (ai + ci) - (bi + di);
    dst_re[base + j + 3 * p] = (ar - cr) - (bi - di);
    dst_im[base + j + 3 * p] = (ai - ci) + (br - dr);
}

__kernel void power_s(__global const float *re, __global const float *im, __global float *power)
{
    const int g = get_global_id(0);
    power[g] = re[g] * re[g] + im[g] * im[g];
}
