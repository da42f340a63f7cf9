/* Copies the contents of a GPU buffer of the captured program to a file. See recording.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A first pass computes the hash. Only if no equal contents are stored yet, a second pass writes
 * the contents to a file. It is seldom needed, because most buffers do not change between launches.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/recording/recording.h"

typedef struct {
    pm_rec_read read;
    void *user;
    size_t bytes;
    unsigned char *chunk;
    size_t chunk_bytes;
} reader;

static bool write_chunk(int file, const unsigned char *at, size_t bytes)
{
    while (bytes > 0) {
        ssize_t written = write(file, at, bytes);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        bytes -= (size_t)written;
    }
    return true;
}

/* Reads the whole buffer in chunks. Hashes it, and writes it to the file. file: file descriptor;
 * -1: none. */
static bool read_all(const reader *r, pm_rec_hash *hash, int file)
{
    pm_rec_hash_begin(hash);
    for (size_t offset = 0; offset < r->bytes; offset += r->chunk_bytes) {
        const size_t left = r->bytes - offset;
        const size_t bytes = left < r->chunk_bytes ? left : r->chunk_bytes;

        if (!r->read(r->user, offset, bytes, r->chunk))
            return false;
        pm_rec_hash_add(hash, r->chunk, bytes);
        if (file >= 0 && !write_chunk(file, r->chunk, bytes))
            return false;
    }
    return true;
}

/* Writes the buffer's contents to a new file. The file's name is the hash of the bytes that were
 * written, because another thread may have changed the buffer since it was first read and
 * hashed. */
static size_t store(const reader *r)
{
    char path[PATH_MAX], id[40];
    size_t index = SIZE_MAX;
    pm_rec_hash hash;
    bool written;
    int file;

    pm_rec_lock();
    file = pm_rec_contents_open(path, sizeof path);
    pm_rec_unlock();
    if (file < 0)
        return SIZE_MAX;
    written = read_all(r, &hash, file);
    written = close(file) == 0 && written;
    pm_rec_hash_end(&hash, id);
    pm_rec_lock();
    if (written && *id != '=' && pm_rec_contents_name(path, id))
        index = pm_rec_contents_put(id, r->bytes);
    else
        unlink(path);
    pm_rec_unlock();
    return index;
}

static size_t use_or_store(const reader *r, pm_left_out *reason)
{
    const pm_recording *rec = pm_recording_get();
    pm_rec_hash hash;
    size_t index;
    char id[40];

    if (!read_all(r, &hash, -1))
        return SIZE_MAX;
    pm_rec_hash_end(&hash, id);
    pm_rec_lock();
    index = pm_rec_contents_use(id);
    if (index == SIZE_MAX && rec->contents_bytes + r->bytes > rec->choice.most_bytes)
        *reason = PM_LEFT_BYTES;
    pm_rec_unlock();
    return index == SIZE_MAX && *reason != PM_LEFT_BYTES ? store(r) : index;
}

size_t pm_rec_snapshot(pm_rec_read read, void *user, size_t bytes, pm_left_out *reason)
{
    reader r = {.read = read, .user = user, .bytes = bytes};
    size_t index = SIZE_MAX;

    *reason = PM_LEFT_UNREADABLE;
    r.chunk_bytes = bytes < PM_REC_CHUNK ? bytes : PM_REC_CHUNK;
    r.chunk = malloc(r.chunk_bytes + 1);
    if (r.chunk)
        index = use_or_store(&r, reason);
    free(r.chunk);
    return index;
}
