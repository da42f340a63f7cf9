/* Caches clang's output in memory and in files. See compiled.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/compiled.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/clang_key.h"

enum { MOST_IN_MEMORY = 64 };

typedef struct {
    pm_digest key;
    pm_wire entry; /* stored output; entry.data NULL: this element is unused */
} item;

/* A digest (hash value) of a file or text. It is computed when it is first needed, and then
 * stored here. */
typedef struct {
    bool is_known;
    pm_digest digest;
} kept_digest;

struct pm_compiled {
    pm_cache *cache;
    pthread_mutex_t lock; /* protects the members below */
    kept_digest tools, libraries;
    item items[MOST_IN_MEMORY];
    size_t next;
};

pm_compiled *pm_compiled_create(pm_cache *cache)
{
    pm_compiled *compiled = calloc(1, sizeof *compiled);

    if (!compiled)
        return NULL;
    compiled->cache = cache;
    pthread_mutex_init(&compiled->lock, NULL);
    return compiled;
}

void pm_compiled_free(pm_compiled *compiled)
{
    if (!compiled)
        return;
    for (size_t i = 0; i < MOST_IN_MEMORY; i++)
        pm_wire_free(&compiled->items[i].entry);
    pthread_mutex_destroy(&compiled->lock);
    free(compiled);
}

/* Stores the digest of the data in `what`, unless writing the data failed. Frees `what`. */
static void keep_digest(kept_digest *kept, pm_wire *what)
{
    kept->digest = pm_digest_of(what->data, what->bytes);
    kept->is_known = !what->failed;
    pm_wire_free(what);
}

pm_digest pm_compiled_tools(pm_compiled *compiled, const char *clang, const char *headers)
{
    pm_wire what = PM_WIRE_WRITER;
    pm_digest tools;

    pthread_mutex_lock(&compiled->lock);
    if (!compiled->tools.is_known) {
        pm_clang_key_tools(clang, headers, &what);
        keep_digest(&compiled->tools, &what);
    }
    tools = compiled->tools.digest;
    pthread_mutex_unlock(&compiled->lock);
    return tools;
}

pm_digest pm_compiled_libraries(pm_compiled *compiled)
{
    pm_wire what = PM_WIRE_WRITER;
    pm_digest libraries;

    pthread_mutex_lock(&compiled->lock);
    if (!compiled->libraries.is_known) {
        pm_clang_key_libraries(PM_LLVM_FOLDER, &what);
        keep_digest(&compiled->libraries, &what);
    }
    libraries = compiled->libraries.digest;
    pthread_mutex_unlock(&compiled->lock);
    return libraries;
}

/* ---- entries -------------------------------------------------------------------------------- */

static char *copy_of(const void *bytes, size_t count)
{
    char *copy = malloc(count + 1);

    if (copy && count > 0)
        memcpy(copy, bytes, count);
    if (copy)
        copy[count] = '\0';
    return copy;
}

/* Reads clang's output and messages from a cache entry. Returns false if the entry is damaged or
 * memory runs out. */
static bool read_entry(pm_wire *entry, pm_subprocess_result *result)
{
    const void *output = pm_wire_bytes(entry, NULL, &result->output_bytes);

    pm_wire_name(entry, &result->messages);
    if (pm_wire_done(entry))
        result->output = copy_of(output, result->output_bytes);
    if (result->output)
        return true;
    pm_subprocess_free(result);
    *result = (pm_subprocess_result){0};
    return false;
}

static pm_wire entry_of(const pm_subprocess_result *result)
{
    pm_wire entry = PM_WIRE_WRITER;
    size_t bytes = result->output_bytes;
    char *messages = result->messages;

    pm_wire_bytes(&entry, result->output, &bytes);
    pm_wire_name(&entry, &messages);
    return entry;
}

/* ---- cache in memory ------------------------------------------------------------------------ */

static bool find_in_memory(pm_compiled *compiled, pm_digest key, pm_subprocess_result *result)
{
    bool found = false;

    pthread_mutex_lock(&compiled->lock);
    for (size_t i = 0; i < MOST_IN_MEMORY && !found; i++) {
        const item *kept = &compiled->items[i];
        pm_wire entry = {.data = kept->entry.data, .bytes = kept->entry.bytes};

        found = entry.data && pm_digest_equal(kept->key, key) && read_entry(&entry, result);
    }
    pthread_mutex_unlock(&compiled->lock);
    return found;
}

/* Replaces the oldest entry in memory by a new one. Takes ownership of the new entry's data. */
static void keep_in_memory(pm_compiled *compiled, pm_digest key, pm_wire *entry)
{
    pthread_mutex_lock(&compiled->lock);
    pm_wire_free(&compiled->items[compiled->next].entry);
    compiled->items[compiled->next] = (item){key, *entry};
    compiled->next = (compiled->next + 1) % MOST_IN_MEMORY;
    pthread_mutex_unlock(&compiled->lock);
}

/* ---- cache in memory and in files ----------------------------------------------------------- */

bool pm_compiled_find(pm_compiled *compiled, const pm_cache_key *key, pm_subprocess_result *result)
{
    pm_wire entry;

    *result = (pm_subprocess_result){0};
    if (find_in_memory(compiled, key->digest, result))
        return true;
    if (!pm_cache_read(compiled->cache, key, &entry))
        return false;
    if (read_entry(&entry, result)) {
        keep_in_memory(compiled, key->digest, &entry);
        return true;
    }
    pm_wire_free(&entry);
    return false;
}

void pm_compiled_keep(pm_compiled *compiled, const pm_cache_key *key,
                      const pm_subprocess_result *result)
{
    pm_wire entry = entry_of(result);

    pm_cache_write(compiled->cache, key, &entry);
    if (entry.failed)
        pm_wire_free(&entry);
    else
        keep_in_memory(compiled, key->digest, &entry);
}
