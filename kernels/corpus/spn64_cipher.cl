__constant uchar SBOX[16] = { 12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2 };

/* Bit permutation of the cipher: bit i moves to bit PERM[i]. */
__constant uchar PERM[64] = {
    0, 16, 32, 48, 1, 17, 33, 49, 2, 18, 34, 50, 3, 19, 35, 51,
    4, 20, 36, 52, 5, 21, 37, 53, 6, 22, 38, 54, 7, 23, 39, 55,
    8, 24, 40, 56, 9, 25, 41, 57, 10, 26, 42, 58, 11, 27, 43, 59,
    12, 28, 44, 60, 13, 29, 45, 61, 14, 30, 46, 62, 15, 31, 47, 63
};

__kernel void encrypt(__global const ulong *plain, __constant ulong *roundKeys, __global ulong *cipher)
{
    ulong state = plain[get_global_id(0)];

    for (int round = 0; round < 31; round++) {
        state ^= roundKeys[round];
        ulong substituted = 0;
        for (int nibble = 0; nibble < 64; nibble += 4)
            substituted |= (ulong)SBOX[(state >> nibble) & 15] << nibble;
        state = 0;
        for (int bit = 0; bit < 64; bit++)
            state |= ((substituted >> bit) & 1) << PERM[bit];
    }
    cipher[get_global_id(0)] = state ^ roundKeys[31];
}

__kernel void encrypt_sp(__global const ulong *plain, __constant ulong *roundKeys, __global ulong *cipher)
{
    __local ulong sp[16][16];
    {
        uint t = get_local_id(0), nibble = t / 16;
        ulong s = SBOX[t % 16], word = 0;
        for (int bit = 0; bit < 4; bit++)
            word |= ((s >> bit) & 1) << PERM[nibble * 4 + bit];
        sp[nibble][t % 16] = word;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    ulong state = plain[get_global_id(0)];
    for (int round = 0; round < 31; round++) {
        state ^= roundKeys[round];
        ulong next = 0;
        #pragma unroll
        for (int nibble = 0; nibble < 16; nibble++)
            next |= sp[nibble][(state >> (4 * nibble)) & 15];
        state = next;
    }
    cipher[get_global_id(0)] = state ^ roundKeys[31];
}
