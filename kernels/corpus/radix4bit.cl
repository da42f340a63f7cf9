/* 1024 keys a block, 8 consecutive ones a thread, digits of RADIX_BITS bits.
   table[digit * blocks + block] */
#define RADIX (1 << RADIX_BITS)
#define PER_THREAD 8
#define DIGIT(k, s) (((k) >> (s)) & (RADIX - 1))

__kernel void rdx_count(__global const uint *keys, __global uint *table, uint shift)
{
    __local uint bins[RADIX];
    uint tid = get_local_id(0);
    uint block = get_group_id(0);

    if (tid < RADIX)
        bins[tid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < PER_THREAD; ++j)
        atomic_inc(&bins[DIGIT(keys[block * TPB * PER_THREAD + j * TPB + tid], shift)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid < RADIX)
        table[tid * get_num_groups(0) + block] = bins[tid];
}

/* Exclusive scan of the table by one work-group, tile after tile. */
__kernel void rdx_scan(__global uint *table, uint len)
{
    __local uint tmp[2][256];
    uint tid = get_local_id(0);
    uint carry = 0;

    for (uint at = 0; at < len; at += 256) {
        uint mine = at + tid < len ? table[at + tid] : 0;
        uint which = 0;
        tmp[0][tid] = mine;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint d = 1; d < 256; d *= 2) {
            uint s = tmp[which][tid];
            if (tid >= d)
                s += tmp[which][tid - d];
            tmp[which ^ 1][tid] = s;
            which ^= 1;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (at + tid < len)
            table[at + tid] = carry + tmp[which][tid] - mine;
        carry += tmp[which][255];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel void rdx_scatter(__global const uint *keys_in, __global const uint *pay_in,
                          __global uint *keys_out, __global uint *pay_out,
                          __global const uint *table, uint shift)
{
    /* counts of thread t for digit d at [d][t]: stable, as threads own consecutive keys */
    __local ushort cnt[RADIX][TPB + 2];
    __local uint first[RADIX];
    uint tid = get_local_id(0), block = get_group_id(0), d, j;
    uint key[PER_THREAD];

    for (d = 0; d < RADIX; ++d)
        cnt[d][tid] = 0;
    if (tid < RADIX)
        first[tid] = table[tid * get_num_groups(0) + block];
    for (j = 0; j < PER_THREAD; ++j) {
        key[j] = keys_in[(block * TPB + tid) * PER_THREAD + j];
        cnt[DIGIT(key[j], shift)][tid]++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (tid < RADIX) {
        uint sum = 0;
        for (j = 0; j < TPB; ++j) {
            uint c = cnt[tid][j];
            cnt[tid][j] = (ushort)sum;
            sum += c;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (j = 0; j < PER_THREAD; ++j) {
        d = DIGIT(key[j], shift);
        uint to = first[d] + cnt[d][tid]++;
        keys_out[to] = key[j];
        pay_out[to] = pay_in[(block * TPB + tid) * PER_THREAD + j];
    }
}
