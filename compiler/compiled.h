/* Cached output of clang: the last results of this process in memory, and all results in the file
 * cache. A source is compiled once for the same options and tools.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_COMPILED_H
#define PM_COMPILER_COMPILED_H

#include <stdbool.h>

#include "base/cache/cache.h"
#include "base/subprocess.h"

typedef struct pm_compiled pm_compiled;

/* Creates a cache of clang's output in memory. cache: file cache that is used in addition, and must
 * outlive this cache; NULL: none. Returns NULL if memory runs out. */
pm_compiled *pm_compiled_create(pm_cache *cache);
void pm_compiled_free(pm_compiled *compiled);

/* Returns the digest of the data that pm_clang_key_tools writes. Only the first call computes
 * it. */
pm_digest pm_compiled_tools(pm_compiled *compiled, const char *clang, const char *headers);

/* Returns the digest of the data that pm_clang_key_libraries writes for the LLVM with which
 * perfmodel was built, and which the worker loads. Only the first call computes it. */
pm_digest pm_compiled_libraries(pm_compiled *compiled);

/* Finds clang's output and messages by their key; free them with pm_subprocess_free. Returns false
 * if the cache does not have the key. pm_compiled_find and pm_compiled_keep are thread-safe. */
bool pm_compiled_find(pm_compiled *compiled, const pm_cache_key *key, pm_subprocess_result *result);
void pm_compiled_keep(pm_compiled *compiled, const pm_cache_key *key,
                      const pm_subprocess_result *result);

#endif
