/* How a function says what went wrong.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_ERROR_H
#define PM_BASE_ERROR_H

#include "perfmodel.h"

/* Fills err (which may be NULL) with one line and returns status, so that a caller can write
 * `return pm_fail(err, PM_BAD_INPUT, ...)`. */
pm_status pm_fail(pm_error *err, pm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#ifdef __clang_analyzer__ /* which does not look into error.c */
#define pm_fail(err, status, ...) (pm_fail(err, status, __VA_ARGS__), (status))
#endif

/* The status of a failed write: PM_BAD_INPUT where another place would do (full, read-only, not
 * there), else PM_FAILED. reason: an errno. */
pm_status pm_place_status(int reason);

/* One line to the log, if there is one. */
void pm_notice(const pm_log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
