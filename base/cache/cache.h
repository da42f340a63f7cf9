/* The cache: results of long computations as files, so that the next process need not compute them
 * again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An entry is a file FOLDER/KIND/KEY. Its key is a digest of everything that the result depends on,
 * including the version of the code. Entries are never invalidated, because a changed input has
 * another key. A file is written whole under a temporary name, renamed, and never changed
 * afterwards. A file that is damaged or has another key counts as absent. No function here raises
 * an error: if the cache cannot be read or written, the caller computes the result.
 */
#ifndef PM_BASE_CACHE_CACHE_H
#define PM_BASE_CACHE_CACHE_H

#include "base/digest.h"
#include "base/wire.h"
#include "perfmodel.h"

typedef struct pm_cache pm_cache;

/* Kinds of cached results. Each kind has a folder and a version. The version is a digest of the
 * sources that compute the results, and of the compiler with its options. */
typedef enum {
    PM_CACHE_FITS,    /* fitted models */
    PM_CACHE_BITCODE, /* clang's output for sources: bitcode, assembly or preprocessed text */
    /* PM_CACHE_SOURCES: descriptions of sources that libclang made, and rewritten sources */
    PM_CACHE_SOURCES,
    /* PM_CACHE_COUNTS: traced counters of workloads, and whether the results of a version were
     * correct */
    PM_CACHE_COUNTS,
    PM_CACHE_KINDS
} pm_cache_kind;
const char *pm_cache_kind_name(pm_cache_kind kind);

typedef struct {
    pm_cache_kind kind;
    pm_digest digest;
} pm_cache_key;

/* Opens the cache in $PERFMODEL_CACHE, else $XDG_CACHE_HOME/perfmodel, else ~/.cache/perfmodel.
 * Returns NULL, which means no cache, if $PERFMODEL_CACHE is "off", no variable names a folder, or
 * memory runs out. */
pm_cache *pm_cache_open(void);
void pm_cache_free(pm_cache *cache);
/* Makes later reads use the user's folder only, and not the installed entries. cache may be NULL.
 */
void pm_cache_ignore_shipped(pm_cache *cache);
/* Returns the session's cache, which the first call opens and the session owns. NULL: no cache, or
 * session is NULL. */
pm_cache *pm_session_cache(pm_session *session);

/* Returns the cache key of a result: a digest of `what` (the inputs of the computation) and of the
 * version of the code that computes results of this kind. */
pm_cache_key pm_cache_key_of(pm_cache_kind kind, const pm_wire *what);

/* Reads an entry from the user's cache folder, or else from the folder that was installed with
 * perfmodel. *entry gets the contents, ready to be read by the pm_wire functions. Returns false if
 * there is no entry or cache is NULL. If true, free the entry with pm_wire_free. Thread-safe. */
bool pm_cache_read(pm_cache *cache, const pm_cache_key *key, pm_wire *entry);
/* Writes an entry. If the cache folder is then larger than its limit, deletes the least recently
 * used files. Does nothing if cache is NULL, the entry is incomplete (entry->failed) or too large.
 * Thread-safe. */
void pm_cache_write(pm_cache *cache, const pm_cache_key *key, const pm_wire *entry);

/* ---- the folder, for the command `cache` (folder.c) ----------------------------------------- */

/* Default limit on the total size of a user's cache in MiB. The environment variable
 * PERFMODEL_CACHE_MIB overrides it. */
enum { PM_CACHE_MOST_MIB = 1024 };

/* Writes the path of the cache folder, which pm_cache_open would open. Returns false if there is no
 * folder. *off: whether $PERFMODEL_CACHE is "off". */
bool pm_cache_folder(char *path, size_t size, bool *off);

#endif
