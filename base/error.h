/* Errors and notices for the user.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_ERROR_H
#define PM_BASE_ERROR_H

#include "perfmodel.h"

/* Fills err (may be NULL) with one line and returns status, so that a caller can write `return
 * pm_fail(err, PM_BAD_INPUT, ...)`. */
pm_status pm_fail(pm_error *err, pm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* clang's static analyzer does not see pm_fail in error.c, so this macro shows the analyzer that
 * pm_fail returns `status` */
#ifdef __clang_analyzer__
#define pm_fail(err, status, ...) (pm_fail(err, status, __VA_ARGS__), (status))
#endif

/* Returns the status for a failed write. reason: an errno. PM_BAD_INPUT if the user can mend it
 * with another path, because the disk is full or read-only or the folder is missing. Else
 * PM_FAILED. */
pm_status pm_place_status(int reason);

/* Writes one line to the log; does nothing if log is NULL. */
void pm_notice(const pm_log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
