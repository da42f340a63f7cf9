/* Makes the lookup tables and round keys that the AES-128 kernels read, and fills the first block
 * of the plaintext with the example of FIPS-197. The tables are computed from the arithmetic of
 * GF(2^8).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers in parentheses are sections of FIPS-197. Columns are little-endian, with row 0 in the low
 * byte.
 */

/* Returns the product of a and b in GF(2^8), modulo x^8 + x^4 + x^3 + x + 1 (4.2). */
static uint multiply(uint a, uint b)
{
    uint product = 0;

    for (; b; b >>= 1) {
        if (b & 1)
            product ^= a;
        a = a << 1 ^ (a & 0x80 ? 0x11b : 0);
    }
    return product;
}

/* Returns SubBytes of one byte: the inverse x^254, then the affine map (5.1.1). */
static uint substitute(uint x)
{
    uint inverse = 1, result = 0x63;

    for (int i = 0; i < 254; i++)
        inverse = multiply(inverse, x);
    for (int k = 0; k < 5; k++)
        result ^= (inverse << k | inverse >> (8 - k)) & 0xff;
    return result;
}

static uint column_of(uint a, uint b, uint c, uint d)
{
    return a | b << 8 | c << 16 | d << 24;
}

/* Returns the column that the inverse of MixColumns makes of a byte in row 0 (5.3.3). */
static uint unmixed(uint byte)
{
    return column_of(multiply(byte, 14), multiply(byte, 9), multiply(byte, 13), multiply(byte, 11));
}

/* Each work-item x makes the entries for byte x of all four tables. */
__kernel void make_tables(__global uint *encrypt, __global uint *decrypt, __global uchar *sbox,
                          __global uchar *inverse)
{
    const uint x = get_global_id(0), s = substitute(x);

    sbox[x] = s;
    inverse[s] = x;
    encrypt[x] = column_of(multiply(s, 2), s, s, multiply(s, 3));
    decrypt[s] = unmixed(x);
}

/* Returns column i of the key. The key is that of appendix C.1: bytes 0, 1, ... 15. */
static uint key_column(uint i)
{
    return column_of(4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
}

/* Expands the key to the round keys (5.2), and makes those of the equivalent inverse cipher
 * (5.3.5). Launched with one work-item. */
__kernel void make_keys(__global const uchar *sbox, __global uint *encrypt, __global uint *decrypt)
{
    uint constant_ = 1;

    for (int i = 0; i < 4; i++)
        encrypt[i] = key_column(i);
    for (int i = 4; i < 4 * (ROUNDS + 1); i++) {
        uint word = encrypt[i - 1];

        if (i % 4 == 0) {
            word = rotate(word, 24u); /* row 1 becomes row 0 */
            word = column_of(sbox[word & 255], sbox[word >> 8 & 255], sbox[word >> 16 & 255],
                             sbox[word >> 24]);
            word ^= constant_;
            constant_ = multiply(constant_, 2);
        }
        encrypt[i] = encrypt[i - 4] ^ word;
    }
    for (int i = 0; i < 4 * (ROUNDS + 1); i++) {
        const int round = ROUNDS - i / 4;
        uint word = encrypt[4 * round + i % 4];

        if (round > 0 && round < ROUNDS)
            word = unmixed(word & 255) ^ rotate(unmixed(word >> 8 & 255), 8u) ^
                   rotate(unmixed(word >> 16 & 255), 16u) ^ rotate(unmixed(word >> 24), 24u);
        decrypt[i] = word;
    }
}

/* Fills the first block of the plaintext with that of appendix C.1: 0x00, 0x11, ... 0xff. */
__kernel void make_first_block(__global uchar *plain)
{
    plain[get_global_id(0)] = 0x11 * get_global_id(0);
}
