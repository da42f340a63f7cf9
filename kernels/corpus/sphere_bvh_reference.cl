#pragma OPENCL FP_CONTRACT OFF
/* Every ray against every sphere. The arithmetic of a ray and a sphere is that of the kernels, so that a near tie
 * has one result. */
float jitter(uint h)
{
    h = (h ^ (h / 65536u)) * 2146121005u;
    h = (h ^ (h / 32768u)) * 2221713035u;
    return (h / 256u) / 16777216.0f;
}

kernel void leaves(global const ushort *x, global const ushort *y, global const ushort *z, global float4 *sphere,
                   global float4 *low, global float4 *high, uint seed)
{
    uint i = get_global_id(0), s = seed + 4 * i;
    sphere[i].x = x[i] + jitter(s + 1);
    sphere[i].y = y[i] + jitter(s + 2);
    sphere[i].z = z[i] + jitter(s + 3);
    sphere[i].w = 0.08f + 0.2f * jitter(s);
}

float meet(float4 sphere, float3 from, float3 along)
{
    float3 to = sphere.xyz - from;
    float b = to.x * along.x + to.y * along.y + to.z * along.z;
    float3 p = to - b * along;
    float off = sphere.w * sphere.w - (p.x * p.x + p.y * p.y + p.z * p.z);
    float t = off > 0 ? b - sqrt(off) : -1;
    return t > 0 ? t : INFINITY;
}

kernel void trace_all(global const float4 *sphere, global const float4 *low, global const float4 *high,
                      global int *hit, global float *shade, int spheres)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
    float side = cbrt((float)spheres), dx = (x + 0.5f) / w - 0.5f, dy = ((y + 0.5f) / h - 0.5f) * h / w;
    float d = rsqrt(1.0f + dx * dx + dy * dy);
    float3 from = (float3)(0.5f * side, 0.47f * side, -0.55f * side), along = (float3)(dx * d, dy * d, d);
    float best = INFINITY, bright = 0;
    int found = -1;
    for (int s = 0; s < spheres; s++) {
        float t = meet(sphere[s], from, along);
        if (t < best) {
            best = t;
            found = s;
        }
    }
    if (found >= 0) {
        float3 at = from + along * (best - 1e-2f), light = (float3)(0.48f, -0.6f, -0.64f);
        float3 n = at - sphere[found].xyz;
        bright = (n.x * light.x + n.y * light.y + n.z * light.z) / sphere[found].w;
        bright = bright > 0 ? bright : 0;
        for (int s = 0; s < spheres && bright > 0; s++)
            if (meet(sphere[s], at, light) < INFINITY) {
                bright *= 0.25f;
                break;
            }
    }
    hit[y * w + x] = found;
    shade[y * w + x] = bright;
}
