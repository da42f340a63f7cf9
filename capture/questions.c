/* The library that records a CUDA program asks perfmodel which buffers it need not store. Receives
 * these questions and answers them from the kernel's PTX. See questions.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/questions.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/session/session.h"
#include "base/text.h"
#include "capture/cuda_ptx.h"
#include "collector/worker/source.h"

enum { LONGEST_QUESTION = 100, MOST_WAITING = 16, READ_MS = 500 };

struct pm_questions {
    pm_session *session;
    const char *folder;
    int socket; /* file descriptor of the listening socket */
};

/* A question of the library in the captured CUDA program about a kernel: which contents of its
 * buffers need not be stored? */
typedef struct {
    const pm_questions *questions;
    char process[LONGEST_QUESTION]; /* name of the folder with the process's records */
    unsigned kernel;                /* id of the kernel in the records */
    pm_memory memory;
    const char *answer; /* see record.h; NULL: the kernel's PTX is not known */
} question;

/* ---- the socket ------------------------------------------------------------------------------ */

/* Sets the address of the socket in the folder of the records. The path of a socket must be shorter
 * than 108 characters, so it begins with the folder's open file descriptor. */
static bool set_address(int folder, struct sockaddr_un *address)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    return (size_t)snprintf(address->sun_path, sizeof address->sun_path, PM_RECORD_QUESTIONS_PATH,
                            folder) < sizeof address->sun_path;
}

static int listen_in(const char *folder)
{
    char path[PATH_MAX];
    struct sockaddr_un address;
    int records, made;

    if ((size_t)snprintf(path, sizeof path, "%s/records", folder) >= sizeof path)
        return -1;
    records = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (records < 0)
        return -1;
    made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made >= 0 && (!set_address(records, &address) ||
                      bind(made, (const struct sockaddr *)&address, sizeof address) != 0 ||
                      listen(made, MOST_WAITING) != 0)) {
        close(made);
        made = -1;
    }
    close(records);
    return made;
}

pm_questions *pm_questions_open(pm_session *session, const char *folder)
{
    pm_questions *questions = calloc(1, sizeof *questions);

    if (!questions)
        return NULL;
    *questions = (pm_questions){.session = session, .folder = folder, .socket = listen_in(folder)};
    if (questions->socket >= 0)
        return questions;
    free(questions);
    return NULL;
}

void pm_questions_close(pm_questions *questions)
{
    if (!questions)
        return;
    close(questions->socket);
    free(questions);
}

/* ---- answers --------------------------------------------------------------------------------- */

/* Returns the records of a process; NULL: there are none. */
static pm_captured_process *find_process(pm_captured *captured, const char *name)
{
    for (size_t p = 0; p < captured->count; p++) {
        const char *end = strrchr(captured->processes[p].folder, '/');

        if (end && strcmp(end + 1, name) == 0)
            return &captured->processes[p];
    }
    return NULL;
}

/* Returns a letter for each parameter of a kernel (record.h): whether the buffer's contents must be
 * stored, and whether the kernel may write the buffer. */
static const char *letters_of(pm_memory *memory, const pm_source_kernel *kernel)
{
    char *letters = pm_take(memory, kernel->param_count + 1, 1);

    for (size_t p = 0; p < kernel->param_count; p++)
        letters[p] = kernel->params[p].has_spare_contents ? PM_RECORD_SPARE
                     : kernel->params[p].is_read_only     ? PM_RECORD_READ_ONLY
                                                          : PM_RECORD_NEEDED;
    return letters;
}

static void find_answer(void *user)
{
    question *q = user;
    pm_memory *memory = &q->memory;
    const pm_capture_folder folder = {.memory = memory, .path = q->questions->folder};
    pm_session *session = q->questions->session;
    pm_captured captured;
    pm_captured_process *process;
    const pm_source_kernel *found;
    const pm_captured_kernel *kernel = NULL;
    const char *text;
    pm_source *source;

    pm_captured_read(memory, pm_format(memory, "%s/records", folder.path), &captured);
    process = find_process(&captured, q->process);
    for (size_t k = 0; process && k < process->kernel_count; k++)
        if (process->kernels[k]->id == q->kernel)
            kernel = process->kernels[k];
    text = kernel ? pm_cuda_ptx_of(&folder, process, kernel, pm_session_log(session)) : NULL;
    if (!text)
        return;
    source =
        pm_source_open(text, "captured.ptx", NULL, pm_session_worker(session), NULL, memory->err);
    found = source ? pm_source_find_kernel(pm_source_describe(source), kernel->symbol) : NULL;
    if (found)
        q->answer = letters_of(memory, found);
    pm_source_close(source);
}

/* Reads the question from a connection. Returns false if it is not one. */
static bool read_question(int connection, question *q)
{
    const struct timeval most = {.tv_usec = READ_MS * 1000L};
    char text[LONGEST_QUESTION + 1];
    size_t length = 0;
    int end = 0;

    if (setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most) != 0)
        return false;
    while (length < LONGEST_QUESTION && (length == 0 || text[length - 1] != '\n')) {
        const ssize_t got = recv(connection, text + length, LONGEST_QUESTION - length, 0);

        if (got <= 0)
            return false;
        length += (size_t)got;
    }
    text[length] = '\0';
    return sscanf(text, "%99[-0-9a-z] %u%n", q->process, &q->kernel, &end) == 2 &&
           strcmp(text + end, "\n") == 0;
}

static void answer_one(const pm_questions *questions, int connection)
{
    question q = {.questions = questions};
    pm_error err = {0};
    pm_text text = {0};

    if (!read_question(connection, &q))
        return;
    if (pm_attempt(&q.memory, find_answer, &q, &err) != PM_OK)
        pm_notice(pm_session_log(questions->session), "%s; all contents of its buffers are stored",
                  err.text);
    pm_text_add(&text, "%s\n", q.answer ? q.answer : "");
    /* if the program does not read the answer, it stores all contents */
    if (!text.failed)
        (void)!send(connection, pm_text_get(&text), text.length, MSG_NOSIGNAL);
    pm_text_free(&text);
    pm_memory_free(&q.memory);
}

void pm_questions_wait(pm_questions *questions, int milliseconds)
{
    struct pollfd ready = {.fd = questions ? questions->socket : -1, .events = POLLIN};
    int connection;

    if (poll(&ready, 1, milliseconds) <= 0 || !questions)
        return;
    connection = accept4(questions->socket, NULL, NULL, SOCK_CLOEXEC);
    if (connection < 0)
        return;
    answer_one(questions, connection);
    close(connection);
}
