/* Storage in half, arithmetic in float. The product of two halves is exact in float, so the result does not depend on
 * whether the compiler fuses multiply and subtract. */
__kernel void mulsub_h1(__global const half *a, __global const half *b, __global const half *c, __global half *out)
{
    const size_t i = get_global_id(0);
    const float x = vload_half(i, a), y = vload_half(i, b), z = vload_half(i, c);
    vstore_half_rte(x * y - z, i, out);
}

__kernel void mulsub_h4(__global const half *a, __global const half *b, __global const half *c, __global half *out)
{
    const size_t i = get_global_id(0);
    const float4 x = vload_half4(i, a), y = vload_half4(i, b), z = vload_half4(i, c);
    vstore_half4_rte(x * y - z, i, out);
}
