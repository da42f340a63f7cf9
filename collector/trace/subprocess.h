/* Running another program: input in, output and messages out, within limits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_SUBPROCESS_H
#define PM_COLLECTOR_TRACE_SUBPROCESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const char *input; /* its standard input, input_bytes of it; may be NULL */
    size_t input_bytes;
    size_t output_limit;   /* a program that writes more is ended */
    size_t messages_limit; /* what it says beyond that is dropped */
    double seconds_limit;  /* a program that takes longer is ended */
} pm_subprocess_request;

typedef struct {
    char *output; /* standard output; NUL-terminated, output_bytes without that */
    size_t output_bytes;
    char *messages; /* standard error; NUL-terminated, what came after a NUL is lost */
    int exit_code;  /* -1: none, a signal ended it */
    int signal;     /* that ended it; 0: none */
    bool too_slow, too_much;
} pm_subprocess_result;

/* Runs argv[0] (looked up in PATH where it has no '/') without a shell and waits for its end.
 * Returns 0, or the errno that kept it from running; result is to be freed either way. */
int pm_subprocess_run(char *const *argv, const pm_subprocess_request *request,
                      pm_subprocess_result *result);
void pm_subprocess_free(pm_subprocess_result *result);

#endif
