#define RADICAL_INVERSE(BASE)                       \
    float inverse_##BASE(uint i)                    \
    {                                               \
        float digit = 1.0f / BASE, x = 0.0f;        \
        while (i) {                                 \
            x += digit * (i % BASE);                \
            i /= BASE;                              \
            digit *= 1.0f / BASE;                   \
        }                                           \
        return x;                                   \
    }
RADICAL_INVERSE(3)
RADICAL_INVERSE(5)
RADICAL_INVERSE(7)
RADICAL_INVERSE(11)
RADICAL_INVERSE(13)

/* Returns the i-th number of the Halton sequence with base 2: the bits of i in reversed order. */
float inverse_2(uint i)
{
    i = (i >> 16) | (i << 16);
    i = ((i & 0x00ff00ffu) << 8) | ((i & 0xff00ff00u) >> 8);
    i = ((i & 0x0f0f0f0fu) << 4) | ((i & 0xf0f0f0f0u) >> 4);
    i = ((i & 0x33333333u) << 2) | ((i & 0xccccccccu) >> 2);
    i = ((i & 0x55555555u) << 1) | ((i & 0xaaaaaaaau) >> 1);
    return (float)(i >> 8) * (1.0f / 16777216.0f);
}

/* The integrated function: a ball with a soft edge times a slope. It is smooth, because a hard edge
 * would make the sums jump. */
float4 moments(uint i)
{
    float a = inverse_2(i), b = inverse_3(i), c = inverse_5(i);
    float d = inverse_7(i), e = inverse_11(i), f = inverse_13(i);
    float r2 = a * a + b * b + c * c + d * d + e * e + f * f;
    float inside = 1.0f / (1.0f + exp(12.0f * (r2 - 1.0f)));
    return inside * (float4)(1.0f, a + b, c * d, sqrt(e + f));
}

__kernel void sample_body(__global float4 *sums, uint per_item)
{
    __local float4 tree[128];
    size_t l = get_local_id(0);
    float4 s = (float4)(0);

    for (uint k = 0; k < per_item; k++)
        s += moments((get_group_id(0) * per_item + k) * 128 + l + 1);
    tree[l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t w = 64; w > 0; w /= 2) {
        if (l < w)
            tree[l] += tree[l + w];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        sums[get_group_id(0)] = tree[0];
}

__kernel void combine(__global const float4 *sums, __global float4 *result, uint groups, float scale)
{
    __local float4 tree[64];
    size_t l = get_local_id(0);
    float4 s = (float4)(0);

    for (uint g = l; g < groups; g += 64)
        s += sums[g];
    tree[l] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        for (int k = 1; k < 64; k++)
            s += tree[k];
        *result = s * scale;
    }
}
