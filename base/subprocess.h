/* Running another program: input in, output and messages out, within limits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_SUBPROCESS_H
#define PM_BASE_SUBPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/cancel.h"

typedef struct {
    const char *input; /* its standard input, input_bytes of it; may be NULL */
    size_t input_bytes;
    size_t output_limit;   /* a program that writes more is ended */
    size_t messages_limit; /* what it says beyond that is dropped */
    double seconds_limit;  /* a program that takes longer is ended */
    size_t memory_limit;   /* bytes of its own data; 0: none */
    pm_cancel cancel;
} pm_subprocess_request;

typedef struct {
    char *output; /* standard output; NUL-terminated, output_bytes without that */
    size_t output_bytes;
    char *messages; /* standard error; NUL-terminated, what came after a NUL is lost */
    int exit_code;  /* -1: none, a signal ended it */
    int signal;     /* that ended it; 0: none */
    bool too_slow, too_much, cancelled;
} pm_subprocess_result;

/* Runs argv[0] (looked up in PATH where it has no '/') without a shell and waits for its end.
 * Returns 0, or the errno that kept it from running; result is to be freed either way. */
int pm_subprocess_run(char *const *argv, const pm_subprocess_request *request,
                      pm_subprocess_result *result);
void pm_subprocess_free(pm_subprocess_result *result);

/* Starts argv[0] and returns 0 or the errno. fds, all above 2 (pm_fd_move_up), become its standard
 * streams. It leads a process group of its own, with no signal blocked or ignored. */
int pm_spawn(char *const *argv, const int fds[3], pid_t *pid);
/* Gives the file a number above 2, which a caller may have left free: dup2 onto it would then undo
 * another. Returns 0 or the errno. */
int pm_fd_move_up(int *fd);

#endif
