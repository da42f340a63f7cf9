/* Each work-item computes one element of the result, by its number there. */
__kernel void flipped(__global const uint *src, __global uint *dst, uint w, uint h)
{
    uint k = get_global_id(0);
    dst[k] = src[k % h * w + k / h];
}
