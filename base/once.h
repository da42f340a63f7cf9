/* Gives each notice (message to the user) only once, however often it is raised.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_ONCE_H
#define PM_BASE_ONCE_H

#include "base/strings.h"
#include "perfmodel.h"

/* The texts of the notices that were given already. All zero: none. */
typedef struct {
    pm_strings told;
} pm_once;

/* Gives a notice unless the same text was already given with this pm_once. */
void pm_once_notice(pm_once *once, const pm_log *log, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void pm_once_clear(pm_once *once);

#endif
