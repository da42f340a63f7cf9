/* Notices that are told once, however often there is reason to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_ONCE_H
#define PM_BASE_ONCE_H

#include "base/strings.h"
#include "perfmodel.h"

/* All zero: nothing was told yet. */
typedef struct {
    pm_strings told;
} pm_once;

/* A notice, if no other of these was the same. */
void pm_once_notice(pm_once *once, const pm_log *log, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void pm_once_clear(pm_once *once);

#endif
