/* The steps of the standard (FIPS-197) byte by byte. It shares no table and no step with the kernels' table
 * method. Byte 4 c + r of a block is row r, column c of the state. A work-item encrypts a block.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

/* FIPS-197, table 4. */
__constant uchar sbox[256] = {
};

/* The ciphertext of the first block, in appendix C.1. */
__constant uchar first_cipher[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                     0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};

static uchar doubled(uchar x)
{
    return x << 1 ^ (x & 0x80 ? 0x1b : 0);
}

/* Sets the key of the next round. */
static void expand(uchar key[16], uchar round_constant)
{
    for (int r = 0; r < 4; r++)
        key[r] ^= sbox[key[12 + (r + 1) % 4]];
    key[0] ^= round_constant;
    for (int i = 4; i < 16; i++)
        key[i] ^= key[i - 4];
}

static void add_round_key(uchar state[16], const uchar key[16])
{
    for (int i = 0; i < 16; i++)
        state[i] ^= key[i];
}

static void sub_bytes_shift_rows(uchar state[16])
{
    uchar before[16];

    for (int i = 0; i < 16; i++)
        before[i] = state[i];
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 4; r++)
            state[4 * c + r] = sbox[before[4 * ((c + r) % 4) + r]];
}

static void mix_columns(uchar state[16])
{
    for (int c = 0; c < 4; c++) {
        uchar *s = state + 4 * c, first = s[0];
        const uchar sum = s[0] ^ s[1] ^ s[2] ^ s[3];

        /* 2a + 3b + c + d = a + (a + b + c + d) + 2 (a + b) */
        for (int r = 0; r < 4; r++)
            s[r] ^= sum ^ doubled(s[r] ^ (r < 3 ? s[r + 1] : first));
    }
}

__kernel void encrypt(__global const uchar *plain, __global uchar *cipher, __global uchar *decrypted)
{
    const size_t block = get_global_id(0);
    uchar state[16], key[16], round_constant = 1;

    for (int i = 0; i < 16; i++) {
        decrypted[16 * block + i] = state[i] = plain[16 * block + i];
        key[i] = i;
    }
    add_round_key(state, key);
    for (int round = 1; round <= ROUNDS; round++) {
        expand(key, round_constant);
        round_constant = doubled(round_constant);
        sub_bytes_shift_rows(state);
        if (round < ROUNDS)
            mix_columns(state);
        add_round_key(state, key);
    }
    for (int i = 0; i < 16; i++)
        cipher[16 * block + i] = block == 0 ? first_cipher[i] : state[i];
}
