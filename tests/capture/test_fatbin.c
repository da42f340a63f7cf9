/* Tests the reader of fatbins (NVIDIA's containers of PTX and machine code): plain and compressed
 * PTX is found, and damaged fatbins do no harm.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/images/fatbin.h"

#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "unit.h"

enum { ROOM = 1 << 16, HEADER = 64, PTX = 1, CUBIN = 2, LZ4 = 0x2000, ZSTD = 0x8000 };

/* A fatbin that a test writes. */
typedef struct {
    uint8_t bytes[ROOM];
    size_t size;
} container;

static void put(uint8_t *at, uint64_t value, size_t size)
{
    for (size_t b = 0; b < size; b++)
        at[b] = (uint8_t)(value >> 8 * b);
}

static void begin(container *c)
{
    memset(c, 0, sizeof *c);
    put(c->bytes, 0xba55ed50, 4);
    put(c->bytes + 4, 1, 2);
    put(c->bytes + 6, 16, 2);
    c->size = 16;
}

/* Adds an entry whose payload, of `packed` bytes, becomes `bytes` bytes. */
static void add(container *c, int kind, unsigned arch, int flags, const char *payload,
                size_t packed, size_t bytes)
{
    uint8_t *head = c->bytes + c->size;
    const size_t padded = (packed + 7) / 8 * 8;

    put(head, (uint64_t)kind, 2);
    put(head + 4, HEADER, 4);
    put(head + 8, padded, 8);
    put(head + 16, flags ? packed : 0, 4);
    put(head + 28, arch, 4);
    put(head + 40, (uint64_t)flags, 8);
    put(head + 56, flags ? bytes : 0, 8);
    memcpy(head + HEADER, payload, packed);
    c->size += HEADER + padded;
    put(c->bytes + 8, c->size - 16, 8);
}

static void add_packed(container *c, unsigned arch, int flags, const char *text)
{
    static char packed[ROOM];
    const size_t bytes = strlen(text);
    const size_t size = flags == ZSTD
                            ? ZSTD_compress(packed, sizeof packed, text, bytes, 3)
                            : (size_t)LZ4_compress_default(text, packed, (int)bytes, sizeof packed);

    add(c, PTX, arch, flags, packed, size, bytes);
}

/* A text of some thousand bytes that can be compressed. */
static const char *long_text(void)
{
    static char text[4096];

    text[0] = '\0';
    for (int i = 0; i < 90; i++)
        sprintf(text + strlen(text), "add.s32 %%r%d, %%r%d, %d;\n", i, i * 7 % 90, i * i);
    return text;
}

static container *make_all(void)
{
    static container c;

    begin(&c);
    add(&c, PTX, 70, 0, "// plain", 8, 8);
    add(&c, 5, 0, 0, "another kind", 12, 12);
    add(&c, CUBIN, 90, 0, "\177ELF", 4, 4);
    add_packed(&c, 80, LZ4, long_text());
    add_packed(&c, 90, ZSTD, long_text());
    return &c;
}

static void expect_text(const pm_fatbin_entry *entry, unsigned arch, const char *wanted)
{
    pm_error err;
    char *text = pm_fatbin_text(entry, &err);

    assert_true(entry->is_ptx);
    assert_int_equal(entry->arch, arch);
    assert_non_null(text);
    assert_string_equal(text, wanted);
    free(text);
}

TEST(test_entries)
{
    const container *c = make_all();
    pm_memory memory = {0};
    pm_fatbin fatbin;
    pm_error err;

    assert_int_equal(pm_fatbin_read(&memory, c->bytes, c->size, &fatbin, &err), PM_OK);
    assert_int_equal(fatbin.count, 4);
    expect_text(&fatbin.entries[0], 70, "// plain");
    assert_false(fatbin.entries[1].is_ptx);
    assert_int_equal(fatbin.entries[1].arch, 90);
    expect_text(&fatbin.entries[2], 80, long_text());
    expect_text(&fatbin.entries[3], 90, long_text());
    pm_memory_free(&memory);
}

/* Entries before the damage are found. */
TEST(test_cut)
{
    const container *c = make_all();
    pm_memory memory = {0};
    pm_fatbin fatbin;
    pm_error err;

    for (size_t size = 0; size < c->size; size++) {
        /* a copy of exactly this size, so that AddressSanitizer finds reads after its end */
        uint8_t *cut = malloc(size + 1);

        memcpy(cut, c->bytes, size);
        assert_int_equal(pm_fatbin_read(&memory, cut, size, &fatbin, &err), PM_BAD_INPUT);
        if (size >= 16) {
            put(cut + 8, size - 16, 8);
            pm_fatbin_read(&memory, cut, size, &fatbin, &err);
            for (size_t i = 0; i < fatbin.count; i++)
                assert_true(fatbin.entries[i].payload + fatbin.entries[i].payload_bytes <=
                            cut + size);
        }
        free(cut);
    }
    pm_memory_free(&memory);
}

TEST(test_damaged_text)
{
    container *c = make_all();
    pm_memory memory = {0};
    pm_fatbin fatbin;
    pm_error err;
    pm_fatbin_entry entry;

    assert_int_equal(pm_fatbin_read(&memory, c->bytes, c->size, &fatbin, &err), PM_OK);
    for (size_t i = 2; i < 4; i++) {
        entry = fatbin.entries[i];
        entry.bytes = (uint64_t)1 << 60;
        assert_null(pm_fatbin_text(&entry, &err));
        assert_non_null(strstr(err.text, "64 MiB"));
        entry.bytes = fatbin.entries[i].bytes - 1;
        assert_null(pm_fatbin_text(&entry, &err));
        entry.bytes = fatbin.entries[i].bytes + 1;
        assert_null(pm_fatbin_text(&entry, &err));
        assert_non_null(strstr(err.text, "is damaged"));
    }
    pm_memory_free(&memory);
}

/* Random changes: no read or write is outside of the fatbin and of the text. */
TEST(test_random)
{
    enum { ROUNDS = 20000 };
    const container *good = make_all();
    uint64_t seed = 88172645463325252U;

    for (int round = 0; round < ROUNDS; round++) {
        uint8_t *bytes = malloc(good->size);
        pm_memory memory = {0};
        pm_fatbin fatbin;
        pm_error err;

        memcpy(bytes, good->bytes, good->size);
        for (int change = 0; change < 3; change++) {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            bytes[seed % good->size] = (uint8_t)(seed >> 40);
        }
        pm_fatbin_read(&memory, bytes, good->size, &fatbin, &err);
        for (size_t i = 0; i < fatbin.count; i++)
            free(fatbin.entries[i].is_ptx ? pm_fatbin_text(&fatbin.entries[i], &err) : NULL);
        pm_memory_free(&memory);
        free(bytes);
    }
}
