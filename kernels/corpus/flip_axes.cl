#ifndef PAD
#define PAD 0
#endif
#define TILE 32
#define ROWS 8

__kernel void flip_naive(__global const uint *src, __global uint *dst, uint w, uint h)
{
    uint x = get_global_id(0), y = get_global_id(1);
    if (x < w && y < h)
        dst[x * h + y] = src[y * w + x];
}

__kernel __attribute__((reqd_work_group_size(TILE, ROWS, 1)))
void flip_tile(__global const uint *src, __global uint *dst, uint w, uint h)
{
    __local uint tile[TILE][TILE + PAD];
    uint lx = get_local_id(0), ly = get_local_id(1);
    uint x = get_group_id(0) * TILE + lx;
    uint y = get_group_id(1) * TILE + ly;

    for (uint j = 0; j < TILE; j += ROWS)
        if (x < w && y + j < h)
            tile[ly + j][lx] = src[(y + j) * w + x];

    barrier(CLK_LOCAL_MEM_FENCE);

    x = get_group_id(1) * TILE + lx;
    y = get_group_id(0) * TILE + ly;
    for (uint j = 0; j < TILE; j += ROWS)
        if (x < h && y + j < w)
            dst[(y + j) * h + x] = tile[lx][ly + j];
}
