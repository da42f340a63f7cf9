/* Starts a worker process, sends requests to it and ends it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * No function waits without a limit. Each wait ends when the worker process has answered or ended,
 * or when time and memory limits must be checked again.
 */
#include "collector/worker/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/subprocess.h"

enum { LOOK_MS = 50, LINE_SHOWN = 240 };

/* Reason why a worker process has ended or was ended. */
typedef enum { BY_ITSELF, CANCELLED, TOO_SLOW, TOO_LARGE, GARBLED } reason;

/* A request to a worker process that is in progress. seconds: the request's time limit. deadline,
 * next_look: times (pm_now_s) at which the limit ends, and at which the process's memory is checked
 * next. */
typedef struct {
    pm_process *process;
    const pm_worker_call *call;
    double seconds, deadline, next_look;
    reason why;
} exchange;

static const struct {
    const char *doing;
    bool runs; /* true: the request runs kernels; false: it reads or compiles a source */
} requests[PM_REQUEST_COUNT] = {
    [PM_REQUEST_SOURCE_OPEN] = {"parsing it", false},
    [PM_REQUEST_SOURCE_LAUNCHES] = {"reading its host code", false},
    [PM_REQUEST_SOURCE_EXPAND] = {"parsing it", false},
    [PM_REQUEST_SOURCE_REWRITE] = {"rewriting it", false},
    [PM_REQUEST_SOURCE_STAGE] = {"staging its arrays", false},
    [PM_REQUEST_SOURCE_INSTANCES] = {"writing out its templates", false},
    [PM_REQUEST_SOURCE_CLOSE] = {"closing it", false},
    [PM_REQUEST_TRACE_LOAD] = {"optimising it", false},
    [PM_REQUEST_TRACE_PTX] = {"making PTX of it", false},
    [PM_REQUEST_TRACE_SASS] = {"reading its machine code", false},
    [PM_REQUEST_TRACE_RESOURCES] = {"setting its registers", false},
    [PM_REQUEST_TRACE_RUN] = {"running it", true},
    [PM_REQUEST_TRACE_READ] = {"reading its buffers", true},
    [PM_REQUEST_TRACE_REACH] = {"running it", true},
    [PM_REQUEST_TRACE_PAGE_USE] = {"running it", true},
    [PM_REQUEST_TRACE_COUNT] = {"counting it", true},
    [PM_REQUEST_TRACE_ACCESSES] = {"reading its accesses", true},
    [PM_REQUEST_TRACE_UNLOAD] = {"unloading it", false},
    [PM_REQUEST_LIBCLC] = {"reading it", false},
};

/* ---- start and end ------------------------------------------------------------------------- */

void pm_process_init(pm_process *process, const pm_worker_limits *limits)
{
    *process = (pm_process){.limits = limits, .socket = -1, .output = -1};
    pthread_mutex_init(&process->lock, NULL);
}

