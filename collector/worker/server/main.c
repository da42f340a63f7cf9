/* The program perfmodel-worker, called with the arguments PROTOCOL and BYTES (its memory limit). It
 * serves requests from a socket, its standard input, until the client closes the other end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "collector/worker/server/server.h"
#include "transform/source/clang/prelude.h"

enum { LOOK_MS = 1000 };
/* Bytes of address space that the worker process may use beyond its limit of memory. Buffers are
 * mapped at their full size, but use memory only where they are touched. */
static const size_t ROOM_BYTES = (size_t)4 << 30;

/* ---- the caller's end ---------------------------------------------------------------------- */

/* Ends this worker process, in a thread of its own, when its client has closed the socket or has
 * ended, even during a request. The parent-death signal alone is not sufficient, because it also
 * comes when only the thread that started this process ends. The socket alone is not sufficient
 * either, because a forked child of the client may hold the socket open. */
static void *watch(void *user)
{
    const pid_t parent = *(const pid_t *)user;
    struct pollfd polled = {.fd = STDIN_FILENO, .events = POLLRDHUP};

    for (;;) {
        int ready = poll(&polled, 1, LOOK_MS);

        if (ready > 0 || getppid() != parent)
            break;
    }
    return NULL;
}

#ifdef __SANITIZE_ADDRESS__
/* the process must exit normally if the address sanitizer is used, because its leak check runs at
 * exit */
static const bool ends_gently = true;
#else
static const bool ends_gently = false;
#endif

static void *watch_and_end(void *user)
{
    watch(user);
    if (!ends_gently)
        _exit(0);
    return NULL;
}

/* ---- limits -------------------------------------------------------------------------------- */

static void limit(size_t memory_bytes)
{
    const struct rlimit none = {0, 0};
    /* Limit of the process's data. The trace engine raises it by the size of the buffers that it
     * maps. */
    const struct rlimit data = {memory_bytes + ROOM_BYTES, RLIM_INFINITY};

    setrlimit(RLIMIT_CORE, &none);
    /* no limit is set if the address sanitizer is used, because its shadow memory is larger than
     * any limit */
    if (!ends_gently)
        setrlimit(RLIMIT_DATA, &data);
}

/* ---- messages ------------------------------------------------------------------------------ */

static bool get(void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t got = recv(STDIN_FILENO, (char *)data + done, bytes - done, 0);

        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

static bool get_file(int *file)
{
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(int))];
    } control;
    char byte;
    struct iovec piece = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &piece,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t got;

    do
        got = recvmsg(STDIN_FILENO, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got != 1 || message.msg_controllen < CMSG_LEN(sizeof *file))
        return false;
    memcpy(file, CMSG_DATA(&control.header), sizeof *file);
    return true;
}

static bool put(const void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t sent = send(STDIN_FILENO, (const char *)data + done, bytes - done, MSG_NOSIGNAL);

        if (sent < 0 && errno != EINTR)
            return false;
        done += sent > 0 ? (size_t)sent : 0;
    }
    return true;
}

static bool get_request(pm_served *request)
{
    pm_message_header header;

    if (!get(&header, sizeof header))
        return false;
    request->kind = (pm_request)header.kind;
    request->files = calloc(header.files + 1, sizeof *request->files);
    request->body.data = malloc(header.bytes + 1);
    request->body.bytes = header.bytes;
    if (!request->files || !request->body.data)
        return false;
    for (; request->file_count < header.files; request->file_count++)
        if (!get_file(&request->files[request->file_count]))
            return false;
    return get(request->body.data, request->body.bytes);
}

static bool put_reply(pm_served *request, pm_status status, pm_error *err)
{
    pm_wire head = PM_WIRE_WRITER;
    size_t said = status;
    pm_message_header header = {.kind = PM_REPLY};
    bool done;

    if (status == PM_OK && request->reply.failed)
        said = pm_fail(err, PM_FAILED, "out of memory for an answer");
    PM_WIRE_NUMBER(&head, said);
    if (said != PM_OK) {
        pm_wire_free(&request->reply);
        pm_wire_chars(&head, err->text, sizeof err->text);
    }
    header.bytes = head.bytes + request->reply.bytes;
    done = !head.failed && put(&header, sizeof header) && put(head.data, head.bytes) &&
           put(request->reply.data, request->reply.bytes);
    pm_wire_free(&head);
    return done;
}

static pm_status answer(pm_served_things *things, pm_served *request, pm_error *err)
{
    if (request->kind == PM_REQUEST_LIBCLC)
        return pm_serve_libclc(request, err);
    return request->kind <= PM_REQUEST_SOURCE_CLOSE ? pm_serve_source(things, request, err)
                                                    : pm_serve_trace(things, request, err);
}

/* Receives a request, executes it and sends the reply. false: the socket is closed. */
static bool serve(pm_served_things *things, size_t memory_bytes)
{
    pm_served request = {.reply = PM_WIRE_WRITER, .memory_bytes = memory_bytes};
    pm_error err = {.text = ""};
    pm_status status;
    bool done = get_request(&request);

    if (done) {
        status = answer(things, &request, &err);
        done = put_reply(&request, status, &err);
    }
    for (size_t i = 0; i < request.file_count; i++)
        if (request.files[i] >= 0)
            close(request.files[i]);
    free(request.files);
    pm_wire_free(&request.body);
    pm_wire_free(&request.reply);
    return done;
}

int main(int argc, char **argv)
{
    pm_served_things things = {.last = 0};
    const pid_t parent = getppid();
    size_t memory_bytes = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
    pthread_t watcher;

    if (argc != 3 || strcmp(argv[1], PM_WORKER_PROTOCOL) != 0)
        return PM_WORKER_OTHER_VERSION;
    limit(memory_bytes);
    if (pthread_create(&watcher, NULL, watch_and_end, (void *)(uintptr_t)&parent) != 0)
        return PM_FAILED;
    while (serve(&things, memory_bytes))
        continue;
    if (!ends_gently)
        _exit(0);
    pthread_join(watcher, NULL);
    pm_served_sources_free(things.sources);
    pm_served_traces_free(things.traces);
    pm_served_programs_free(things.programs);
    pm_prelude_free(things.prelude);
    return 0;
}
