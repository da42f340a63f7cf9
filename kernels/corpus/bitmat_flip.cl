// Transpose of a bit matrix, N x N, bit c % 32 of word c / 32 of a row is column c.
// W = N / 32 words per row.

__kernel void transpose_regs(__global const uint* in, __global uint* out)
{
    const uint bx = get_global_id(0);      // column of blocks
    const uint by = get_global_id(1);
    uint a[32];

    #pragma unroll
    for (int i = 0; i < 32; i++)
        a[i] = in[(by * 32 + i) * W + bx];

    // Transpose the 32 x 32 block: swap its quadrants of 16, 8, 4, 2 and 1 bits.
    uint m = 0x0000FFFFu;
    #pragma unroll
    for (int j = 16; j != 0; j >>= 1)
    {
        #pragma unroll
        for (int k = 0; k < 32; k++)
        {
            if (k & j) continue;
            uint t = ((a[k] >> j) ^ a[k + j]) & m;
            a[k] ^= t << j;
            a[k + j] ^= t;
        }
        m ^= m << (j >> 1);
    }

    #pragma unroll
    for (int i = 0; i < 32; i++)
        out[(bx * 32 + i) * W + by] = a[i];
}

// A work-group transposes 8 neighbouring blocks in local memory. Each work-item makes a word, bit
// by bit.
__kernel __attribute__((reqd_work_group_size(8, 32, 1)))
void transpose_bits(__global const uint* in, __global uint* out)
{
    __local uint block[8][33];
    const uint lx = get_local_id(0);
    const uint ly = get_local_id(1);

    block[lx][ly] = in[(get_group_id(1) * 32 + ly) * W + get_group_id(0) * 8 + lx];
    barrier(CLK_LOCAL_MEM_FENCE);

    const uint id = ly * 8 + lx;
    const uint b = id >> 5;                // block
    const uint c = id & 31u;               // its column
    uint v = 0;
    for (int r = 0; r < 32; r++)
        v |= ((block[b][r] >> c) & 1u) << r;
    out[((get_group_id(0) * 8 + b) * 32 + c) * W + get_group_id(1)] = v;
}
