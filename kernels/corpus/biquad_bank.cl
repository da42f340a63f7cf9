typedef struct {
    float b0, b1, b2;
    float a1, a2;
} Biquad;

/* Computes one sample of a biquad filter in transposed direct form II. */
static float tick(const Biquad *q, float2 *z, float x)
{
    float y = q->b0 * x + z->x;
    z->x = q->b1 * x - q->a1 * y + z->y;
    z->y = q->b2 * x - q->a2 * y;
    return y;
}

__kernel void run_bank(__global const Biquad *filters, __global const float *in,
                       __global float *out, __global float *peaks, uint samples)
{
    uint ch = get_global_id(0);
    Biquad q[STAGES];
    float2 z[STAGES];
    float peak = 0.f;

    #pragma unroll
    for (int s = 0; s < STAGES; s++) {
        q[s] = filters[ch * STAGES + s];
        z[s] = (float2)(0.f, 0.f);
    }

    __global const float *src = in + (size_t)ch * samples;
    __global float *dst = out + (size_t)ch * samples;

    for (uint t = 0; t < samples; t++) {
        float v = src[t];
        #pragma unroll
        for (int s = 0; s < STAGES; s++)
            v = tick(&q[s], &z[s], v);
        peak = fmax(peak, fabs(v));
        dst[t] = v;
    }
    peaks[ch] = peak;
}
