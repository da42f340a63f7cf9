float2 cmul(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

float2 unit(float turns)
{
    float c, s = sincos(-2.0f * M_PI_F * turns, &c);
    return (float2)(c, s);
}

/* A pass of the Stockham FFT. Before pass p, sub-transforms of length 2^p are complete. */
__kernel void fft_radix2(__global const float2 *restrict in, __global float2 *restrict out, int pass)
{
    const int j = get_global_id(0);
    const int base = get_global_id(1) * N;
    const int len = 1 << pass;
    const int k = j & (len - 1);
    const float2 a = in[base + j];
    const float2 b = cmul(unit((float)k / (2 * len)), in[base + j + N / 2]);
    const int to = base + ((j - k) << 1) + k;

    out[to] = a + b;
    out[to + len] = a - b;
}

__kernel void fft_radix4(__global const float2 *restrict in, __global float2 *restrict out, int pass)
{
    const int j = get_global_id(0);
    const int base = get_global_id(1) * N;
    const int len = 1 << (2 * pass);
    const int k = j & (len - 1);
    const float2 w = unit((float)k / (4 * len));
    const float2 w2 = cmul(w, w);
    const float2 a = in[base + j];
    const float2 b = cmul(w, in[base + j + N / 4]);
    const float2 c = cmul(w2, in[base + j + N / 2]);
    const float2 d = cmul(cmul(w, w2), in[base + j + 3 * N / 4]);
    const float2 s0 = a + c, d0 = a - c, s1 = b + d, d1 = b - d;
    const int to = base + ((j - k) << 2) + k;

    out[to] = s0 + s1;
    out[to + len] = (float2)(d0.x + d1.y, d0.y - d1.x);
    out[to + 2 * len] = s0 - s1;
    out[to + 3 * len] = (float2)(d0.x - d1.y, d0.y + d1.x);
}

/* Each work-group of N/4 work-items computes one transform, with real and imaginary parts in
 * separate arrays. */
__kernel __attribute__((reqd_work_group_size(N / 4, 1, 1)))
void fft_local(__global const float2 *in, __global float2 *out)
{
    __local float re[N], im[N];
    const int j = get_local_id(0);
    const int base = get_group_id(0) * N;
    float2 v[4];

    for (int q = 0; q < 4; q++)
        v[q] = in[base + j + q * (N / 4)];
    for (int len = 1; len < N; len <<= 2) {
        const int k = j & (len - 1);
        const int to = ((j - k) << 2) + k;
        const float2 w = unit((float)k / (4 * len));
        const float2 b = cmul(w, v[1]);
        const float2 ww = cmul(w, w);
        const float2 c = cmul(ww, v[2]);
        const float2 d = cmul(cmul(ww, w), v[3]);
        const float2 s0 = v[0] + c, d0 = v[0] - c, s1 = b + d, d1 = b - d;
        v[0] = s0 + s1;
        v[1] = (float2)(d0.x + d1.y, d0.y - d1.x);
        v[2] = s0 - s1;
        v[3] = (float2)(d0.x - d1.y, d0.y + d1.x);
        if (len == N / 4)
            break;
        for (int q = 0; q < 4; q++) {
            re[to + q * len] = v[q].x;
            im[to + q * len] = v[q].y;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int q = 0; q < 4; q++)
            v[q] = (float2)(re[j + q * (N / 4)], im[j + q * (N / 4)]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int q = 0; q < 4; q++)
        out[base + j + q * (N / 4)] = v[q];
}
