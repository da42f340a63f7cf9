/* Renders rays from front to back. Colours are not premultiplied by opacity. */
__kernel void render(__global const uchar *voxels, __constant float4 *tf, __global float4 *image, int depth)
{
    int x = get_global_id(0), y = get_global_id(1);
    int w = get_global_size(0), h = get_global_size(1);
    float3 colour = (float3)(0.0f);
    float through = 1.0f;
    __global const uchar *v = voxels + y * w + x;

    for (int z = 0; z < depth; z++) {
        float4 c = tf[*v];
        colour += through * c.w * c.xyz;
        through *= 1.0f - c.w;
        v += w * h;
    }
    image[y * w + x] = (float4)(colour, 1.0f - through);
}

__kernel void render_local(__global const uchar *voxels, __constant float4 *tf, __global float4 *image, int depth)
{
    __local float4 lut[256];
    int x = get_global_id(0), y = get_global_id(1);
    int w = get_global_size(0), h = get_global_size(1);
    int lid = get_local_id(1) * 32 + get_local_id(0);
    lut[lid] = tf[lid];
    barrier(CLK_LOCAL_MEM_FENCE);

    float3 colour = (float3)(0.0f);
    float through = 1.0f;
    for (int z = 0; z < depth; z++) {
        float4 c = lut[voxels[(z * h + y) * w + x]];
        colour += through * c.w * c.xyz;
        through *= 1.0f - c.w;
    }
    image[y * w + x] = (float4)(colour, 1.0f - through);
}
