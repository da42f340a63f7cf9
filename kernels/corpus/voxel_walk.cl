/* hit: (voxel, steps); the voxel is -1 if the ray leaves the grid. The fourth component of a
 * direction selects where the ray starts. */
__kernel void walk(__global const uint *bitmap, __global const int4 *direction, __global int2 *hit)
{
    const int id = get_global_id(0);
    const int4 dir = direction[id];
    const uint seed = (uint)dir.w * 747796405u + (uint)id * 2891336453u;
    int x = (seed >> 8) % SIDE, y = (seed >> 14) % SIDE, z = (seed >> 20) % SIDE;

    const int ax = abs(dir.x), ay = abs(dir.y), az = abs(dir.z);
    const int sx = dir.x < 0 ? -1 : 1, sy = dir.y < 0 ? -1 : 1, sz = dir.z < 0 ? -1 : 1;
    const int longest = max(max(ax, ay), max(az, 1));
    int ex = longest, ey = longest, ez = longest;
    int steps = 0, found = -1;

    for (;;) {
        if (x < 0 || y < 0 || z < 0 || x >= SIDE || y >= SIDE || z >= SIDE)
            break;
        if (bitmap[(z * SIDE + y) * (ROWWORDS) + x / 32] >> (x % 32) & 1) {
            found = (z * SIDE + y) * SIDE + x;
            break;
        }
        if (steps == 4 * SIDE)
            break;
        steps++;
        ex += 2 * ax;
        if (ex >= 2 * longest) { x += sx; ex -= 2 * longest; }
        ey += 2 * ay;
        if (ey >= 2 * longest) { y += sy; ey -= 2 * longest; }
        ez += 2 * az;
        if (ez >= 2 * longest) { z += sz; ez -= 2 * longest; }
    }
    hit[id] = (int2)(found, steps);
}
