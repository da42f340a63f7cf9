__kernel void sddmm(__global const uint2* pairs, __global const float* weight,
                    __global const float* a, __global const float* b, __global float* out)
{
    const size_t e = get_global_id(0);
    const uint2 rc = pairs[e];
    __global const float* ar = a + rc.x * RANK;
    __global const float* bc = b + rc.y * RANK;
    float s = 0.0f;
    for (uint k = 0; k < RANK; ++k) {
        s = fma(ar[k], bc[k], s);
    }
    out[e] = weight[e] * s;
}

__kernel void sddmm4(__global const uint2* pairs, __global const float* weight,
                     __global const float4* a, __global const float4* b, __global float* out)
{
    const size_t e = get_global_id(0);
    const uint2 rc = pairs[e];
    __global const float4* ar = a + rc.x * (RANK / 4);
    __global const float4* bc = b + rc.y * (RANK / 4);
    float s = 0.0f;
    for (uint k = 0; k < RANK / 4; ++k) {
        s += dot(ar[k], bc[k]);
    }
    out[e] = weight[e] * s;
}
