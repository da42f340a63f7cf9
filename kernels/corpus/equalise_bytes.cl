__kernel void count_levels(__global const uchar *gray, __global uint *histogram)
{
    atomic_inc(histogram + gray[get_global_id(0)]);
}

#define COPIES 4
__kernel void count_levels_private(__global const uchar16 *gray, __global uint *histogram, uint vectors)
{
    __local uint bins[COPIES][256];
    const uint lid = get_local_id(0);
    __local uint *mine = bins[lid % COPIES];

    for (uint b = lid; b < COPIES * 256; b += get_local_size(0))
        bins[b / 256][b % 256] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < vectors; i += get_global_size(0)) {
        const uchar16 p = gray[i];
        atomic_inc(mine + p.s0); atomic_inc(mine + p.s1); atomic_inc(mine + p.s2); atomic_inc(mine + p.s3);
        atomic_inc(mine + p.s4); atomic_inc(mine + p.s5); atomic_inc(mine + p.s6); atomic_inc(mine + p.s7);
        atomic_inc(mine + p.s8); atomic_inc(mine + p.s9); atomic_inc(mine + p.sa); atomic_inc(mine + p.sb);
        atomic_inc(mine + p.sc); atomic_inc(mine + p.sd); atomic_inc(mine + p.se); atomic_inc(mine + p.sf);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = lid; b < 256; b += get_local_size(0)) {
        uint sum = 0;
        for (uint c = 0; c < COPIES; c++)
            sum += bins[c][b];
        if (sum)
            atomic_add(histogram + b, sum);
    }
}

__kernel void make_table(__global const uint *histogram, __global uchar *lut, uint pixels)
{
    __local uint cdf[256];
    __local uint lowest;
    const uint v = get_local_id(0);

    cdf[v] = histogram[v];
    if (v == 0)
        lowest = 0xffffffffu;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < 256; d <<= 1) {
        const uint below = v >= d ? cdf[v - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        cdf[v] += below;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (cdf[v])
        atomic_min(&lowest, cdf[v]);
    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong above = cdf[v] > lowest ? cdf[v] - lowest : 0;
    lut[v] = (uchar)((above * 255 + (pixels - lowest) / 2) / max(pixels - lowest, 1u));
}

__kernel void map_levels(__global const uchar *gray, __global const uchar *lut, __global uchar *result)
{
    const size_t i = get_global_id(0);
    result[i] = lut[gray[i]];
}

__kernel void map_levels16(__global const uint4 *gray, __global const uchar *lut, __global uint4 *result)
{
    __local uint table[256];
    for (uint v = get_local_id(0); v < 256; v += get_local_size(0))
        table[v] = lut[v];
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint4 p = gray[get_global_id(0)];
    uint4 q;
#define MAP4(w) (table[(w) & 255] | table[(w) >> 8 & 255] << 8 | table[(w) >> 16 & 255] << 16 | table[(w) >> 24] << 24)
    q.x = MAP4(p.x);
    q.y = MAP4(p.y);
    q.z = MAP4(p.z);
    q.w = MAP4(p.w);
    result[get_global_id(0)] = q;
}
