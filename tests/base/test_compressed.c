/* Tests the files that are compressed by zstd: contents that are written are read back unchanged.
 * Files that are damaged or malicious are refused, and reading them takes a bounded amount of
 * memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/compressed.h"
#include "unit.h"

enum { BYTES = 1 << 20, MUTANTS = 2000 };

static int temporary(void)
{
    char path[] = "/tmp/test_compressed_XXXXXX";
    int fd = mkstemp(path);

    assert_true(fd >= 0);
    unlink(path);
    return fd;
}

static uint8_t *made(size_t bytes)
{
    uint8_t *data = malloc(bytes);
    uint32_t state = 1;

    assert_non_null(data);
    for (size_t i = 0; i < bytes; i++) {
        state = state * 1664525u + 1013904223u;
        data[i] = i < bytes / 2 ? (uint8_t)(state >> 24) : 0;
    }
    return data;
}

static int written(const uint8_t *data, size_t bytes, size_t declared)
{
    const int fd = temporary();
    pm_compressor *compressor = pm_compressor_create(fd, declared);

    assert_non_null(compressor);
    for (size_t at = 0; at < bytes; at += 100000)
        assert_true(
            pm_compressor_add(compressor, data + at, bytes - at < 100000 ? bytes - at : 100000));
    assert_int_equal(pm_compressor_end(compressor), bytes == declared);
    pm_compressor_free(compressor);
    return fd;
}

static void refused(int fd, size_t bytes, const char *what)
{
    uint8_t *to = malloc(bytes + 1);
    pm_error err = {0};

    assert_int_equal(pm_compressed_read(fd, "x.zst", 0, to, bytes, &err), PM_BAD_INPUT);
    if (!strstr(err.text, what))
        fail_msg("\"%s\" does not say \"%s\"", err.text, what);
    free(to);
    close(fd);
}

/* A file with these bytes. */
static int holding(const void *bytes, size_t size)
{
    const int fd = temporary();

    assert_int_equal(write(fd, bytes, size), size);
    return fd;
}

TEST(round_trip)
{
    uint8_t *data = made(BYTES), *back = malloc(BYTES);
    const int fd = written(data, BYTES, BYTES);
    uint64_t size = 0;

    assert_int_equal(pm_compressed_size(fd, "x.zst", &size, NULL), PM_OK);
    assert_int_equal(size, BYTES);
    assert_true(lseek(fd, 0, SEEK_END) < BYTES);
    assert_int_equal(pm_compressed_read(fd, "x.zst", 0, back, BYTES, NULL), PM_OK);
    assert_memory_equal(back, data, BYTES);
    assert_int_equal(pm_compressed_read(fd, "x.zst", 300001, back, 5000, NULL), PM_OK);
    assert_memory_equal(back, data + 300001, 5000);
    close(fd);
    free(data);
    free(back);
}

TEST(wrong_sizes)
{
    uint8_t *data = made(BYTES);

    refused(written(data, BYTES, BYTES), BYTES + 1, "less contents than the buffer needs");
    refused(holding("no zstd file at all", 19), 4, "no zstd file");
    refused(holding("", 0), 4, "no zstd file");
    free(data);
}

/* Streams of the zstd library with other parameters than perfmodel's. */
TEST(hostile_streams)
{
    const size_t room = ZSTD_compressBound(32 << 20);
    uint8_t *data = made(32 << 20), *packed = malloc(room);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_inBuffer in = {data, 1000, 0};
    ZSTD_outBuffer out = {packed, room, 0};
    size_t size;

    assert_int_equal(ZSTD_compressStream2(context, &out, &in, ZSTD_e_flush) > 0, 0);
    assert_int_equal(ZSTD_compressStream2(context, &out, &in, ZSTD_e_end), 0);
    refused(holding(packed, out.pos), 1000, "does not declare the size");
    size = ZSTD_compress(packed, room, data, 1000, 3);
    refused(holding(packed, size - 1), 1000, "ends early");
    memcpy(packed + size, "more", 4);
    refused(holding(packed, size + 4), 1000, "data follow");
    packed[5] ^= 1; /* the declared size of one byte follows magic number and descriptor */
    refused(holding(packed, size), 100, "zstd");
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 25);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 1);
    ZSTD_CCtx_setPledgedSrcSize(context, 32 << 20);
    out = (ZSTD_outBuffer){packed, room, 0};
    in = (ZSTD_inBuffer){data, 32 << 20, 0};
    assert_int_equal(ZSTD_compressStream2(context, &out, &in, ZSTD_e_end), 0);
    refused(holding(packed, out.pos), 32 << 20, "memory");
    ZSTD_freeCCtx(context);
    free(data);
    free(packed);
}

/* Damaged files never read as other contents. */
TEST(mutants)
{
    uint8_t *data = made(20000), *back = malloc(20000), file[20000];
    const int fd = written(data, 20000, 20000);
    const ssize_t bytes = pread(fd, file, sizeof file, 0);

    close(fd);
    for (unsigned m = 0; m < MUTANTS; m++) {
        const size_t at = (size_t)m * 7919 % (size_t)bytes;
        int mutant;

        file[at] ^= (uint8_t)(1 + m % 255);
        mutant = holding(file, (size_t)bytes);
        if (pm_compressed_read(mutant, "x.zst", 0, back, 20000, NULL) == PM_OK)
            assert_memory_equal(back, data, 20000);
        close(mutant);
        file[at] ^= (uint8_t)(1 + m % 255);
    }
    free(data);
    free(back);
}
