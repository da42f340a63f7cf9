#ifdef FAST
#define EXP native_exp
#define LOG native_log
#define SIN native_sin
#define COS native_cos
#define SQRT native_sqrt
#else
#define EXP exp
#define LOG log
#define SIN sin
#define COS cos
#define SQRT sqrt
#endif

typedef struct {
    float spot, strike, rate, vol;
} Option;

uint4 philox_round(uint4 c, uint2 k)
{
    uint hi0 = mul_hi(0xD2511F53u, c.x), lo0 = 0xD2511F53u * c.x;
    uint hi1 = mul_hi(0xCD9E8D57u, c.z), lo1 = 0xCD9E8D57u * c.z;
    return (uint4)(hi1 ^ c.y ^ k.x, lo1, hi0 ^ c.w ^ k.y, lo0);
}

uint4 philox(uint4 counter, uint2 key)
{
    for (int r = 0; r < 10; r++) {
        counter = philox_round(counter, key);
        key += (uint2)(0x9E3779B9u, 0xBB67AE85u);
    }
    return counter;
}

/* Returns four normal variates, made of four random words. */
float4 normals(uint4 bits)
{
    float4 u = (convert_float4(bits >> 8) + 0.5f) * (1.0f / 16777216.0f);
    float r0 = SQRT(-2.0f * LOG(u.x)), r1 = SQRT(-2.0f * LOG(u.z));
    float a0 = 6.2831853f * u.y, a1 = 6.2831853f * u.w;
    return (float4)(r0 * COS(a0), r0 * SIN(a0), r1 * COS(a1), r1 * SIN(a1));
}

__kernel void simulate(__global float2 *partial, int steps, float4 market, uint2 seed)
{
    __local float2 acc[256];
    const uint gid = get_global_id(0);
    const uint lid = get_local_id(0);
    const Option o = { market.x, market.y, market.z, market.w };
    const float dt = 1.0f / steps;
    const float drift = (o.rate - 0.5f * o.vol * o.vol) * dt;
    const float scale = o.vol * SQRT(dt);
    float logs = 0.0f, sum = 0.0f;

    for (int s = 0; s < steps; s += 4) {
        float4 z = normals(philox((uint4)(gid, s, 0, 0), seed));
        logs += drift + scale * z.x;
        sum += EXP(logs);
        logs += drift + scale * z.y;
        sum += EXP(logs);
        logs += drift + scale * z.z;
        sum += EXP(logs);
        logs += drift + scale * z.w;
        sum += EXP(logs);
    }
    float payoff = EXP(-o.rate) * fmax(o.spot * sum * dt - o.strike, 0.0f);
    acc[lid] = (float2)(payoff, payoff * payoff);
    for (uint w = 128; w > 0; w >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < w)
            acc[lid] += acc[lid + w];
    }
    if (lid == 0)
        partial[get_group_id(0)] = acc[0];
}

/* Computes the mean price and its standard error from the partial sums. */
__kernel void finish(__global const float2 *partial, __global float2 *price, int count, int paths)
{
    __local float2 acc[128];
    const int lid = get_local_id(0);
    float2 s = (float2)(0.0f, 0.0f);
    for (int i = lid; i < count; i += 128)
        s += partial[i];
    acc[lid] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int w = 64; w > 0; w >>= 1) {
        if (lid < w)
            acc[lid] += acc[lid + w];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) {
        float mean = acc[0].x / paths;
        price[0] = (float2)(mean, sqrt((acc[0].y / paths - mean * mean) / paths));
    }
}
