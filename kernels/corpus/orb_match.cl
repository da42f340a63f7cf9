/* best[i] = (index of the nearest trained descriptor, ratio test: 1 if the second nearest is far enough) */
__kernel void match(__global const uint8 *q, __global const uint8 *t, __global int2 *best, int train)
{
    const int i = get_global_id(0);
    const uint8 mine = q[i];
    int d1 = 1000, d2 = 1000, at = -1;
    for (int j = 0; j < train; j++) {
        const uint8 x = popcount(mine ^ t[j]);
        const uint4 y = x.lo + x.hi;
        const int d = (int)(y.x + y.y + y.z + y.w);
        if (d < d1) {
            d2 = d1;
            d1 = d;
            at = j;
        } else if (d < d2)
            d2 = d;
    }
    best[i] = (int2)(at, 10 * d1 < 9 * d2);
}

#define CHUNK 64
/* Returns the number of set bits in eight words, with carry-save additions. */
static inline uint bits256(uint8 v)
{
    v -= (v >> 1) & 0x55555555u;
    v = (v & 0x33333333u) + ((v >> 2) & 0x33333333u);
    uint4 w = v.lo + v.hi;                                   /* nibbles up to 8 */
    w = (w & 0x0f0f0f0fu) + ((w >> 4) & 0x0f0f0f0fu);        /* bytes up to 16 */
    uint2 u = w.lo + w.hi;                                   /* up to 32 */
    uint s = u.x + u.y;                                      /* up to 64 */
    s = (s & 0x00ff00ffu) + ((s >> 8) & 0x00ff00ffu);
    return (s + (s >> 16)) & 0xffffu;
}

__kernel void match_swar_local(__global const uint8 *q, __global const uint8 *t, __global int2 *best, int train)
{
    __local uint8 stage[CHUNK];
    const int i = get_global_id(0), lid = get_local_id(0);
    const uint8 mine = q[i];
    uint d1 = 1000, d2 = 1000;
    int at = -1;
    for (int first = 0; first < train; first += CHUNK) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < CHUNK) stage[lid] = t[first + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < CHUNK; j++) {
            const uint d = bits256(mine ^ stage[j]);
            d2 = min(d2, max(d, d1));
            at = d < d1 ? first + j : at;
            d1 = min(d1, d);
        }
    }
    best[i] = (int2)(at, 10 * d1 < 9 * d2);
}
