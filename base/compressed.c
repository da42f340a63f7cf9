/* Files that are compressed by zstd. See compressed.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/compressed.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/strings.h"

enum {
    /* Level of compression. Higher levels make arrays of numbers hardly smaller, but take 2 to 4
     * times as long. */
    LEVEL = 1,
    /* Buffers of at least this size are compressed by several threads, smaller ones by the calling
     * thread. */
    THREADS_BYTES = 8 << 20,
    MOST_COMPRESSING = 16,
    /* largest window (range of back references) of a file that is read: 2^23 bytes, as in files of
     * level 19 */
    WINDOW_LOG = 23,
    HEADER_BYTES = 18,      /* largest header of a frame */
    PIECE_BYTES = 128 << 10 /* bytes that are read and decompressed at a time */
};

bool pm_is_compressed(const char *path)
{
    return pm_ends_in(path, PM_COMPRESSED);
}

/* ---- reading --------------------------------------------------------------------------------- */

static pm_status damaged(const char *path, const char *what, pm_error *err)
{
    return pm_fail(err, PM_BAD_INPUT,
                   "%s: %s; capture the program again, or compress the contents by zstd", path,
                   what);
}

static ssize_t read_some(int fd, void *to, size_t bytes, off_t at)
{
    ssize_t got;

    do
        got = pread(fd, to, bytes, at);
    while (got < 0 && errno == EINTR);
    return got;
}

pm_status pm_compressed_size(int fd, const char *path, uint64_t *bytes, pm_error *err)
{
    unsigned char header[HEADER_BYTES];
    const ssize_t got = read_some(fd, header, sizeof header, 0);
    const unsigned long long size =
        got > 0 ? ZSTD_getFrameContentSize(header, (size_t)got) : ZSTD_CONTENTSIZE_ERROR;

    if (size == ZSTD_CONTENTSIZE_ERROR)
        return damaged(path, "this is no zstd file", err);
    if (size == ZSTD_CONTENTSIZE_UNKNOWN)
        return damaged(path, "the zstd file does not declare the size of its contents", err);
    *bytes = size;
    return PM_OK;
}

/* State while a file that is compressed by zstd is read. */
typedef struct {
    int fd;
    const char *path;
    ZSTD_DStream *stream;
    off_t at;            /* file offset of the next bytes to read */
    ZSTD_inBuffer input; /* bytes that were read from the file, but not decompressed yet */
    unsigned char *from, *skipped;
    size_t left; /* last return value of ZSTD_decompressStream: 0 at the end of the frame */
} reading;

/* Writes the next `bytes` bytes of the decompressed contents to `to`. PM_BAD_INPUT if the file is
 * damaged or has fewer bytes. */
static pm_status decompress(reading *r, void *to, size_t bytes, pm_error *err)
{
    ZSTD_outBuffer output = {to, bytes, 0};

    while (output.pos < output.size) {
        if (r->input.pos == r->input.size) {
            const ssize_t got = read_some(r->fd, r->from, PIECE_BYTES, r->at);

            if (got < 0)
                return pm_fail(err, PM_FAILED, "%s: %s", r->path, strerror(errno));
            if (got == 0)
                return damaged(r->path, "the zstd file ends early", err);
            r->at += got;
            r->input = (ZSTD_inBuffer){r->from, (size_t)got, 0};
        }
        r->left = ZSTD_decompressStream(r->stream, &output, &r->input);
        if (ZSTD_isError(r->left))
            return damaged(r->path, ZSTD_getErrorName(r->left), err);
        if (r->left == 0 && output.pos < output.size)
            return damaged(r->path, "the zstd file has less contents than it declares", err);
    }
    return PM_OK;
}

/* Checks that the contents have no further byte, and that the file has no bytes after the zstd
 * frame. PM_BAD_INPUT otherwise. */
static pm_status check_end(reading *r, pm_error *err)
{
    unsigned char extra;
    ZSTD_outBuffer output = {&extra, 1, 0};

    while (r->left != 0) {
        if (r->input.pos == r->input.size) {
            const ssize_t got = read_some(r->fd, r->from, PIECE_BYTES, r->at);

            if (got <= 0)
                return damaged(r->path, "the zstd file ends early", err);
            r->at += got;
            r->input = (ZSTD_inBuffer){r->from, (size_t)got, 0};
        }
        r->left = ZSTD_decompressStream(r->stream, &output, &r->input);
        if (ZSTD_isError(r->left))
            return damaged(r->path, ZSTD_getErrorName(r->left), err);
        if (output.pos > 0)
            return damaged(r->path, "the zstd file has more contents than it declares", err);
    }
    if (r->input.pos < r->input.size || read_some(r->fd, &extra, 1, r->at) != 0)
        return damaged(r->path, "data follow the zstd file's first frame", err);
    return PM_OK;
}

