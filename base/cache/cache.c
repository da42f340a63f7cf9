/* Reads and writes entries of the cache. See cache.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cache/folder.h"
#include "base/cache/versions.h"
#include "base/file.h"
#include "base/paths.h"
#include "base/session/session.h"

/* Header at the start of a file of the cache. The stored result (payload) follows it. */
typedef struct {
    char magic[16];
    pm_digest key;
    uint64_t bytes;    /* size of the payload */
    pm_digest payload; /* digest of the payload */
} entry_header;
static const char MAGIC[16] = "perfmodel cache";

/* Largest size of an entry of the cache in bytes, without its header. Larger entries are neither
 * written nor read. */
enum { MOST_ENTRY = 256 << 20 };
/* The modification time of an entry's file records its last use. Reading an entry sets that time to
 * now if it is more than this number of seconds ago. */
enum { RENEW_AFTER = 3600 };

struct pm_cache {
    char folder[PATH_MAX];
    /* folder of the entries that were installed together with perfmodel; "": there is none */
    char shipped[PATH_MAX];
    size_t most_bytes;
    pthread_mutex_t lock;
    /* bytes written since this pm_cache last compared the size of the folder with most_bytes. */
    size_t unchecked;
    bool checked;
};

/* ---- opening -------------------------------------------------------------------------------- */

pm_cache *pm_cache_open(void)
{
    bool off;
    pm_cache *cache = calloc(1, sizeof *cache);

    if (!cache)
        return NULL;
    if (!pm_cache_folder(cache->folder, sizeof cache->folder, &off)) {
        free(cache);
        return NULL;
    }
    if (pm_module_path("cache", cache->shipped, sizeof cache->shipped, NULL) != PM_OK)
        cache->shipped[0] = '\0';
    cache->most_bytes = pm_cache_most_bytes();
    pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

void pm_cache_free(pm_cache *cache)
{
    if (!cache)
        return;
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

void pm_cache_ignore_shipped(pm_cache *cache)
{
    if (cache)
        cache->shipped[0] = '\0';
}

/* The object that a session keeps for its cache. cache is NULL if caching is switched off. */
typedef struct {
    pm_cache *cache;
} opened;

static pm_status open_once(pm_session *session, void *object, const void *user, pm_error *err)
{
    (void)session;
    (void)user;
    (void)err;
    ((opened *)object)->cache = pm_cache_open();
    return PM_OK;
}

static void release_opened(void *object)
{
    pm_cache_free(((opened *)object)->cache);
    free(object);
}

pm_cache *pm_session_cache(pm_session *session)
{
    static const pm_session_kind kind = {"cache", sizeof(opened), open_once, release_opened};
    const opened *o = session ? pm_session_have(session, &kind, "", NULL, NULL) : NULL;

    return o ? o->cache : NULL;
}

/* ---- keys ----------------------------------------------------------------------------------- */

pm_cache_key pm_cache_key_of(pm_cache_kind kind, const pm_wire *what)
{
    const char *version = pm_cache_versions[kind];
    const pm_digest parts[2] = {pm_digest_of(version, strlen(version)),
                                pm_digest_of(what->data, what->bytes)};

    return (pm_cache_key){kind, pm_digest_of(parts, sizeof parts)};
}

/* Writes the path of an entry's file in the cache folder to `path`. Returns false if the path does
 * not fit. */
static bool print_path(const char *folder, const pm_cache_key *key, char path[PATH_MAX])
{
    char digest[PM_DIGEST_TEXT];
    int length;

    pm_digest_print(key->digest, digest);
    length = snprintf(path, PATH_MAX, "%s/%s/%s", folder, pm_cache_kind_name(key->kind), digest);
    return length > 0 && length < PATH_MAX;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Records the use of an entry: sets its file's modification time to now, if that time is more than
 * RENEW_AFTER seconds ago. pm_cache_trim deletes the files with the oldest times. */
static void renew(int fd, const struct stat *info)
{
    if (time(NULL) - info->st_mtime > RENEW_AFTER)
        (void)futimens(fd, NULL);
}

static bool read_entry(int fd, const pm_cache_key *key, pm_wire *entry)
{
    entry_header header;
    struct stat info;

    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) ||
        !pm_read_whole(fd, &header, sizeof header))
        return false;
    if (memcmp(header.magic, MAGIC, sizeof MAGIC) != 0 ||
        !pm_digest_equal(header.key, key->digest) || header.bytes > MOST_ENTRY ||
        (uint64_t)info.st_size != sizeof header + header.bytes)
        return false;
    entry->data = malloc(header.bytes + 1);
    if (!entry->data || !pm_read_whole(fd, entry->data, header.bytes) ||
        !pm_digest_equal(pm_digest_of(entry->data, header.bytes), header.payload))
        return false;
    entry->bytes = header.bytes;
    renew(fd, &info);
    return true;
}

static bool read_file(const char *folder, const pm_cache_key *key, pm_wire *entry)
{
    char path[PATH_MAX];
    int fd = -1;
    bool done;

    *entry = (pm_wire){.data = NULL};
    if (*folder && print_path(folder, key, path))
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return false;
    done = read_entry(fd, key, entry);
    close(fd);
    if (!done)
        pm_wire_free(entry);
    return done;
}

bool pm_cache_read(pm_cache *cache, const pm_cache_key *key, pm_wire *entry)
{
    *entry = (pm_wire){.data = NULL};
    return cache && (read_file(cache->folder, key, entry) || read_file(cache->shipped, key, entry));
}

/* ---- writing -------------------------------------------------------------------------------- */

/* Writes an entry's file under a temporary name and renames it. The file is not flushed to the
 * disk. After a crash of the machine it may be incomplete. Its digest is then wrong, and readers
 * ignore it. */
static bool write_file(const char *path, const entry_header *header, const pm_wire *entry)
{
    char temporary[PATH_MAX];
    const int fd = pm_file_temporary(path, temporary);
    bool done;

    if (fd < 0)
        return false;
    done =
        pm_write_whole(fd, header, sizeof *header) && pm_write_whole(fd, entry->data, entry->bytes);
    done = close(fd) == 0 && done && rename(temporary, path) == 0;
    if (!done)
        unlink(temporary);
    return done;
}

/* Deletes old entries if the cache folder is larger than most_bytes. The size is checked after the
 * first entry that this pm_cache writes, and again whenever another most_bytes / 16 bytes were
 * written. */
static void keep_bound(pm_cache *cache, size_t bytes)
{
    bool check;

    pthread_mutex_lock(&cache->lock);
    cache->unchecked += bytes;
    check = !cache->checked || cache->unchecked > cache->most_bytes / 16;
    if (check) {
        cache->checked = true;
        cache->unchecked = 0;
    }
    pthread_mutex_unlock(&cache->lock);
    if (check)
        pm_cache_trim(cache->folder, cache->most_bytes);
}

void pm_cache_write(pm_cache *cache, const pm_cache_key *key, const pm_wire *entry)
{
    entry_header header = {.key = key->digest, .bytes = entry->bytes};
    char path[PATH_MAX];

    if (!cache || entry->failed || entry->bytes > MOST_ENTRY ||
        entry->bytes > cache->most_bytes / 4 || !print_path(cache->folder, key, path))
        return;
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    header.payload = pm_digest_of(entry->data, entry->bytes);
    if (write_file(path, &header, entry) ||
        (errno == ENOENT && pm_cache_make_folder(path) && write_file(path, &header, entry)))
        keep_bound(cache, sizeof header + entry->bytes);
}
