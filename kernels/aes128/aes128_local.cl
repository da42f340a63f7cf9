/* AES-128 (FIPS-197) in ECB mode, encryption and decryption. Each work-item handles a block. The
 * tables and the round keys are staged in __local memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A column of the state is a little-endian uint. table[] has, for a byte in row 0, the column that
 * SubBytes and MixColumns (or their inverses) make of it; for row r it is rotated by r bytes.
 * sbox[] alone is used in the last round. Decryption is the equivalent inverse cipher (FIPS-197,
 * 5.3.5).
 */
static uint mixed(__local const uint *table, uint a, uint b, uint c, uint d)
{
    return table[a & 255] ^ rotate(table[b >> 8 & 255], 8u) ^ rotate(table[c >> 16 & 255], 16u) ^
           rotate(table[d >> 24], 24u);
}

static uint last(__local const uchar *sbox, uint a, uint b, uint c, uint d)
{
    return (uint)sbox[a & 255] | (uint)sbox[b >> 8 & 255] << 8 | (uint)sbox[c >> 16 & 255] << 16 |
           (uint)sbox[d >> 24] << 24;
}

/* Copies the tables and the round keys to local memory. GROUP is 256, the length of both tables, so
 * each work-item copies one entry. */
static void stage(__global const uint *table, __global const uchar *sbox,
                  __global const uint4 *keys, __local uint *near_table, __local uchar *near_sbox,
                  __local uint4 *near_keys)
{
    const int i = get_local_id(0);

    near_table[i] = table[i];
    near_sbox[i] = sbox[i];
    if (i <= ROUNDS)
        near_keys[i] = keys[i];
    barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
aes_encrypt(__global const uint4 *restrict in, __global uint4 *restrict out,
            __global const uint4 *restrict keys, __global const uint *restrict table,
            __global const uchar *restrict sbox)
{
    __local uint4 near_keys[ROUNDS + 1];
    __local uint near_table[256];
    __local uchar near_sbox[256];

    stage(table, sbox, keys, near_table, near_sbox, near_keys);

    uint4 s = in[get_global_id(0)] ^ near_keys[0];

    for (int round = 1; round < ROUNDS; ++round)
        s = (uint4)(mixed(near_table, s.x, s.y, s.z, s.w),
                    mixed(near_table, s.y, s.z, s.w, s.x),
                    mixed(near_table, s.z, s.w, s.x, s.y),
                    mixed(near_table, s.w, s.x, s.y, s.z)) ^
            near_keys[round];
    out[get_global_id(0)] =
        (uint4)(last(near_sbox, s.x, s.y, s.z, s.w),
                last(near_sbox, s.y, s.z, s.w, s.x),
                last(near_sbox, s.z, s.w, s.x, s.y),
                last(near_sbox, s.w, s.x, s.y, s.z)) ^
        near_keys[ROUNDS];
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
aes_decrypt(__global const uint4 *restrict in, __global uint4 *restrict out,
            __global const uint4 *restrict keys, __global const uint *restrict table,
            __global const uchar *restrict sbox)
{
    __local uint4 near_keys[ROUNDS + 1];
    __local uint near_table[256];
    __local uchar near_sbox[256];

    stage(table, sbox, keys, near_table, near_sbox, near_keys);

    uint4 s = in[get_global_id(0)] ^ near_keys[0];

    for (int round = 1; round < ROUNDS; ++round)
        s = (uint4)(mixed(near_table, s.x, s.w, s.z, s.y),
                    mixed(near_table, s.y, s.x, s.w, s.z),
                    mixed(near_table, s.z, s.y, s.x, s.w),
                    mixed(near_table, s.w, s.z, s.y, s.x)) ^
            near_keys[round];
    out[get_global_id(0)] =
        (uint4)(last(near_sbox, s.x, s.w, s.z, s.y),
                last(near_sbox, s.y, s.x, s.w, s.z),
                last(near_sbox, s.z, s.y, s.x, s.w),
                last(near_sbox, s.w, s.z, s.y, s.x)) ^
        near_keys[ROUNDS];
}
