/* Row r of a matrix is word r % period. With fewer different rows, the rank is lower. */

/* The pivot is the first row with the bit. It is added to all rows with the bit, including itself,
 * so it becomes 0. */
__kernel void rank_each(__global const uint *words, __global const uchar *period, __global uchar *rank)
{
    int id = get_global_id(0), cycle = period[id];
    uint row[32];
#pragma unroll
    for (int r = 0; r < 32; r++)
        row[r] = words[id * 32 + r % cycle];
    int found = 0;
#pragma unroll 1
    for (int bit = 0; bit < 32; bit++) {
        uint pivot = 0;
#pragma unroll
        for (int r = 31; r >= 0; r--)
            pivot = row[r] >> bit & 1 ? row[r] : pivot;
        found += pivot != 0;
#pragma unroll
        for (int r = 0; r < 32; r++)
            row[r] ^= row[r] >> bit & 1 ? pivot : 0;
    }
    rank[id] = (uchar)found;
}

__kernel void rank_rows(__global const uint *words, __global const uchar *period, __global uchar *rank)
{
    __local int first;
    __local uint pivot;
    int matrix = get_group_id(0), r = get_local_id(0), found = 0;
    uint row = words[matrix * 32 + r % period[matrix]];
    for (int bit = 0; bit < 32; bit++) {
        if (r == 0)
            first = 32;
        barrier(CLK_LOCAL_MEM_FENCE);
        int has = row >> bit & 1;
        if (has)
            atomic_min(&first, r);
        barrier(CLK_LOCAL_MEM_FENCE);
        int chosen = first;
        if (r == chosen)
            pivot = row;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (has)
            row ^= pivot;
        found += chosen < 32;
    }
    if (r == 0)
        rank[matrix] = (uchar)found;
}
