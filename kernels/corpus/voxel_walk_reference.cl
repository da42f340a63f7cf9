/* Computes the voxel of each step by division, from the start of the ray. */
int after(int from, int d, int t, int longest)
{
    int go = (2 * t * abs(d) + longest) / (2 * longest);
    return d < 0 ? from - go : from + go;
}

__kernel void walk_closed(__global const uint *bitmap, __global const int4 *direction, __global int2 *hit)
{
    int id = get_global_id(0);
    int4 d = direction[id];
    uint seed = (uint)d.w * 747796405u + (uint)id * 2891336453u;
    int x0 = (seed / 256) % SIDE, y0 = (seed / 16384) % SIDE, z0 = (seed / 1048576) % SIDE;
    int longest = 1;
    if (d.x > longest || -d.x > longest) longest = abs(d.x);
    if (d.y > longest || -d.y > longest) longest = abs(d.y);
    if (d.z > longest || -d.z > longest) longest = abs(d.z);
    int2 h = (int2)(-1, 4 * SIDE);
    for (int t = 0; t <= 4 * SIDE; t++) {
        int x = after(x0, d.x, t, longest), y = after(y0, d.y, t, longest), z = after(z0, d.z, t, longest);
        int outside = min(x, min(y, z)) < 0 || max(x, max(y, z)) >= SIDE;
        long voxel = ((long)z * SIDE + y) * SIDE + x;
        if (outside || (bitmap[voxel / 32] & (1u << (voxel % 32)))) {
            h = (int2)(outside ? -1 : (int)voxel, t);
            break;
        }
    }
    hit[id] = h;
}
