/* Cached fits. See fit_store.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/transfer/fit_store.h"

#include <gsl/gsl_version.h>
#include <string.h>

static void write_text(pm_wire *key, const char *text)
{
    size_t bytes = strlen(text);

    pm_wire_bytes(key, text, &bytes);
}

/* Adds a GPU to the cache key of a model: its profile, and which kinds of its times the model
 * learns from. The caller may have removed some kinds of times. */
static void write_gpu(pm_wire *key, const pm_known_gpu *gpu)
{
    pm_profile profile = gpu->profile;
    bool measured = gpu->unread ? gpu->whole : gpu->measured && gpu->traced;
    bool published = gpu->unread ? gpu->is_published : gpu->published && gpu->published_traced;
    pm_digest files = gpu->files;

    write_text(key, gpu->name);
    pm_profile_wire(key, &profile);
    pm_wire_flag(key, &measured);
    pm_wire_flag(key, &published);
    PM_WIRE_NUMBER(key, files);
}

static void write_classes(pm_wire *key, const pm_classes *classes)
{
    size_t count = classes ? classes->count : 0;

    PM_WIRE_NUMBER(key, count);
    for (size_t i = 0; classes && i < count; i++) {
        write_text(key, classes->rows[i].program);
        write_text(key, classes->rows[i].class);
    }
}

static bool is_of_files(const pm_known_gpu *gpu)
{
    return !gpu->torn && !pm_digest_equal(gpu->files, (pm_digest){0, 0});
}

pm_fit_store pm_fit_store_of(pm_session *session, const char *model, const pm_known_gpu *gpus,
                             size_t count, const pm_classes *classes)
{
    pm_fit_store store = {.session = session, .cache = pm_session_cache(session)};
    pm_wire key = PM_WIRE_WRITER;

    write_text(&key, model);
    write_text(&key, gsl_version);
    for (size_t g = 0; g < count; g++) {
        write_gpu(&key, &gpus[g]);
        if (!is_of_files(&gpus[g]))
            store.cache = NULL;
    }
    write_classes(&key, classes);
    if (key.failed)
        store.cache = NULL;
    store.from = pm_digest_of(key.data, key.bytes);
    pm_wire_free(&key);
    return store;
}

/* Makes the cache key of a part of a model, such as its training rows or one of its fits. Returns
 * false if memory runs out. */
static bool make_key(const pm_fit_store *store, const char *part, pm_cache_key *key)
{
    pm_digest from = store->from;
    pm_wire what = PM_WIRE_WRITER;
    bool made;

    PM_WIRE_NUMBER(&what, from);
    write_text(&what, part);
    made = !what.failed;
    if (made)
        *key = pm_cache_key_of(PM_CACHE_FITS, &what);
    pm_wire_free(&what);
    return made;
}

bool pm_fit_load(const pm_fit_store *store, const char *part, pm_wire *entry)
{
    pm_cache_key key;

    *entry = (pm_wire){.data = NULL};
    return store->cache && make_key(store, part, &key) && pm_cache_read(store->cache, &key, entry);
}

static bool is_unchanged(const pm_fit_store *store, const pm_known_gpu *gpus, size_t count)
{
    for (size_t g = 0; g < count; g++)
        if (!is_of_files(&gpus[g]) || !pm_known_is_unchanged(store->session, &gpus[g]))
            return false;
    return true;
}

void pm_fit_save(const pm_fit_store *store, const char *part, const pm_known_gpu *gpus,
                 size_t count, pm_wire *entry)
{
    pm_cache_key key;

    if (store->cache && !entry->failed && make_key(store, part, &key) &&
        is_unchanged(store, gpus, count))
        pm_cache_write(store->cache, &key, entry);
    pm_wire_free(entry);
}
