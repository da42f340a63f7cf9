/* aes128: AES-128 in ECB mode (FIPS-197, Advanced Encryption Standard, 2001, updated 2023) over
 * many blocks. aes_encrypt and then aes_decrypt of its result each write a buffer of their own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The key and the first block are the standard's example vector (appendix C.1), so its ciphertext
 * is known. The kernels' tables are computed here from the field's arithmetic. The reference has
 * its own S-box and follows the steps of the standard byte by byte (reference.h).
 */
#include "program/common.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/aes128/reference.h"
#include "program/program.h"

enum {
    ROUNDS = 10,
    GROUP = 256,       /* the kernels stage tables of 256 entries, one entry per work-item */
    SAMPLES = 1 << 17, /* number of blocks that the check compares */
};

static const unsigned char key[16] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,
                                      0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f};
static const unsigned char first_plain[16] = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                              0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
static const unsigned char first_cipher[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                               0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};

/* Tables that the kernels read. Columns are little-endian, row 0 in the low byte. */
typedef struct {
    uint32_t encrypt[256], decrypt[256];
    unsigned char sbox[256], inverse[256];
    uint32_t encrypt_keys[4 * (ROUNDS + 1)], decrypt_keys[4 * (ROUNDS + 1)];
} tables;

/* Product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1 (FIPS-197, 4.2). */
static unsigned multiply(unsigned a, unsigned b)
{
    unsigned product = 0;

    for (; b; b >>= 1) {
        if (b & 1)
            product ^= a;
        a = a << 1 ^ (a & 0x80 ? 0x11b : 0);
    }
    return product;
}

/* SubBytes of one byte: the inverse x^254, then the affine map (FIPS-197, 5.1.1). */
static unsigned char substitute(unsigned x)
{
    unsigned inverse = 1, result = 0x63;

    for (int i = 0; i < 254; i++)
        inverse = multiply(inverse, x);
    for (int k = 0; k < 5; k++)
        result ^= (inverse << k | inverse >> (8 - k)) & 0xff;
    return (unsigned char)result;
}

static uint32_t column_of(unsigned a, unsigned b, unsigned c, unsigned d)
{
    return (uint32_t)a | (uint32_t)b << 8 | (uint32_t)c << 16 | (uint32_t)d << 24;
}

/* The inverse of MixColumns for a byte in row 0 (FIPS-197, 5.3.3). */
static uint32_t unmixed(unsigned byte)
{
    return column_of(multiply(byte, 14), multiply(byte, 9), multiply(byte, 13), multiply(byte, 11));
}

static uint32_t rotated(uint32_t value, unsigned bytes)
{
    return bytes ? value << 8 * bytes | value >> (32 - 8 * bytes) : value;
}

static void make_sboxes(tables *t)
{
    for (unsigned x = 0; x < 256; x++) {
        unsigned s = substitute(x);

        t->sbox[x] = (unsigned char)s;
        t->inverse[s] = (unsigned char)x;
        t->encrypt[x] = column_of(multiply(s, 2), s, s, multiply(s, 3));
        t->decrypt[s] = unmixed(x);
    }
}

/* Key expansion (FIPS-197, 5.2), and the keys of the equivalent inverse cipher (5.3.5). */
static void make_keys(tables *t)
{
    unsigned constant = 1;

    for (size_t i = 0; i < 4; i++)
        t->encrypt_keys[i] = column_of(key[4 * i], key[4 * i + 1], key[4 * i + 2], key[4 * i + 3]);
    for (size_t i = 4; i < 4 * (ROUNDS + 1); i++) {
        uint32_t word = t->encrypt_keys[i - 1];

        if (i % 4 == 0) {
            word = rotated(word, 3); /* row 1 becomes row 0 */
            word = column_of(t->sbox[word & 255], t->sbox[word >> 8 & 255],
                             t->sbox[word >> 16 & 255], t->sbox[word >> 24]);
            word ^= constant;
            constant = multiply(constant, 2);
        }
        t->encrypt_keys[i] = t->encrypt_keys[i - 4] ^ word;
    }
    for (size_t i = 0; i < 4 * (ROUNDS + 1); i++) {
        size_t round = ROUNDS - i / 4;
        uint32_t word = t->encrypt_keys[4 * round + i % 4];

        if (round > 0 && round < ROUNDS)
            word = unmixed(word & 255) ^ rotated(unmixed(word >> 8 & 255), 1) ^
                   rotated(unmixed(word >> 16 & 255), 2) ^ rotated(unmixed(word >> 24), 3);
        t->decrypt_keys[i] = word;
    }
}

