__kernel void wht2(__global float *signal, uint level)
{
    uint p = get_global_id(0);
    uint low = p & ((1u << level) - 1u);
    uint i = ((p >> level) << (level + 1)) | low;
    uint j = i | (1u << level);
    float u = signal[i];
    float w = signal[j];
    signal[i] = u + w;
    signal[j] = u - w;
}

#define BUTTERFLY(a, b) { float t_ = a; a = t_ + b; b = t_ - b; }

__kernel void wht8(__global float *signal, uint triple)
{
    uint p = get_global_id(0);
    uint sh = 3 * triple;
    uint i = ((p >> sh) << (sh + 3)) | (p & ((1u << sh) - 1u));
    __global float *s = signal + i;
    float r0 = s[0 << sh], r1 = s[1 << sh], r2 = s[2 << sh], r3 = s[3 << sh];
    float r4 = s[4 << sh], r5 = s[5 << sh], r6 = s[6 << sh], r7 = s[7 << sh];

    BUTTERFLY(r0, r1) BUTTERFLY(r2, r3) BUTTERFLY(r4, r5) BUTTERFLY(r6, r7)
    BUTTERFLY(r0, r2) BUTTERFLY(r1, r3) BUTTERFLY(r4, r6) BUTTERFLY(r5, r7)
    BUTTERFLY(r0, r4) BUTTERFLY(r1, r5) BUTTERFLY(r2, r6) BUTTERFLY(r3, r7)
    s[0 << sh] = r0; s[1 << sh] = r1; s[2 << sh] = r2; s[3 << sh] = r3;
    s[4 << sh] = r4; s[5 << sh] = r5; s[6 << sh] = r6; s[7 << sh] = r7;
}
