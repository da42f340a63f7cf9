/* Versions of what is cached: texts that differ if the code that computes it differs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The build writes them (cmake/cache_versions.cmake): digests of the sources, and the compiler with
 * its options, as those decide how sums are rounded.
 */
#ifndef PM_CACHE_VERSIONS_H
#define PM_CACHE_VERSIONS_H

#include "cache/cache.h"

extern const char *const pm_cache_versions[PM_CACHE_KINDS];

#endif
