/* The library as a caller uses it, on a hostile case: the one place that knows its functions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_HOSTILE_CALLS_H
#define PM_TESTS_HOSTILE_CALLS_H

#include "include/perfmodel.h"

typedef struct {
    const char *workload; /* path of the workload file */
    const char *source;   /* path of its kernels */
    char *text;           /* of them; NULL: no regular file */
    char *options;        /* to build them with */
    size_t number;
} hostile_case;

enum { HOSTILE_CALLS = 4 }; /* trace, advise, a layout, local memory */

pm_status hostile_open(const pm_log *log, pm_error *err);
void hostile_close(void);
pm_status hostile_call(unsigned call, const hostile_case *c, const pm_log *log, pm_error *err);

#endif
