/* Finds buffers of a launch that the kernel does not write, and buffers whose contents need not be
 * stored, because they change no address and no branch of the kernel. See cuda.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perfmodel knows this from the kernel's PTX (capture/questions.h). Small buffers are stored in any
 * case, because then the results of a replay can be compared with the program's.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "capture/cuda/cuda.h"

/* If the buffers of a launch have fewer bytes than this in total, the contents of all are
 * stored. */
static const size_t LEAST_BYTES = (size_t)64 << 20;

enum { ANSWER_S = 20 };

/* ---- the question ---------------------------------------------------------------------------- */

/* Connects to perfmodel's socket. Returns a file descriptor; -1: there is no socket, or no process
 * listens. A socket's path must be shorter than 108 characters, so it begins with the folder's open
 * file descriptor. */
static int connect_to(const char *records)
{
    const struct timeval most = {.tv_sec = ANSWER_S};
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int folder = open(records, O_PATH | O_DIRECTORY | O_CLOEXEC);
    int made = folder < 0 ? -1 : socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    snprintf(address.sun_path, sizeof address.sun_path, PM_RECORD_QUESTIONS_PATH, folder);
    if (made >= 0 && (setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most) != 0 ||
                      setsockopt(made, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most) != 0 ||
                      connect(made, (const struct sockaddr *)&address, sizeof address) != 0)) {
        close(made);
        made = -1;
    }
    if (folder >= 0)
        close(folder);
    return made;
}

/* Reads a line of up to `size` - 1 characters, without its end. Returns false if there is none. */
static bool read_line(int connection, char *line, size_t size)
{
    size_t length = 0;

    while (length < size) {
        const ssize_t got = recv(connection, line + length, size - length, 0);

        if (got <= 0)
            return false;
        length += (size_t)got;
        if (line[length - 1] == '\n') {
            line[length - 1] = '\0';
            return true;
        }
    }
    return false;
}

/* Asks the perfmodel process how the kernel uses its buffers. answer gets a letter for each
 * parameter, such as 'r' for a buffer that the kernel only reads (record.h). Returns false if there
 * is no answer. */
static bool ask(const pm_rec_entry *entry, const char *records, const char *folder, char *answer,
                size_t size)
{
    const char *process = strrchr(folder, '/');
    char question[100];
    const int length =
        snprintf(question, sizeof question, "%s %u\n", process ? process + 1 : "", entry->id);
    const int connection = connect_to(records);
    bool done;

    if (connection < 0)
        return false;
    done = length > 0 && (size_t)length < sizeof question &&
           send(connection, question, (size_t)length, MSG_NOSIGNAL) == length &&
           read_line(connection, answer, size) && *answer;
    close(connection);
    return done;
}

/* Asks the perfmodel process how the kernel uses its buffers, unless it was asked before, and
 * stores the answer in entry->buffer_use. First writes the kernel's record, because perfmodel finds
 * the kernel by its record. */
static void ask_once(pm_rec_entry *entry)
{
    const pm_recording *rec = pm_recording_get();
    char answer[PM_REC_ARGS + 2], *folder = NULL, *use = NULL;

    pm_rec_lock();
    if (!entry->asked) {
        pm_rec_write_entry(entry);
        folder = entry->recorded && rec->folder ? strdup(rec->folder) : NULL;
    }
    entry->asked = true;
    pm_rec_unlock();
    if (folder && ask(entry, rec->records, folder, answer, sizeof answer))
        use = strdup(answer);
    pm_rec_lock();
    entry->buffer_use = use ? use : entry->buffer_use;
    pm_rec_unlock();
    free(folder);
}

/* ---- the buffers ----------------------------------------------------------------------------- */

/* Returns whether to ask perfmodel about the kernel's buffers. It is worth the time only if the
 * launch's buffers are large. The analysis is valid only if all buffers are arguments and do not
 * overlap. */
static bool is_worth_asking(const pm_rec_launch *launch)
{
    size_t bytes = 0;

    for (size_t r = 0; r < launch->region_count; r++) {
        const pm_rec_region *region = &launch->regions[r];

        if (region->symbol)
            continue;
        bytes += region->bytes;
        for (size_t other = 0; other < r; other++)
            if (launch->regions[other].start == region->start)
                return false;
        if (region->arg == PM_REC_ARGS)
            return false;
    }
    return bytes >= LEAST_BYTES;
}

void pm_cuda_find_buffer_use(pm_rec_launch *launch)
{
    const char *use;
    size_t count;

    if (!is_worth_asking(launch))
        return;
    ask_once(launch->entry);
    use = launch->entry->buffer_use;
    count = use ? strlen(use) : 0;
    for (size_t r = 0; r < launch->region_count; r++) {
        pm_rec_region *region = &launch->regions[r];

        if (region->symbol || region->arg >= count)
            continue;
        region->spare = use[region->arg] == PM_RECORD_SPARE;
        region->unknown = region->unknown || region->spare;
        region->read_only = region->read_only || use[region->arg] == PM_RECORD_READ_ONLY;
    }
}
