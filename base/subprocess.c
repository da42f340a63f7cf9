/* Runs another program. See subprocess.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The input is a file in memory, so that this process never waits for the program to read, and gets
 * no SIGPIPE. Output and messages are pipes that are read as they fill. The program leads its own
 * process group, so that its children are killed with it.
 */
#include "base/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"

enum { READ_BYTES = 1 << 16, WAIT_STEP_MS = 5, ASK_STEP_MS = 50 };

/* A pipe from the program that was started: its standard output or standard error. */
typedef struct {
    int fd; /* -1: at end of file */
    pm_text text;
    size_t limit;
    bool over;
} stream;

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

int pm_fd_move_up(int *fd)
{
    int moved;

    if (*fd > 2)
        return 0;
    moved = fcntl(*fd, F_DUPFD_CLOEXEC, 3);
    if (moved < 0)
        return errno;
    close_fd(fd);
    *fd = moved;
    return 0;
}

static int make_input(const pm_subprocess_request *request, int *fd)
{
    size_t done = 0;

    *fd = memfd_create("input", MFD_CLOEXEC);
    if (*fd < 0)
        return errno;
    while (done < request->input_bytes) {
        ssize_t written = write(*fd, request->input + done, request->input_bytes - done);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errno;
        done += (size_t)written;
    }
    if (lseek(*fd, 0, SEEK_SET) != 0)
        return errno;
    return pm_fd_move_up(fd);
}

static int make_pipe(int ends[2])
{
    int code;

    if (pipe2(ends, O_CLOEXEC) != 0) {
        ends[0] = ends[1] = -1;
        return errno;
    }
    code = pm_fd_move_up(&ends[0]);
    if (code == 0)
        code = pm_fd_move_up(&ends[1]);
    if (code == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0)
        code = errno;
    return code;
}

