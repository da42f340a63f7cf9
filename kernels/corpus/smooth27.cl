static inline float At(__global const float* vol, int x, int y, int z, int4 dim)
{
    x = clamp(x, 0, dim.x - 1);
    y = clamp(y, 0, dim.y - 1);
    z = clamp(z, 0, dim.z - 1);
    return vol[x + dim.x * (y + dim.y * z)];
}

// weight.x: centre, .y: faces, .z: edges, .w: corners
__kernel void Smooth27(__global const float* in, __global float* out, int4 dim, float4 weight)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int z = get_global_id(2);

    if (x >= dim.x || y >= dim.y || z >= dim.z)
        return;

    float face = 0.0f, edge = 0.0f, corner = 0.0f;
    for (int dz = -1; dz <= 1; ++dz)
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const int away = abs(dx) + abs(dy) + abs(dz);
                const float v = At(in, x + dx, y + dy, z + dz, dim);
                if (away == 1)
                    face += v;
                else if (away == 2)
                    edge += v;
                else if (away == 3)
                    corner += v;
            }
    out[x + dim.x * (y + dim.y * z)] = weight.x * At(in, x, y, z, dim) + weight.y * face +
                                       weight.z * edge + weight.w * corner;
}

// Returns three values of a plane: the centre, the sum of its four neighbours, and the sum of its
// four diagonal neighbours.
static inline float3 Plane(__global const float* in, int x, int y, int z, int4 dim)
{
    z = clamp(z, 0, dim.z - 1);
    const int l = max(x - 1, 0), r = min(x + 1, dim.x - 1);
    const int s = dim.x * (y + dim.y * z);
    const int up = dim.x * (max(y - 1, 0) + dim.y * z);
    const int down = dim.x * (min(y + 1, dim.y - 1) + dim.y * z);
    return (float3)(in[s + x],
                    in[s + l] + in[s + r] + in[up + x] + in[down + x],
                    in[up + l] + in[up + r] + in[down + l] + in[down + r]);
}

__kernel void Smooth27Marching(__global const float* in, __global float* out, int4 dim,
                               float4 weight)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);

    if (x >= dim.x || y >= dim.y)
        return;

    float3 below = Plane(in, x, y, 0, dim);
    float3 here = below;
    for (int z = 0; z < dim.z; ++z) {
        const float3 above = Plane(in, x, y, z + 1, dim);
        out[x + dim.x * (y + dim.y * z)] =
            weight.x * here.x + weight.y * (here.y + below.x + above.x) +
            weight.z * (here.z + below.y + above.y) + weight.w * (below.z + above.z);
        below = here;
        here = above;
    }
}
