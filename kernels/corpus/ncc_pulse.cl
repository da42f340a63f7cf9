/* Returns the correlation coefficient, computed in one pass from sums of samples, of squares and of
 * products, and from sums of the pulse. */
float coefficient(float s, float ss, float sp, float p, float pp)
{
    float covariance = sp - s * p * (1.0f / TAPS);
    float spread = (ss - s * s * (1.0f / TAPS)) * (pp - p * p * (1.0f / TAPS));
    return spread > 1e-12f ? covariance * rsqrt(spread) : 0.0f;
}

__kernel void ncc_plain(__global const float *record, __global const float *pulse, __global float *score)
{
    int i = get_global_id(0);
    float s = 0, ss = 0, sp = 0, p = 0, pp = 0;
    for (int k = 0; k < TAPS; k++) {
        float v = record[i + k], q = pulse[k];
        s += v;
        ss += v * v;
        sp += v * q;
        p += q;
        pp += q * q;
    }
    score[i] = coefficient(s, ss, sp, p, pp);
}

#define GROUP 128
__kernel void ncc_tile(__global const float *record, __global const float *pulse, __global float *score)
{
    __local float tile[GROUP + TAPS], shape[TAPS];
    int i = get_global_id(0), lid = get_local_id(0);
    tile[lid] = record[i];
    if (lid < TAPS) {
        tile[GROUP + lid] = record[i + GROUP];
        shape[lid] = pulse[lid];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0, ss = 0, sp = 0, p = 0, pp = 0;
    for (int k = 0; k < TAPS; k++) {
        float v = tile[lid + k], q = shape[k];
        s += v;
        ss += v * v;
        sp += v * q;
        p += q;
        pp += q * q;
    }
    score[i] = coefficient(s, ss, sp, p, pp);
}

/* Computes the score at positions 4 g to 4 g + 3. Seven samples at a time are in registers; each
 * step reads four more. */
__kernel void ncc_four(__global const float *record, __global const float *pulse, __global float *score)
{
    int g = get_global_id(0);
    float4 s = 0, ss = 0, sp = 0;
    float p = 0, pp = 0;
    float4 now = vload4(g, record);
    for (int k = 0; k < TAPS; k += 4) {
        float4 later = vload4(g + 1 + k / 4, record), q = vload4(k / 4, pulse);
        float4 one = (float4)(now.yzw, later.x), two = (float4)(now.zw, later.xy), three = (float4)(now.w, later.xyz);
        s += now + one + two + three;
        ss += now * now + one * one + two * two + three * three;
        sp += now * q.x + one * q.y + two * q.z + three * q.w;
        p += q.x + q.y + q.z + q.w;
        pp += dot(q, q);
        now = later;
    }
    vstore4((float4)(coefficient(s.x, ss.x, sp.x, p, pp), coefficient(s.y, ss.y, sp.y, p, pp),
                     coefficient(s.z, ss.z, sp.z, p, pp), coefficient(s.w, ss.w, sp.w, p, pp)),
            g, score);
}
