/* by the number of the element in the result */
__kernel void flipped(__global const uint *src, __global uint *dst, uint w, uint h)
{
    uint k = get_global_id(0);
    dst[k] = src[k % h * w + k / h];
}
