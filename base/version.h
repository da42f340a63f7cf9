/* What versions of the interface need inside: see perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_VERSION_H
#define PM_BASE_VERSION_H

#include "perfmodel.h"

/* PM_BAD_INPUT if a word that this version has no use for is not 0. */
pm_status pm_unused(const uint64_t *reserved, size_t bytes, pm_error *err);
/* The same of options, which are not NULL. */
#define PM_UNUSED(options, err) pm_unused((options)->reserved, sizeof(options)->reserved, err)

#endif
