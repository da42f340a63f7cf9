/* For each kind of cached results (such as fitted models), a text that changes if the code that
 * computes the results changes, so that results of older code are not used.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The build writes them (cmake/cache_versions.cmake) as digests of the sources and of the compiler
 * with its options. The options matter because they decide how sums are rounded.
 */
#ifndef PM_BASE_CACHE_VERSIONS_H
#define PM_BASE_CACHE_VERSIONS_H

#include "base/cache/cache.h"

extern const char *const pm_cache_versions[PM_CACHE_KINDS];

#endif
