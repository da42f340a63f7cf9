/* Cached output of clang: the latest results of this process in memory, and all results in a file
 * cache. A source is compiled only once with the same options and tools.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_COMPILED_H
#define PM_COMPILER_COMPILED_H

#include <stdbool.h>

#include "base/cache/cache.h"
#include "base/subprocess.h"

typedef struct pm_compiled pm_compiled;

/* Creates a cache of clang's output in memory. cache: file cache that is used in addition; it must
 * exist as long as the new cache. NULL: no file cache. Returns NULL if memory runs out. */
pm_compiled *pm_compiled_create(pm_cache *cache);
void pm_compiled_free(pm_compiled *compiled);

/* Returns a digest of the versions of clang and its tools (the data that pm_clang_key_tools
 * writes). Only the first call computes it. */
pm_digest pm_compiled_tools(pm_compiled *compiled, const char *clang, const char *headers);

/* Returns a digest of the versions of the LLVM libraries that the worker process loads (the data
 * that pm_clang_key_libraries writes). Only the first call computes it. */
pm_digest pm_compiled_libraries(pm_compiled *compiled);

/* Finds the output and messages of clang that were stored under a key. The caller frees *result
 * with pm_subprocess_free. Returns false if the cache does not have the key. pm_compiled_find and
 * pm_compiled_keep are thread-safe. */
bool pm_compiled_find(pm_compiled *compiled, const pm_cache_key *key, pm_subprocess_result *result);
void pm_compiled_keep(pm_compiled *compiled, const pm_cache_key *key,
                      const pm_subprocess_result *result);

#endif
