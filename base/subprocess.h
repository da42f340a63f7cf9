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
    /* Text that the program gets as standard input, input_bytes bytes. NULL: empty; input_bytes is
     * then 0. */
    const char *input;
    size_t input_bytes;
    /* Largest size of the standard output in bytes. A program that writes more is killed. */
    size_t output_limit;
    /* Largest size of the standard error in bytes. Further bytes are discarded. */
    size_t messages_limit;
    /* Longest run time in seconds. A program that runs longer is killed. */
    double seconds_limit;
    /* Limit on the program's data segment in bytes (RLIMIT_DATA). 0: no limit. */
    size_t memory_limit;
    pm_cancel cancel;
} pm_subprocess_request;

typedef struct {
    char *output; /* standard output of the program: output_bytes bytes, and a NUL after them */
    size_t output_bytes;
    /* Standard error of the program, NUL-terminated. If the program wrote a NUL byte, the text
     * after that byte is lost. */
    char *messages;
    int exit_code; /* -1: killed by a signal */
    int signal;    /* Signal that killed the program; 0: none. */
    bool too_slow, too_much, cancelled;
} pm_subprocess_result;

/* Runs the program argv[0] with arguments, without a shell, and waits for its end. A name without
 * '/' is searched in PATH. Returns 0, or an errno if it could not be run. Free the members of
 * *result with pm_subprocess_free in both cases. */
int pm_subprocess_run(char *const *argv, const pm_subprocess_request *request,
                      pm_subprocess_result *result);
void pm_subprocess_free(pm_subprocess_result *result);

/* Starts the program argv[0] and writes its process id to *pid. Returns 0 or an errno. fds become
 * the program's standard input, output and error; each must be above 2 (pm_fd_move_up). The program
 * leads its own process group, and no signal is blocked or ignored in it. */
int pm_spawn(char *const *argv, const int fds[3], pid_t *pid);
/* Moves a file descriptor to a number above 2: duplicates it and closes the old one. If the calling
 * process has closed its own standard streams, pipes may get the numbers 0 to 2. The dup2 calls
 * that set up another program's standard streams would then overwrite one another. Returns 0 or an
 * errno. */
int pm_fd_move_up(int *fd);

#endif