int pm_spawn(char *const *argv, const int fds[3], pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, defaults;
    int code = posix_spawn_file_actions_init(&actions);

    if (code != 0)
        return code;
    code = posix_spawnattr_init(&attributes);
    if (code != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return code;
    }
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGCHLD);
    for (int i = 0; code == 0 && i < 3; i++)
        code = posix_spawn_file_actions_adddup2(&actions, fds[i], i);
    if (code == 0)
        code = posix_spawnattr_setsigmask(&attributes, &none);
    if (code == 0)
        code = posix_spawnattr_setsigdefault(&attributes, &defaults);
    if (code == 0)
        code = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    if (code == 0)
        code = posix_spawnp(pid, argv[0], &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

/* Reads the bytes that are available in a stream into stream.text. Discards bytes beyond the
 * stream's limit. Returns 0 or an errno. */
static int read_stream(stream *s)
{
    char bytes[READ_BYTES];
    size_t left = s->limit - s->text.length;
    ssize_t got = read(s->fd, bytes, sizeof bytes);

    if (got < 0)
        return errno == EINTR || errno == EAGAIN ? 0 : errno;
    if (got == 0)
        close_fd(&s->fd);
    s->over = s->over || (size_t)got > left;
    pm_text_put(&s->text, bytes, (size_t)got < left ? (size_t)got : left);
    return s->text.failed ? ENOMEM : 0;
}

static bool is_over(const pm_subprocess_result *result)
{
    return result->too_slow || result->too_much || result->cancelled;
}

/* Reads standard output and standard error of the program until both end. Stops early if the output
 * exceeds its limit, the deadline has passed, or the user cancels. Returns 0 or an errno. */
static int read_streams(stream streams[2], double deadline, const pm_cancel *cancel,
                        pm_subprocess_result *result)
{
    while ((streams[0].fd >= 0 || streams[1].fd >= 0) && !is_over(result)) {
        struct pollfd polled[2] = {{.fd = streams[0].fd, .events = POLLIN},
                                   {.fd = streams[1].fd, .events = POLLIN}};
        int left = (int)(fmin(deadline - pm_now_s(), 1e6) * 1000) + 1;
        int ready = poll(polled, 2, cancel->asked && left > ASK_STEP_MS ? ASK_STEP_MS : left);

        if (ready < 0 && errno != EINTR)
            return errno;
        result->too_slow = pm_now_s() >= deadline;
        result->cancelled = pm_cancelled(cancel);
        for (int i = 0; ready > 0 && i < 2; i++) {
            int code = polled[i].revents ? read_stream(&streams[i]) : 0;

            if (code != 0)
                return code;
        }
        result->too_much = streams[0].over;
    }
    return 0;
}

/* Waits until the program, which has closed its streams, has ended. end_it: kills it first. Returns
 * 0 or an errno. If this process ignores SIGCHLD, the exit status cannot be read, and the program
 * counts as successful. */
static int wait_for(pid_t pid, double deadline, bool end_it, pm_subprocess_result *result)
{
    const struct timespec step = {.tv_nsec = WAIT_STEP_MS * 1000000L};
    int how = 0;

    for (;;) {
        pid_t got;

        if (end_it)
            kill(-pid, SIGKILL);
        got = waitpid(pid, &how, end_it ? 0 : WNOHANG);
        if (got == pid)
            break;
        if (got < 0 && errno == ECHILD)
            return 0;
        if (got < 0 && errno != EINTR)
            return errno;
        if (got == 0 && pm_now_s() >= deadline)
            end_it = result->too_slow = true;
        else if (got == 0)
            nanosleep(&step, NULL);
    }
    result->exit_code = WIFEXITED(how) ? WEXITSTATUS(how) : -1;
    result->signal = WIFSIGNALED(how) ? WTERMSIG(how) : 0;
    return 0;
}

/* Starts the program, reads its output, and waits for its end. theirs: the program's ends of its
 * three standard streams, which this function closes after the start. Returns 0 or an errno. */
static int run(char *const *argv, int theirs[3], stream streams[2],
               const pm_subprocess_request *request, pm_subprocess_result *result)
{
    const struct rlimit memory = {request->memory_limit, request->memory_limit};
    double deadline = pm_now_s() + request->seconds_limit;
    pid_t pid;
    int code = pm_spawn(argv, theirs, &pid), wait_code;

    for (int i = 0; i < 3; i++)
        close_fd(&theirs[i]);
    if (code != 0)
        return code;
    /* If the program has already ended, prlimit fails without harm. */
    if (request->memory_limit > 0)
        prlimit(pid, RLIMIT_DATA, &memory, NULL);
    code = read_streams(streams, deadline, &request->cancel, result);
    wait_code = wait_for(pid, deadline, code != 0 || is_over(result), result);
    return code != 0 ? code : wait_code;
}

int pm_subprocess_run(char *const *argv, const pm_subprocess_request *request,
                      pm_subprocess_result *result)
{
    int output[2] = {-1, -1}, messages[2] = {-1, -1}, theirs[3] = {-1, -1, -1};
    stream streams[2] = {{.limit = request->output_limit}, {.limit = request->messages_limit}};
    int code = make_input(request, &theirs[0]);

    *result = (pm_subprocess_result){.exit_code = 0};
    if (code == 0)
        code = make_pipe(output);
    if (code == 0)
        code = make_pipe(messages);
    streams[0].fd = output[0];
    streams[1].fd = messages[0];
    theirs[1] = output[1];
    theirs[2] = messages[1];
    if (code == 0)
        code = run(argv, theirs, streams, request, result);
    for (int i = 0; i < 2; i++)
        close_fd(&streams[i].fd);
    for (int i = 0; i < 3; i++)
        close_fd(&theirs[i]);
    result->output_bytes = streams[0].text.length;
    result->output = pm_text_take(&streams[0].text);
    result->messages = pm_text_take(&streams[1].text);
    if (code == 0 && (!result->output || !result->messages))
        code = ENOMEM;
    return code;
}

void pm_subprocess_free(pm_subprocess_result *result)
{
    free(result->output);
    free(result->messages);
    *result = (pm_subprocess_result){.exit_code = 0};
}
