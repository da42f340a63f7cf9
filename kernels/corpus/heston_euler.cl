typedef struct {
    float s0, v0, kappa, theta, xi, rho, r, dt, strike;
} Model;

#ifdef FAST
#define LOGSQRT(u) native_sqrt(-2.0f * native_log(u))
#define SINCOS(a, s, c) s = native_sin(a), c = native_cos(a)
#else
#define LOGSQRT(u) sqrt(-2.0f * log(u))
#define SINCOS(a, s, c) s = sincos(a, &c)
#endif

// Random number generator PCG32.
uint pcg(ulong* state, ulong inc)
{
    ulong old = *state;
    *state = old * 6364136223846793005UL + inc;
    uint x = (uint)(((old >> 18) ^ old) >> 27);
    uint rot = (uint)(old >> 59);
    return (x >> rot) | (x << ((32 - rot) & 31));
}

float2 normals(ulong* state, ulong inc)
{
    float u1 = ((pcg(state, inc) >> 8) + 0.5f) * (1.0f / 16777216.0f);
    float u2 = (pcg(state, inc) >> 8) * (1.0f / 16777216.0f);
    float rad = LOGSQRT(u1);
    float c, s;
    SINCOS(2.0f * M_PI_F * u2, s, c);
    return (float2)(rad * c, rad * s);
}

// Simulates one path, and returns the payoffs of a European and an arithmetic Asian call. Negative
// variances are truncated (full truncation).
float2 one_path(Model m, int path, int steps)
{
    ulong inc = ((ulong)path << 1) | 1;
    ulong state = inc * 0x9E3779B97F4A7C15UL;
    pcg(&state, inc);

    float x = 0.0f, v = m.v0, mean = 0.0f;
    float corr = sqrt(1.0f - m.rho * m.rho);
    for (int i = 0; i < steps; ++i) {
        float2 z = normals(&state, inc);
        float vp = fmax(v, 0.0f);
        float sv = sqrt(vp * m.dt);
        x += (m.r - 0.5f * vp) * m.dt + sv * z.x;
        v += m.kappa * (m.theta - vp) * m.dt + m.xi * sv * (m.rho * z.x + corr * z.y);
        mean += exp(x);
    }
    float disc = exp(-m.r * m.dt * steps);
    return disc * (float2)(fmax(m.s0 * exp(x) - m.strike, 0.0f),
                           fmax(m.s0 * mean / steps - m.strike, 0.0f));
}

__kernel void heston(__global const Model* model, __global float2* payoff, int steps)
{
    int path = get_global_id(0);
    payoff[path] = one_path(*model, path, steps);
}

// Adds up payoffs: each work-item adds those of 128 paths.
__kernel void block_sums(__global const float2* payoff, __global float4* sums)
{
    int b = get_global_id(0);
    float4 s = 0.0f;
    for (int i = 0; i < 128; ++i) {
        float2 p = payoff[b * 128 + i];
        s += (float4)(p, p * p);
    }
    sums[b] = s;
}

// Simulates paths and adds up their payoffs in one kernel.
__kernel void heston_fused(__global const Model* model, __global float4* sums, int steps)
{
    __local float4 tmp[128];
    int l = get_local_id(0);
    float2 p = one_path(*model, get_global_id(0), steps);
    tmp[l] = (float4)(p, p * p);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int w = 64; w > 0; w >>= 1) {
        if (l < w) tmp[l] += tmp[l + w];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) sums[get_group_id(0)] = tmp[0];
}
