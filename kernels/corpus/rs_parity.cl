#define SHARDS 10
#define PARITIES 4

kernel void encode(global const uint *data, global const uchar *matrix, global uint *parity, int words)
{
    int at = get_global_id(0);
    uint sum[PARITIES] = {0, 0, 0, 0};
    for (int shard = 0; shard < SHARDS; shard++) {
        uint word = data[shard * words + at];
        uint c[PARITIES];
        for (int p = 0; p < PARITIES; p++)
            c[p] = matrix[p * SHARDS + shard];
#pragma unroll
        for (int bit = 0; bit < 8; bit++) {
            for (int p = 0; p < PARITIES; p++)
                sum[p] ^= word & -(c[p] >> bit & 1u);
            uint high = word & 0x80808080u;
            word = (word ^ high) << 1 ^ (high >> 7) * 0x1du;
        }
    }
    for (int p = 0; p < PARITIES; p++)
        parity[p * words + at] = sum[p];
}

kernel void encode_wide(global const uint *data, global const uchar *matrix, global uint *parity, int words)
{
    int at = get_global_id(0);
    uint4 s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    for (int shard = 0; shard < SHARDS; shard++) {
        uint4 word = vload4(at, data + shard * words);
        uint c0 = matrix[shard], c1 = matrix[SHARDS + shard];
        uint c2 = matrix[2 * SHARDS + shard], c3 = matrix[3 * SHARDS + shard];
        for (int bit = 0; bit < 8; bit++) {
            s0 ^= word & (uint4)(-(c0 >> bit & 1u));
            s1 ^= word & (uint4)(-(c1 >> bit & 1u));
            s2 ^= word & (uint4)(-(c2 >> bit & 1u));
            s3 ^= word & (uint4)(-(c3 >> bit & 1u));
            uint4 high = word & 0x80808080u;
            word = (word ^ high) << 1 ^ (high >> 7) * 0x1du;
        }
    }
    vstore4(s0, at, parity);
    vstore4(s1, at, parity + words);
    vstore4(s2, at, parity + 2 * words);
    vstore4(s3, at, parity + 3 * words);
}

static uint times(uint a, uint b)
{
    uint product = 0;
    for (; b != 0; b >>= 1) {
        product ^= a & -(b & 1u);
        a = a << 1 ^ (a >> 7) * 0x11du;
    }
    return product;
}

kernel void encode_nibbles(global const uint *data, global const uchar *matrix, global uint *parity, int words)
{
    local uchar low[SHARDS * PARITIES][16], high[SHARDS * PARITIES][16];
    int me = get_local_id(0), at = get_global_id(0);
    for (int s = me; s < SHARDS * PARITIES * 16; s += get_local_size(0)) {
        uint c = matrix[s / 16];
        low[s / 16][s % 16] = times(c, s % 16);
        high[s / 16][s % 16] = times(c, s % 16 << 4);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum[PARITIES] = {0, 0, 0, 0};
    for (int shard = 0; shard < SHARDS; shard++) {
        uint word = data[shard * words + at];
#pragma unroll
        for (int p = 0; p < PARITIES; p++) {
            local const uchar *lo = low[p * SHARDS + shard], *hi = high[p * SHARDS + shard];
#pragma unroll
            for (int b = 0; b < 32; b += 8)
                sum[p] ^= (uint)(lo[word >> b & 15] ^ hi[word >> (b + 4) & 15]) << b;
        }
    }
    for (int p = 0; p < PARITIES; p++)
        parity[p * words + at] = sum[p];
}
