/* Computes the sum of the definition of the DFT. Angles are reduced in integers. */
__kernel void dft(__global const float2 *in, __global float2 *out)
{
    const int k = get_global_id(0), base = get_global_id(1) * N;
    float sr = 0, si = 0;
    for (int j = 0; j < N; j++) {
        const float angle = (float)((j * k) % N) / (N / 2);
        const float c = cospi(angle), s = -sinpi(angle);
        sr += in[base + j].x * c - in[base + j].y * s;
        si += in[base + j].x * s + in[base + j].y * c;
    }
    out[base + k] = (float2)(sr, si);
}
