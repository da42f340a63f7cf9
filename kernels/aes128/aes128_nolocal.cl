/* AES-128 (FIPS-197) in ECB mode, encryption and decryption. Each work-item handles a block. The
 * tables and the round keys are read from global memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A column of the state is a little-endian uint. table[] has, for a byte in row 0, the column that
 * SubBytes and MixColumns (or their inverses) make of it; for row r it is rotated by r bytes.
 * sbox[] alone is used in the last round. Decryption is the equivalent inverse cipher (FIPS-197,
 * 5.3.5).
 */
static uint mixed(__global const uint *table, uint a, uint b, uint c, uint d)
{
    return table[a & 255] ^ rotate(table[b >> 8 & 255], 8u) ^ rotate(table[c >> 16 & 255], 16u) ^
           rotate(table[d >> 24], 24u);
}

static uint last(__global const uchar *sbox, uint a, uint b, uint c, uint d)
{
    return (uint)sbox[a & 255] | (uint)sbox[b >> 8 & 255] << 8 | (uint)sbox[c >> 16 & 255] << 16 |
           (uint)sbox[d >> 24] << 24;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
aes_encrypt(__global const uint4 *restrict in, __global uint4 *restrict out,
            __global const uint4 *restrict keys, __global const uint *restrict table,
            __global const uchar *restrict sbox)
{
    uint4 s = in[get_global_id(0)] ^ keys[0];

    for (int round = 1; round < ROUNDS; ++round)
        s = (uint4)(mixed(table, s.x, s.y, s.z, s.w),
                    mixed(table, s.y, s.z, s.w, s.x),
                    mixed(table, s.z, s.w, s.x, s.y),
                    mixed(table, s.w, s.x, s.y, s.z)) ^
            keys[round];
    out[get_global_id(0)] =
        (uint4)(last(sbox, s.x, s.y, s.z, s.w),
                last(sbox, s.y, s.z, s.w, s.x),
                last(sbox, s.z, s.w, s.x, s.y),
                last(sbox, s.w, s.x, s.y, s.z)) ^
        keys[ROUNDS];
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
aes_decrypt(__global const uint4 *restrict in, __global uint4 *restrict out,
            __global const uint4 *restrict keys, __global const uint *restrict table,
            __global const uchar *restrict sbox)
{
    uint4 s = in[get_global_id(0)] ^ keys[0];

    for (int round = 1; round < ROUNDS; ++round)
        s = (uint4)(mixed(table, s.x, s.w, s.z, s.y),
                    mixed(table, s.y, s.x, s.w, s.z),
                    mixed(table, s.z, s.y, s.x, s.w),
                    mixed(table, s.w, s.z, s.y, s.x)) ^
            keys[round];
    out[get_global_id(0)] =
        (uint4)(last(sbox, s.x, s.w, s.z, s.y),
                last(sbox, s.y, s.x, s.w, s.z),
                last(sbox, s.z, s.y, s.x, s.w),
                last(sbox, s.w, s.z, s.y, s.x)) ^
        keys[ROUNDS];
}
