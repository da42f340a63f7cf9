/* Copies the contents of a GPU buffer of the captured program to a file. See recording.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A first pass computes the hash. Only if no equal contents are stored yet, a second pass writes
 * the contents to a file. It is seldom needed, because most buffers do not change between launches.
 * If no stored contents begin with the same chunk, one pass does both.
 * Blocks of zeros become holes in the file, which take no disk space and do not count as bytes.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/recording/recording.h"

typedef struct {
    pm_rec_read read;
    void *user;
    size_t bytes;
    unsigned char *chunk;
    size_t chunk_bytes;
    size_t stored; /* number of bytes of the contents without the blocks that are all zeros */
    size_t most;   /* limit on `stored` */
    uint64_t head; /* hash of the first chunk and of the size */
} reader;

enum { BLOCK = 4096 };

static bool is_zero(const unsigned char *at, size_t bytes)
{
    return at[0] == 0 && memcmp(at, at + 1, bytes - 1) == 0;
}

static bool write_bytes(int file, const unsigned char *at, size_t bytes)
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

/* Handles the next bytes of the contents. file: file descriptor to which blocks that are not zero
 * are written; -1: they are only counted. */
static bool add_chunk(reader *r, size_t bytes, int file)
{
    size_t start = 0;

    for (size_t at = 0; at < bytes; at += BLOCK) {
        const size_t size = bytes - at < BLOCK ? bytes - at : BLOCK;

        if (!is_zero(r->chunk + at, size)) {
            r->stored += size;
            if (file >= 0 && r->stored > r->most)
                return false;
            continue;
        }
        if (file >= 0 && (!write_bytes(file, r->chunk + start, at - start) ||
                          lseek(file, (off_t)size, SEEK_CUR) < 0))
            return false;
        start = at + size;
    }
    return file < 0 || write_bytes(file, r->chunk + start, bytes - start);
}

/* Reads the whole buffer in chunks. Hashes it, and writes it to the file. file: file descriptor;
 * -1: none. A buffer of one chunk is read only once. */
static bool read_all(reader *r, pm_rec_hash *hash, int file)
{
    const bool loaded = file >= 0 && r->bytes <= r->chunk_bytes;

    pm_rec_hash_begin(hash);
    r->stored = 0;
    for (size_t offset = 0; offset < r->bytes; offset += r->chunk_bytes) {
        const size_t left = r->bytes - offset;
        const size_t bytes = left < r->chunk_bytes ? left : r->chunk_bytes;

        if (!loaded && !r->read(r->user, offset, bytes, r->chunk))
            return false;
        pm_rec_hash_add(hash, r->chunk, bytes);
        if (!add_chunk(r, bytes, file))
            return false;
    }
    return file < 0 || ftruncate(file, (off_t)r->bytes) == 0;
}

/* Writes the buffer's contents to a new file. The file's name is the hash of the bytes that were
 * written, because another thread may have changed the buffer since it was first read and
 * hashed. */
static size_t store(reader *r)
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
        index = pm_rec_contents_put(id, r->stored);
    else
        unlink(path);
    if (written && *id == '=')
        index = pm_rec_contents_use(id);
    if (index != SIZE_MAX)
        pm_recording_get()->contents[index].head = r->head;
    pm_rec_unlock();
    return index;
}

/* Sets r->most, the limit on the bytes of new contents, from the user's limit. If the option
 * --longest is used, contents of earlier launches do not count, because these launches can be
 * dropped. */
static void set_limit(const pm_recording *rec, reader *r)
{
    const uint64_t before = rec->choice.longest > 0 ? rec->launch_bytes : rec->contents_bytes;

    r->most = before < rec->choice.most_bytes ? rec->choice.most_bytes - before : 0;
}

/* Returns whether the contents must be new, because no stored contents have the same size and the
 * same first chunk. Returns false if this is not known, also if the contents have only one
 * chunk. */
static bool is_new(reader *r)
{
    const pm_recording *rec = pm_recording_get();
    bool found = false;

    if (r->bytes <= r->chunk_bytes || !r->read(r->user, 0, r->chunk_bytes, r->chunk))
        return false;
    r->head = pm_hash_bytes(r->chunk, r->chunk_bytes) ^ r->bytes;
    pm_rec_lock();
    for (size_t i = 0; i < rec->contents_count && !found; i++)
        found = rec->contents[i].users > 0 && rec->contents[i].head == r->head;
    pm_rec_unlock();
    return !found;
}

static size_t use_or_store(reader *r, pm_left_out *reason)
{
    const pm_recording *rec = pm_recording_get();
    size_t index = SIZE_MAX;
    pm_rec_hash hash;
    char id[40];

    pm_rec_lock();
    set_limit(rec, r);
    pm_rec_unlock();
    if (!is_new(r)) {
        if (!read_all(r, &hash, -1))
            return SIZE_MAX;
        pm_rec_hash_end(&hash, id);
        pm_rec_lock();
        index = pm_rec_contents_use(id);
        pm_rec_unlock();
    }
    if (index == SIZE_MAX && r->stored <= r->most)
        index = store(r);
    if (index == SIZE_MAX && r->stored > r->most)
        *reason = PM_LEFT_BYTES;
    return index;
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
