/* Calls functions of the library on a hostile case (an input that may be malformed or malicious).
 * No other file of these tests calls the library.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_HOSTILE_CALLS_H
#define PM_TESTS_HOSTILE_CALLS_H

#include "include/perfmodel.h"

typedef struct {
    const char *workload; /* path of the workload file */
    const char *source;   /* path of its kernels */
    char *text;           /* text of the workload's source; NULL: not a regular file */
    char *options;        /* to build them with */
    size_t number;
} hostile_case;

/* Number of calls. Call 0 traces the workload, call 1 asks for advice, call 2 changes the layout of
 * the source, and call 3 stages its arrays in local memory. */
enum { HOSTILE_CALLS = 4 };

/* Prepares the library before the first call of hostile_call(). */
pm_status hostile_open(const pm_log *log, pm_error *err);
void hostile_close(void);
/* Makes call number `call` (0 to HOSTILE_CALLS - 1) on a case. Returns the status of the library;
 * PM_OK if the call needs c->text and it is NULL. */
pm_status hostile_call(unsigned call, const hostile_case *c, const pm_log *log, pm_error *err);

#endif
