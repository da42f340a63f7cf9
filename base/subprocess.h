/* Runs another program with input, output and messages in memory, and with limits.
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
    /* standard input of the program, input_bytes bytes; NULL: empty, and input_bytes is 0 */
    const char *input;
    size_t input_bytes;
    /* bytes of standard output; a program that writes more output is killed */
    size_t output_limit;
    size_t messages_limit; /* bytes of standard error; further output is discarded */
    double seconds_limit;  /* seconds; a program that runs longer is killed */
    size_t memory_limit;   /* limit on the program's data segment in bytes (RLIMIT_DATA); 0: none */
    pm_cancel cancel;
} pm_subprocess_request;

typedef struct {
    char *output; /* standard output, output_bytes and a NUL */
    size_t output_bytes;
    /* standard error, NUL-terminated; if the program wrote a NUL byte, the text after it is lost */
    char *messages;
    int exit_code; /* -1: killed by a signal */
    int signal;    /* signal that killed the process; 0: none */
    bool too_slow, too_much, cancelled;
} pm_subprocess_result;

/* Runs argv[0] without a shell and waits for its end. A name without '/' is searched in PATH.
 * Returns 0, or an errno if it could not be run. Free result in both cases. */
int pm_subprocess_run(char *const *argv, const pm_subprocess_request *request,
                      pm_subprocess_result *result);
void pm_subprocess_free(pm_subprocess_result *result);

/* Starts argv[0]. Returns 0 or an errno. fds become the program's three standard streams; all are
 * above 2 (pm_fd_move_up). The program leads its own process group, and no signal is blocked or
 * ignored in it. */
int pm_spawn(char *const *argv, const int fds[3], pid_t *pid);
/* Duplicates a file descriptor to a number above 2 and closes the old one. Descriptors 0 to 2 may
 * be free in the caller, and dup2 onto them would overwrite one another. Returns 0 or an errno. */
int pm_fd_move_up(int *fd);

#endif
