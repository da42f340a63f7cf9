/* Stores contents of buffers, sources and headers once each, in files named by their hashes. See
 * recording.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/recording/recording.h"

/* ---- the hash -------------------------------------------------------------------------------- */

/* Hash function of contents. 64-bit words go to four lanes (independent partial hashes) in turn.
 * Each lane works like FNV-1a (Fowler, Noll and Vo, RFC 9923), but on words instead of bytes. A
 * shift lets upper bits affect lower bits. */
enum { LANES = 4, BLOCK = 32 };
#define PRIME UINT64_C(0x9e3779b97f4a7c15)

static uint64_t mix(uint64_t lane, uint64_t word)
{
    lane = (lane ^ word) * PRIME;
    return lane ^ lane >> 29;
}

void pm_rec_hash_begin(pm_rec_hash *hash)
{
    *hash = (pm_rec_hash){.lanes = {1, 2, 3, 4}, .repeats = true};
}

/* Returns true if the bytes continue the repeated pattern of the contents read so far. */
static bool repeats(pm_rec_hash *hash, const unsigned char *bytes, size_t size)
{
    const size_t period = sizeof hash->first, start = size < period ? size : period;

    if (hash->bytes == 0)
        memcpy(hash->first, bytes, start);
    return memcmp(hash->first, bytes, start) == 0 &&
           (size <= period || memcmp(bytes, bytes + period, size - period) == 0);
}

void pm_rec_hash_add(pm_rec_hash *hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes, *end = at + size;

    hash->repeats = hash->repeats && repeats(hash, at, size);
    hash->bytes += size;
    for (; end - at >= BLOCK; at += BLOCK) {
        uint64_t words[LANES];

        memcpy(words, at, sizeof words);
        for (int l = 0; l < LANES; l++)
            hash->lanes[l] = mix(hash->lanes[l], words[l]);
    }
    if (at < end) {
        uint64_t words[LANES] = {0};

        memcpy(words, at, (size_t)(end - at));
        for (int l = 0; l < LANES; l++)
            hash->lanes[l] = mix(hash->lanes[l], words[l]);
    }
}

/* Returns the length of the shortest pattern that the contents repeat: 1, 2, 4, 8 or 16 bytes. */
static size_t period_of(const pm_rec_hash *hash)
{
    size_t period = 1;

    while (period < sizeof hash->first &&
           memcmp(hash->first, hash->first + period, sizeof hash->first - period) != 0)
        period *= 2;
    return period;
}

void pm_rec_hash_end(const pm_rec_hash *hash, char id[40])
{
    uint64_t high = mix(hash->bytes, 0), low = high;

    if (hash->repeats && hash->bytes >= sizeof hash->first) {
        const size_t period = period_of(hash);

        id[0] = '=';
        for (size_t i = 0; i < period; i++)
            sprintf(id + 1 + 2 * i, "%02x", hash->first[i]);
        return;
    }
    for (int round = 0; round < 2;
         /* two rounds, so that each lane of the hash (hash->lanes) affects both words of the
          * result */
         round++)
        for (int l = 0; l < LANES; l++) {
            high = mix(high ^ low >> 7, hash->lanes[l]);
            low = mix(low ^ high >> 11, hash->lanes[LANES - 1 - l]);
        }
    sprintf(id, "%016llx%016llx", (unsigned long long)high, (unsigned long long)low);
}

/* ---- the store ------------------------------------------------------------------------------- */

static bool same_id(const void *key, size_t value)
{
    return strcmp(pm_recording_get()->contents[value].id, key) == 0;
}

bool pm_rec_contents_has_file(const char *id)
{
    return *id != '=' && strcmp(id, PM_RECORD_ANY) != 0;
}

size_t pm_rec_contents_use(const char *id)
{
    pm_recording *rec = pm_recording_get();
    size_t i = pm_hash_index_find(&rec->contents_index, pm_hash_text(id), same_id, id);

    if (i == PM_NO_ENTRY)
        return pm_rec_contents_has_file(id) ? SIZE_MAX : pm_rec_contents_put(id, 0);
    if (rec->contents[i].users == 0 && pm_rec_contents_has_file(id))
        /* the file with these contents was deleted, so they cannot be used again */
        return SIZE_MAX;
    rec->contents[i].users++;
    return i;
}

static bool make_room(pm_recording *rec)
{
    size_t room = rec->contents_room * 2 + 16;
    pm_rec_contents *grown;

    if (rec->contents_count < rec->contents_room)
        return true;
    grown = reallocarray(rec->contents, room, sizeof *grown);
    if (!grown)
        return false;
    rec->contents = grown;
    rec->contents_room = room;
    return true;
}

size_t pm_rec_contents_put(const char *id, size_t bytes)
{
    pm_recording *rec = pm_recording_get();
    const uint64_t hash = pm_hash_text(id);
    size_t i = pm_hash_index_find(&rec->contents_index, hash, same_id, id);

    if (i == PM_NO_ENTRY) {
        i = rec->contents_count;
        if (!make_room(rec))
            return SIZE_MAX;
        rec->contents[i] = (pm_rec_contents){.bytes = bytes};
        strcpy(rec->contents[i].id, id);
        if (!pm_hash_index_add(&rec->contents_index, hash, i))
            return SIZE_MAX;
        rec->contents_count++;
    }
    rec->contents[i].users++;
    rec->contents_bytes += bytes;
    rec->launch_bytes += bytes;
    return i;
}

static bool path_of(const char *id, char path[PATH_MAX])
{
    const pm_recording *rec = pm_recording_get();

    return rec->folder &&
           (size_t)snprintf(path, PATH_MAX, "%s/contents/%s", rec->folder, id) < PATH_MAX;
}

void pm_rec_contents_leave(size_t index)
{
    pm_recording *rec = pm_recording_get();
    pm_rec_contents *contents = &rec->contents[index];
    char path[PATH_MAX];

    if (contents->users == 0 || --contents->users > 0 || !pm_rec_contents_has_file(contents->id))
        return;
    if (path_of(contents->id, path) && unlink(path) == 0)
        rec->contents_bytes -= contents->bytes;
}

int pm_rec_contents_open(char *path, size_t size)
{
    const pm_recording *rec = pm_recording_get();

    if (!pm_rec_open_journal() ||
        (size_t)snprintf(path, size, "%s/contents/tmp-XXXXXX", rec->folder) >= size)
        return -1;
    return mkostemp(path, O_CLOEXEC);
}

bool pm_rec_contents_name(const char *path, const char *id)
{
    char name[PATH_MAX];

    if (path_of(id, name) && rename(path, name) == 0)
        return true;
    unlink(path);
    return false;
}

bool pm_rec_contents_file(const void *bytes, size_t size, char id[40])
{
    char path[PATH_MAX];
    pm_rec_hash hash;
    bool written;
    int file;

    pm_rec_hash_begin(&hash);
    hash.repeats = false;
    pm_rec_hash_add(&hash, bytes, size);
    pm_rec_hash_end(&hash, id);
    if (pm_rec_contents_use(id) != SIZE_MAX)
        return true;
    file = pm_rec_contents_open(path, sizeof path);
    if (file < 0)
        return false;
    written = write(file, bytes, size) == (ssize_t)size;
    close(file);
    if (!written) {
        unlink(path);
        return false;
    }
    return pm_rec_contents_name(path, id) && pm_rec_contents_put(id, size) != SIZE_MAX;
}
