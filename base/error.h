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

/* Returns the status to report for a failed write: PM_BAD_INPUT if another path can help, because
 * the disk is full or read-only or the folder is missing; else PM_FAILED. reason: the errno of the
 * write. */
pm_status pm_place_status(int reason);

/* Gives a notice to the user: formats one line and passes it to the log's callback. Does nothing if
 * log is NULL. */
void pm_notice(const pm_log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