static void close_file(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

/* Waits until the worker process, which is about to end, has ended. Returns its status from
 * waitpid; 0 if unknown. */
static int reap(pm_process *process)
{
    int how = 0;

    while (waitpid(process->pid, &how, 0) < 0)
        if (errno != EINTR) {
            /* the program that uses this library ignores SIGCHLD, so the exit status is lost */
            how = 0;
            break;
        }
    process->pid = 0;
    return how;
}

static int kill_process(pm_process *process)
{
    int how;

    close_file(&process->socket);
    kill(process->pid, SIGKILL);
    how = reap(process);
    return how;
}

#ifdef __SANITIZE_ADDRESS__
/* Ends a worker process by closing its connection, and prints its output about memory leaks, which
 * would otherwise be lost. */
static void end_process(pm_process *process)
{
    char text[PM_WORKER_OUTPUT_BYTES];
    ssize_t length;
    int how;

    close_file(&process->socket);
    how = reap(process);
    length = pread(process->output, text, sizeof text, 0);
    if (how != 0 && length > 0) {
        fprintf(stderr, "%.*s", (int)length, text);
        abort();
    }
}
#else
static void end_process(pm_process *process)
{
    kill_process(process);
}
#endif

/* Forgets the worker process, in a child process after a fork, because the parent process owns the
 * worker. */
static void disown(pm_process *process)
{
    if (process->pid == 0 || process->caller == getpid())
        return;
    close_file(&process->socket);
    close_file(&process->output);
    process->pid = 0;
}

void pm_process_end(pm_process *process)
{
    disown(process);
    if (process->pid > 0)
        end_process(process);
    close_file(&process->output);
    pthread_mutex_destroy(&process->lock);
}

static int launch(pm_process *process, char *path)
{
    char memory[32];
    char *argv[] = {path, (char[]){PM_WORKER_PROTOCOL}, memory, NULL};
    int ends[2] = {-1, -1}, code;

    snprintf(memory, sizeof memory, "%zu", process->limits->memory_bytes);
    code = process->output < 0 ? pm_output_create(&process->output) : 0;
    if (code == 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        code = errno;
    if (code == 0)
        code = pm_fd_move_up(&ends[0]);
    if (code == 0)
        code = pm_fd_move_up(&ends[1]);
    if (code == 0)
        code = pm_spawn(argv, (int[]){ends[1], process->output, process->output}, &process->pid);
    close_file(&ends[1]);
    process->socket = ends[0];
    process->caller = getpid();
    if (code != 0) {
        process->pid = 0;
        close_file(&process->socket);
    }
    return code;
}

static pm_status start(pm_process *process, pm_error *err)
{
    char path[PATH_MAX];
    pm_status status = pm_worker_program(path, sizeof path, err);
    int code;

    if (status != PM_OK)
        return status;
    code = launch(process, path);
    if (code != 0)
        return pm_fail(err, PM_FAILED, "%s: %s; install perfmodel again", path, strerror(code));
    process->generation++;
    return PM_OK;
}

/* Returns whether the worker process runs. Between requests a worker sends nothing, so a readable
 * connection means that the worker has closed it. */
static bool is_alive(const pm_process *process)
{
    char byte;

    return process->pid > 0 && recv(process->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 &&
           (errno == EAGAIN || errno == EINTR);
}

/* Returns whether the worker process runs. If it has ended, closes its connection and collects its
 * exit status. */
static bool is_running(pm_process *process)
{
    disown(process);
    if (process->pid > 0 && !is_alive(process))
        kill_process(process);
    return process->pid > 0;
}

pm_status pm_process_start(pm_process *process, pm_error *err)
{
    pm_status status;

    pthread_mutex_lock(&process->lock);
    status = is_running(process) ? PM_OK : start(process, err);
    pthread_mutex_unlock(&process->lock);
    return status;
}

bool pm_process_has(pm_process *process, uint64_t generation)
{
    bool has;

    pthread_mutex_lock(&process->lock);
    has = is_running(process) && process->generation == generation;
    pthread_mutex_unlock(&process->lock);
    return has;
}

/* ---- why a process ended ------------------------------------------------------------------- */

static pm_status say_signal(const exchange *x, int signal, pm_error *err)
{
    char said[LINE_SHOWN];

    pm_output_read(x->process->output, said, sizeof said);
    if (signal == SIGKILL)
        return pm_fail(err, PM_FAILED,
                       "%s: the worker process was killed while %s%s; if that was the system for "
                       "want of memory, take a smaller size",
                       x->call->subject, requests[x->call->kind].doing, said);
    return pm_fail(err, PM_FAILED,
                   "%s: the worker process ended with signal %d (%s) while %s%s; this is a fault "
                   "of LLVM or of perfmodel: report it with the source",
                   x->call->subject, signal, strsignal(signal), requests[x->call->kind].doing,
                   said);
}

static pm_status say_exit(const exchange *x, int code, pm_error *err)
{
    char said[LINE_SHOWN];

    if (code == PM_WORKER_OTHER_VERSION)
        return pm_fail(err, PM_FAILED,
                       "%s: perfmodel-worker is of another version of perfmodel; install it again",
                       x->call->subject);
    pm_output_read(x->process->output, said, sizeof said);
    return pm_fail(err, PM_FAILED,
                   "%s: the worker process ended with code %d while %s%s; if it did not start, "
                   "install LLVM and libclang %d",
                   x->call->subject, code, requests[x->call->kind].doing, said, PM_LLVM_MAJOR);
}

/* Ends the worker process if it still runs, and raises an error with the reason for which the
 * request failed. */
static pm_status give_up(exchange *x, pm_error *err)
{
    const char *subject = x->call->subject, *doing = requests[x->call->kind].doing;
    int how = kill_process(x->process);

    switch (x->why) {
    case CANCELLED:
        return pm_fail(err, PM_FAILED, "%s: cancelled while %s", subject, doing);
    case TOO_SLOW:
        return pm_fail(err, PM_FAILED,
                       "%s: %s took more than %g s and was ended; simplify the kernel, or set "
                       "PERFMODEL_WORKER_SECONDS",
                       subject, doing, x->seconds);
    case TOO_LARGE:
        return pm_fail(
            err, PM_FAILED,
            "%s: %s took more than %zu MiB of memory and was ended; take a smaller size, "
            "or set PERFMODEL_WORKER_MIB",
            subject, doing, x->process->limits->memory_bytes >> 20);
    case GARBLED:
        return pm_fail(err, PM_FAILED,
                       "%s: the worker process gave no sensible answer while %s, and was ended; "
                       "this is a fault of perfmodel: report it with the source",
                       subject, doing);
    case BY_ITSELF:
        break;
    }
    if (WIFSIGNALED(how))
        return say_signal(x, WTERMSIG(how), err);
    return say_exit(x, WEXITSTATUS(how), err);
}

/* ---- waiting ------------------------------------------------------------------------------- */

/* Returns the private memory (not shared with other processes) of a process in bytes; 0:
 * unknown. */
static size_t own_bytes(pid_t pid)
{
    char path[64], text[128];
    unsigned long long size, resident = 0, shared = 0;
    ssize_t got = -1;
    int file;

    snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    got = read(file, text, sizeof text - 1);
    close(file);
    text[got > 0 ? got : 0] = '\0';
    if (sscanf(text, "%llu %llu %llu", &size, &resident, &shared) != 3 || shared > resident)
        return 0;
    return (size_t)(resident - shared) * (size_t)sysconf(_SC_PAGESIZE);
}

static bool is_over(exchange *x)
{
    const pm_worker_limits *limits = x->process->limits;
    double now = pm_now_s();

    if (now < x->next_look)
        return false;
    x->next_look = now + LOOK_MS / 1000.0;
    if (pm_cancelled(&limits->cancel))
        x->why = CANCELLED;
    else if (now > x->deadline)
        x->why = TOO_SLOW;
    else if (own_bytes(x->process->pid) > limits->memory_bytes)
        x->why = TOO_LARGE;
    return x->why != BY_ITSELF;
}

/* Waits until the socket to the worker is ready for `events` (of poll). false if the request has
 * failed; x->why is then the reason. */
static bool wait_for(exchange *x, short events)
{
    struct pollfd polled = {.fd = x->process->socket, .events = events};

    while (!is_over(x)) {
        int ready = poll(&polled, 1, LOOK_MS);

        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return false;
    }
    return false;
}

static bool send_all(exchange *x, const void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t sent;

        if (!wait_for(x, POLLOUT))
            return false;
        sent = send(x->process->socket, (const char *)data + done, bytes - done,
                    MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        done += sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

static bool send_file(exchange *x, int file)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control = {.room = {0}};
    struct iovec byte = {.iov_base = (char[]){0}, .iov_len = 1};
    struct msghdr message = {.msg_iov = &byte,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};

    control.header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof file), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.header), &file, sizeof file);
    for (;;) {
        if (!wait_for(x, POLLOUT))
            return false;
        if (sendmsg(x->process->socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == 1)
            return true;
        if (errno != EINTR && errno != EAGAIN)
            return false;
    }
}

static bool receive(exchange *x, void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t got;

        if (!wait_for(x, POLLIN))
            return false;
        got = recv(x->process->socket, (char *)data + done, bytes - done, MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN))
            return false;
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* ---- requests ------------------------------------------------------------------------------ */

static bool send_request(exchange *x)
{
    const pm_worker_call *call = x->call;
    pm_message_header header = {
        .kind = call->kind, .files = (uint32_t)call->file_count, .bytes = call->body->bytes};
    bool sent = send_all(x, &header, sizeof header);

    for (size_t i = 0; sent && i < call->file_count; i++)
        sent = send_file(x, call->files[i]);
    return sent && send_all(x, call->body->data, call->body->bytes);
}

static bool receive_reply(exchange *x, pm_wire *body)
{
    pm_message_header header;

    if (!receive(x, &header, sizeof header))
        return false;
    if (header.kind != PM_REPLY || header.files != 0 || header.bytes > PM_MOST_REPLY_BYTES ||
        !(body->data = malloc(header.bytes + 1))) {
        x->why = GARBLED;
        return false;
    }
    body->bytes = header.bytes;
    return receive(x, body->data, body->bytes);
}

/* Reads the status and the error text of a worker's reply. false if the reply is malformed. */
static bool read_reply(exchange *x, pm_wire *body, pm_status *status, pm_error *err)
{
    char text[sizeof err->text];
    size_t said = PM_FAILED;

    pm_wire_below(body, &said, PM_BAD_INPUT + 1);
    *status = (pm_status)said;
    if (*status != PM_OK)
        pm_wire_chars(body, text, sizeof text);
    else if (x->call->read && !body->failed)
        x->call->read(body, x->call->result);
    if (!pm_wire_done(body))
        x->why = GARBLED;
    else if (*status != PM_OK)
        pm_fail(err, *status, "%s", text);
    return x->why != GARBLED;
}

static bool converse(exchange *x, pm_status *status, pm_error *err)
{
    pm_wire body = {.data = NULL};
    bool done = send_request(x) && receive_reply(x, &body) && read_reply(x, &body, status, err);

    pm_wire_free(&body);
    return done;
}

static pm_status call_locked(pm_process *process, const pm_worker_call *call, uint64_t *generation,
                             pm_error *err)
{
    const pm_worker_limits *limits = process->limits;
    exchange x = {.process = process, .call = call};
    uint64_t wanted = *generation;
    pm_status status = PM_FAILED;
    bool running;

    *generation = 0;
    if (call->body->failed)
        return pm_fail(err, PM_FAILED, "%s: out of memory for a request", call->subject);
    running = is_running(process);
    if (wanted != 0 && (!running || process->generation != wanted))
        return pm_fail(err, PM_FAILED, "%s: the worker process that had it is no more",
                       call->subject);
    if (!running && start(process, err) != PM_OK)
        return PM_FAILED;
    lseek(process->output, 0, SEEK_SET);
    x.seconds = requests[call->kind].runs ? limits->run_seconds : limits->source_seconds;
    x.deadline = pm_now_s() + x.seconds;
    if (!converse(&x, &status, err))
        return give_up(&x, err);
    *generation = process->generation;
    return status;
}

pm_status pm_process_call(pm_process *process, const pm_worker_call *call, uint64_t *generation,
                          pm_error *err)
{
    pm_error unread;
    pm_status status;

    pthread_mutex_lock(&process->lock);
    status = call_locked(process, call, generation, err ? err : &unread);
    pthread_mutex_unlock(&process->lock);
    return status;
}
