/* Reduced units; periodic cube of `box`; one particle per lattice site, moved a little, so the sites
 * tell who can be near. Forces are shifted to vanish at the cutoff; energy is in force.w. */
#define SIGMA2 0.81f
#define CUTOFF 1.8f
#define LIST_CUTOFF 2.0f

#ifdef INTERLEAVED
#define NEIGHBOR(i, k, n) list[(k) * (n) + (i)]
#else
#define NEIGHBOR(i, k, n) list[(i) * MAX_NEIGHBORS + (k)]
#endif

float4 nearest_image(float4 d, float box)
{
    d.x -= box * rint(d.x / box);
    d.y -= box * rint(d.y / box);
    d.z -= box * rint(d.z / box);
    d.w = 0.0f;
    return d;
}

__kernel void place_on_lattice(__global const float4 *jitter, __global float4 *pos, int side)
{
    int i = get_global_id(0);
    float4 site = (float4)(i % side, i / side % side, i / (side * side), 0.0f);
    float4 j = jitter[i];
    j.w = 0.0f;
    pos[i] = site + 0.5f + j;
    pos[i].w = 1.0f;
}

__kernel void build_lists(__global const float4 *pos, __global int *list, __global int *list_length,
                          int side)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const int n = side * side * side;
    int i = (z * side + y) * side + x, count = 0;
    float4 p = pos[i];

    for (int dz = -2; dz <= 2; dz++)
        for (int dy = -2; dy <= 2; dy++)
            for (int dx = -2; dx <= 2; dx++) {
                int j = ((z + dz + side) % side * side + (y + dy + side) % side) * side +
                        (x + dx + side) % side;
                float4 d = nearest_image(pos[j] - p, (float)side);
                if (j != i && dot(d, d) < LIST_CUTOFF * LIST_CUTOFF && count < MAX_NEIGHBORS)
                    NEIGHBOR(i, count++, n) = j;
            }
    list_length[i] = count;
}

__kernel void lj_forces(__global const float4 *pos, __global const int *list,
                        __global const int *list_length, __global float4 *force, int n, float box)
{
    int i = get_global_id(0);
    float4 p = pos[i], f = (float4)(0.0f);
    int count = list_length[i];
    /* force at the cutoff, as a number: derived from 24 * (2 s^12 - s^6) / r with s = sigma / r */
    const float s6c = (SIGMA2 / (CUTOFF * CUTOFF)) * (SIGMA2 / (CUTOFF * CUTOFF)) *
                      (SIGMA2 / (CUTOFF * CUTOFF));
    const float fc = 24.0f * (2.0f * s6c * s6c - s6c) / CUTOFF;

    for (int k = 0; k < count; k++) {
        float4 d = nearest_image(p - pos[NEIGHBOR(i, k, n)], box);
        float r2 = dot(d, d);
        if (r2 < CUTOFF * CUTOFF) {
            float inv = 1.0f / r2, r = sqrt(r2);
            float s2 = SIGMA2 * inv;
            float s6 = s2 * s2 * s2;
            float strength = 24.0f * (2.0f * s6 * s6 - s6) * inv - fc / r;
            f += strength * d;
            f.w += 2.0f * (s6 * s6 - s6) - 2.0f * (s6c * s6c - s6c) + 0.5f * fc * (r - CUTOFF);
        }
    }
    force[i] = f;
}

__kernel void leapfrog(__global float4 *pos, __global float4 *vel, __global const float4 *force,
                       float dt, float box)
{
    int i = get_global_id(0);
    float4 f = force[i];
    f.w = 0.0f;
    float4 v = vel[i] + dt * f;
    float4 p = pos[i] + dt * (float4)(v.xyz, 0.0f);
    vel[i] = v;
    p.x = p.x >= box ? p.x - box : p.x < 0.0f ? p.x + box : p.x;
    p.y = p.y >= box ? p.y - box : p.y < 0.0f ? p.y + box : p.y;
    p.z = p.z >= box ? p.z - box : p.z < 0.0f ? p.z + box : p.z;
    pos[i] = p;
}