static pm_status read_all(reading *r, uint64_t offset, void *to, size_t bytes, uint64_t size,
                          pm_error *err)
{
    pm_status status = PM_OK;

    if (!r->stream || !r->from || !r->skipped ||
        ZSTD_isError(ZSTD_DCtx_setParameter(r->stream, ZSTD_d_windowLogMax, WINDOW_LOG)))
        return pm_fail(err, PM_FAILED, "%s: out of memory", r->path);
    for (uint64_t at = 0; status == PM_OK && at < offset;) {
        const size_t piece = offset - at < PIECE_BYTES ? (size_t)(offset - at) : PIECE_BYTES;

        status = decompress(r, r->skipped, piece, err);
        at += piece;
    }
    if (status == PM_OK)
        status = decompress(r, to, bytes, err);
    return status == PM_OK && offset + bytes == size ? check_end(r, err) : status;
}

pm_status pm_compressed_read(int fd, const char *path, uint64_t offset, void *to, size_t bytes,
                             pm_error *err)
{
    reading r = {.fd = fd, .path = path, .left = 1};
    uint64_t size;
    pm_status status = pm_compressed_size(fd, path, &size, err);

    if (status != PM_OK)
        return status;
    if (offset > size || bytes > size - offset)
        return damaged(path, "the zstd file has less contents than the buffer needs", err);
    r.stream = ZSTD_createDStream();
    r.from = malloc(PIECE_BYTES);
    r.skipped = malloc(PIECE_BYTES);
    status = read_all(&r, offset, to, bytes, size, err);
    ZSTD_freeDStream(r.stream);
    free(r.from);
    free(r.skipped);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

struct pm_compressor {
    int fd;
    ZSTD_CStream *stream;
    void *piece;
    size_t piece_bytes;
};

/* Returns the number of threads that zstd starts to compress contents of this size. 0: the calling
 * thread compresses. According to zstd's manual, the compressed bytes do not depend on this number,
 * if it is at least 1. */
static int threads_for(uint64_t bytes)
{
    cpu_set_t cores;
    int count = 1;

    if (bytes < THREADS_BYTES)
        return 0;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0)
        count = CPU_COUNT(&cores);
    return count < MOST_COMPRESSING ? count : MOST_COMPRESSING;
}

pm_compressor *pm_compressor_create(int fd, uint64_t bytes)
{
    pm_compressor *self = calloc(1, sizeof *self);

    if (!self)
        return NULL;
    self->fd = fd;
    self->piece_bytes = ZSTD_CStreamOutSize();
    self->piece = malloc(self->piece_bytes);
    self->stream = ZSTD_createCStream();
    if (self->piece && self->stream &&
        !ZSTD_isError(ZSTD_CCtx_setParameter(self->stream, ZSTD_c_compressionLevel, LEVEL)) &&
        !ZSTD_isError(ZSTD_CCtx_setParameter(self->stream, ZSTD_c_checksumFlag, 1)) &&
        !ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(self->stream, bytes))) {
        /* If zstd was built without threads, this call fails, and the calling thread compresses. */
        ZSTD_CCtx_setParameter(self->stream, ZSTD_c_nbWorkers, threads_for(bytes));
        return self;
    }
    pm_compressor_free(self);
    return NULL;
}

static bool compress(pm_compressor *self, const void *from, size_t bytes, ZSTD_EndDirective end)
{
    ZSTD_inBuffer input = {from, bytes, 0};
    size_t left;

    do {
        ZSTD_outBuffer output = {self->piece, self->piece_bytes, 0};

        left = ZSTD_compressStream2(self->stream, &output, &input, end);
        if (ZSTD_isError(left)) {
            errno = EIO;
            return false;
        }
        if (!pm_write_whole(self->fd, self->piece, output.pos))
            return false;
    } while (end == ZSTD_e_end ? left > 0 : input.pos < input.size);
    return true;
}

bool pm_compressor_add(pm_compressor *self, const void *from, size_t bytes)
{
    return compress(self, from, bytes, ZSTD_e_continue);
}

bool pm_compressor_end(pm_compressor *self)
{
    return compress(self, NULL, 0, ZSTD_e_end);
}

void pm_compressor_free(pm_compressor *self)
{
    if (!self)
        return;
    ZSTD_freeCStream(self->stream);
    free(self->piece);
    free(self);
}