/* ---- check ---------------------------------------------------------------------------------- */

static pm_status compare_block(const char *name, size_t block, const unsigned char *got,
                               const unsigned char *want, pm_error *err)
{
    for (size_t i = 0; i < 16; i++)
        if (got[i] != want[i])
            return pm_fail(err, PM_FAILED, "%s: byte %zu of block %zu is 0x%02x, not 0x%02x", name,
                           i, block, got[i], want[i]);
    return PM_OK;
}

/* Decryption of all blocks must give the plaintext back. Encryption must give the standard's answer
 * for the first block, and the reference's for the samples. */
static pm_status check(const pm_workload *workload, const void *const *outputs, pm_error *err)
{
    const unsigned char *plain = workload->buffers[0].initial;
    const unsigned char *cipher = outputs[1], *decrypted = outputs[2];
    size_t blocks = workload->buffers[0].bytes / 16;
    size_t samples = blocks < SAMPLES ? blocks : SAMPLES;
    pm_status status = compare_block("cipher (FIPS-197)", 0, cipher, first_cipher, err);
    pm_aes128_reference reference;

    pm_aes128_reference_key(&reference, key);
    for (size_t i = 0; i < samples && !status; i++) {
        size_t block = pm_sample_position(i, samples, blocks);
        unsigned char want[16];

        pm_aes128_reference_encrypt(&reference, plain + 16 * block, want);
        status = compare_block("cipher", block, cipher + 16 * block, want, err);
    }
    if (!status && memcmp(plain, decrypted, 16 * blocks) == 0)
        return PM_OK;
    for (size_t block = 0; block < blocks && !status; block++)
        status = compare_block("decrypted", block, decrypted + 16 * block, plain + 16 * block, err);
    return status;
}

/* ---- workload ------------------------------------------------------------------------------- */

static void add_table(pm_workload *workload, const char *name, const void *table, size_t bytes)
{
    void *initial = pm_workload_contents(workload, bytes);

    if (initial)
        memcpy(initial, table, bytes);
    PM_ARGS(workload, PM_BUFFER(pm_workload_buffer(workload, name, bytes, initial, PM_BUFFER_IN)));
}

static size_t plain_buffer(pm_workload *workload, size_t bytes, uint64_t seed)
{
    unsigned char *initial = pm_workload_contents(workload, bytes);

    if (initial) {
        pm_random_bytes(initial, bytes, seed, "plain");
        memcpy(initial, first_plain, sizeof first_plain);
    }
    return pm_workload_buffer(workload, "plain", bytes, initial, PM_BUFFER_IN);
}

static void build(pm_workload *workload, uint64_t seed)
{
    size_t bytes = pm_size_value(workload->size) * 1024 * 1024;
    tables t;

    make_sboxes(&t);
    make_keys(&t);
    pm_workload_options(workload, "-cl-std=CL1.2 -DGROUP=%d -DROUNDS=%d", GROUP, ROUNDS);
    size_t plain = plain_buffer(workload, bytes, seed);
    size_t cipher = pm_poisoned_buffer(workload, "cipher", bytes);
    size_t decrypted = pm_poisoned_buffer(workload, "decrypted", bytes);
    pm_workload_launch(workload, "aes_encrypt", 1, (size_t[]){bytes / 16}, (size_t[]){GROUP});
    PM_ARGS(workload, PM_BUFFER(plain), PM_BUFFER(cipher));
    add_table(workload, "encrypt_keys", t.encrypt_keys, sizeof t.encrypt_keys);
    add_table(workload, "encrypt_table", t.encrypt, sizeof t.encrypt);
    add_table(workload, "sbox", t.sbox, sizeof t.sbox);
    pm_workload_launch(workload, "aes_decrypt", 1, (size_t[]){bytes / 16}, (size_t[]){GROUP});
    PM_ARGS(workload, PM_BUFFER(cipher), PM_BUFFER(decrypted));
    add_table(workload, "decrypt_keys", t.decrypt_keys, sizeof t.decrypt_keys);
    add_table(workload, "decrypt_table", t.decrypt, sizeof t.decrypt);
    add_table(workload, "inverse_sbox", t.inverse, sizeof t.inverse);
    workload->work = (double)bytes;
    workload->check = check;
}

const pm_program pm_program_aes128 = {
    .info = {.name = "aes128",
             .title = "AES-128 encryption and decryption",
             .base = "nolocal",
             .variants = PM_NAMES("local", "nolocal"),
             /* Size: plaintext in MiB. */
             .sizes = PM_NAMES("4", "8", "24", "64", "128", "256")},
    .build = build,
};
