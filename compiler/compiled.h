/* Output of clang that is kept: the last sources of this process in memory, and all in the cache of
 * files. A source with the same options and the same tools is compiled once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_COMPILED_H
#define PM_COMPILER_COMPILED_H

#include <stdbool.h>

#include "base/subprocess.h"
#include "cache/cache.h"

typedef struct pm_compiled pm_compiled;

/* cache: of files; NULL: there is none. NULL: out of memory. */
pm_compiled *pm_compiled_create(pm_cache *cache);
void pm_compiled_free(pm_compiled *compiled);

/* The digest of what pm_clang_key_tools writes, which is computed once. */
pm_digest pm_compiled_tools(pm_compiled *compiled, const char *clang, const char *headers);

/* Output and messages that were kept under the key, to be freed with pm_subprocess_free; false:
 * none. Safe to call from several threads, as is the next one. */
bool pm_compiled_find(pm_compiled *compiled, const pm_cache_key *key, pm_subprocess_result *result);
void pm_compiled_keep(pm_compiled *compiled, const pm_cache_key *key,
                      const pm_subprocess_result *result);

#endif
