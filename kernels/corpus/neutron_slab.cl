#define ZONES 64
#define REFLECTED 64
#define TRANSMITTED 65

uint scramble(uint v)
{
    v ^= v >> 16; v *= 0x7feb352du;
    v ^= v >> 15; v *= 0x846ca68bu;
    return v ^ v >> 16;
}

uint draw(uint *s)
{
    *s ^= *s << 13;
    *s ^= *s >> 17;
    *s ^= *s << 5;
    return *s;
}

/* Returns -ln(u) in 16.16 fixed point: the exponent by clz, the fraction by a parabola. */
int free_path(uint u)
{
    int n = clz(u);
    uint m = (u << n << 1) >> 16;
    int lg = m + (((m * (65536u - m)) >> 16) * 22518u >> 16);
    int minus_log2 = ((n + 1) << 16) - lg;
    return (int)(((long)minus_log2 * 45426) >> 16);
}

/* Follows one neutron. Returns where it ended. *count: number of its flights. */
int history(uint seed, __global const uint *sigma, __global const uint *absorption, int depth, int *count)
{
    uint rng = seed | 1u;
    int z = 0, mu = 65535, n = 0;
    const int zone_width = depth / ZONES;

    while (true) {
        n++;
        z += (int)(((long)free_path(draw(&rng)) * mu) >> 16);
        if (z < 0) {
            *count = n;
            return REFLECTED;
        }
        if (z >= depth) {
            *count = n;
            return TRANSMITTED;
        }
        const int zone = z / zone_width;
        if ((draw(&rng) >> 16) >= sigma[zone])
            continue;                               /* a virtual collision */
        const uint kind = draw(&rng);
        if ((kind >> 16) < absorption[zone]) {
            *count = n;
            return zone;
        }
        mu = (int)(kind & 0xffffu) * 2 - 65535;     /* isotropic */
    }
}

__kernel void slab_walk(__global const uint *sigma, __global const uint *absorption, __global uint *tally,
                        __global ushort *flights, int depth, uint seed)
{
    const uint id = get_global_id(0);
    int n;
    const int end = history(scramble(id ^ seed), sigma, absorption, depth, &n);
    flights[id] = (ushort)min(n, 65535);
    atomic_inc(&tally[end]);
}

__kernel void slab_walk_local(__global const uint *sigma, __global const uint *absorption, __global uint *tally,
                              __global ushort *flights, int depth, uint seed)
{
    __local uint mine[ZONES + 2];
    const uint id = get_global_id(0);
    int n;

    for (int b = get_local_id(0); b < ZONES + 2; b += get_local_size(0))
        mine[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int end = history(scramble(id ^ seed), sigma, absorption, depth, &n);
    flights[id] = (ushort)min(n, 65535);
    atomic_inc(&mine[end]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = get_local_id(0); b < ZONES + 2; b += get_local_size(0))
        if (mine[b])
            atomic_add(&tally[b], mine[b]);
}
