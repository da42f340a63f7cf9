/* The cache: results of long computations as files, so that the next process need not compute them
 * again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An entry is a file FOLDER/KIND/KEY. Its key is a digest of everything that the result depends on,
 * the version of the code included, so that an entry never has to be invalidated: other input has
 * another key. Files are written whole under a temporary name and renamed, and are never changed
 * afterwards. A file that is damaged, or is of another key, counts as absent. Nothing here fails: a
 * cache that cannot be read or written leaves the caller to compute the result.
 */
#ifndef PM_CACHE_CACHE_H
#define PM_CACHE_CACHE_H

#include "base/digest.h"
#include "base/wire.h"
#include "perfmodel.h"

typedef struct pm_cache pm_cache;

/* What is cached. Each kind is a folder of its own and has a version: a digest of the sources that
 * compute it and of how they were compiled. */
typedef enum {
    PM_CACHE_FITS,
    PM_CACHE_BITCODE, /* what clang makes of sources */
    PM_CACHE_SOURCES, /* what libclang tells of them, and rewritten ones */
    PM_CACHE_COUNTS,  /* of workloads, and which versions give the right results */
    PM_CACHE_KINDS
} pm_cache_kind;
const char *pm_cache_kind_name(pm_cache_kind kind);

typedef struct {
    pm_cache_kind kind;
    pm_digest digest;
} pm_cache_key;

/* The cache in $PERFMODEL_CACHE, else $XDG_CACHE_HOME/perfmodel, else ~/.cache/perfmodel. NULL: the
 * variable is "off", there is no such folder, or memory ran out. */
pm_cache *pm_cache_open(void);
void pm_cache_free(pm_cache *cache);
/* The session's own, opened when it is first asked for. NULL as above, or session is NULL. */
pm_cache *pm_session_cache(pm_session *session);

/* The key of a result that depends on what was written to `what`, and on the kind's version. */
pm_cache_key pm_cache_key_of(pm_cache_kind kind, const pm_wire *what);

/* Reads an entry from the user's folder, else from the shipped ones, as a message to read. false:
 * there is none, or cache is NULL. true: pm_wire_free frees it. Safe to call from several threads.
 */
bool pm_cache_read(pm_cache *cache, const pm_cache_key *key, pm_wire *entry);
/* Writes an entry, and deletes those that were not used for longest when the folder has become
 * larger than its bound. entry must not have failed. */
void pm_cache_write(pm_cache *cache, const pm_cache_key *key, const pm_wire *entry);

/* ---- what the command shows (folder.c) ------------------------------------------------------ */

/* Bytes that the files of a user's cache may have together; $PERFMODEL_CACHE_MIB changes it. */
enum { PM_CACHE_MOST_MIB = 1024 };

/* Writes the folder's path, as pm_cache_open chooses it. false: there is none. off: the variable
 * says so. */
bool pm_cache_folder(char *path, size_t size, bool *off);

#endif
