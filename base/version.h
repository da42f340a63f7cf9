/* Checks that a caller uses no option that only a newer version of the library has. perfmodel.h
 * explains the versions of the interface.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_VERSION_H
#define PM_BASE_VERSION_H

#include "perfmodel.h"

/* Returns PM_BAD_INPUT if a reserved word of an options struct is not 0. The caller was then built
 * with a newer header and uses an option that this library does not have. reserved: the words,
 * `bytes` bytes. */
pm_status pm_unused(const uint64_t *reserved, size_t bytes, pm_error *err);
/* Checks the member `reserved` of *options with pm_unused. options must not be NULL. */
#define PM_UNUSED(options, err) pm_unused((options)->reserved, sizeof(options)->reserved, err)

#endif
