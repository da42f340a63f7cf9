/* The files of a recorded launch. See recorded.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "suite/intercept/recorded.h"

enum { MOST_NUMBER_TEXT = 64, CHUNK = 1 << 14 };

static const char AGAIN[] = "record the launch again";

static const char *path_of(const pm_recorded *r, const char *name)
{
    return pm_format(r->memory, "%s/%s", r->path, name);
}

bool pm_recorded_has(const pm_recorded *r, const char *name)
{
    struct stat there;

    return lstat(path_of(r, name), &there) == 0;
}

/* A link may lead out of the folder, and a pipe or device has no end. */
static size_t require_file(const pm_recorded *r, const char *name)
{
    const char *path = path_of(r, name);
    struct stat there;

    if (lstat(path, &there) != 0)
        pm_leave(r->memory, PM_BAD_INPUT, "%s: cannot be read: %s; %s", path, strerror(errno),
                 AGAIN);
    if (!S_ISREG(there.st_mode))
        pm_leave(r->memory, PM_BAD_INPUT, "%s: is no regular file; %s", path, AGAIN);
    return (size_t)there.st_size;
}

const char *pm_recorded_text(const pm_recorded *r, const char *name, size_t most)
{
    char *text, *kept;

    require_file(r, name);
    pm_require(r->memory, pm_file_read(path_of(r, name), most, "what the intercept layer wrote",
                                       &text, r->memory->err));
    kept = pm_try_take(r->memory, strlen(text) + 1, 1);
    if (kept)
        strcpy(kept, text);
    free(text);
    if (!kept)
        pm_leave(r->memory, PM_FAILED, "%s: out of memory", r->path);
    return kept;
}

static int open_file(const pm_recorded *r, const char *name)
{
    int fd = pm_file_open(path_of(r, name), r->memory->err);

    if (fd < 0)
        pm_give_up(r->memory, PM_BAD_INPUT);
    return fd;
}

/* Fewer bytes at the end of the file; -1: they cannot be read. */
static ssize_t read_up_to(int fd, unsigned char *to, size_t bytes)
{
    size_t done = 0;

    while (done < bytes) {
        const ssize_t got = read(fd, to + done, bytes - done);

        if (got < 0 && errno != EINTR)
            return -1;
        if (got == 0)
            break;
        done += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)done;
}

const unsigned char *pm_recorded_value(const pm_recorded *r, const char *name, size_t *bytes)
{
    unsigned char *value = pm_take(r->memory, PM_RECORDED_MOST_VALUE, 1);
    bool good;
    int fd;

    *bytes = require_file(r, name);
    if (*bytes == 0 || *bytes > PM_RECORDED_MOST_VALUE)
        pm_leave(r->memory, PM_BAD_INPUT, "%s: has %zu bytes, a value has 1 to %d; %s",
                 path_of(r, name), *bytes, PM_RECORDED_MOST_VALUE, AGAIN);
    fd = open_file(r, name);
    good = read_up_to(fd, value, *bytes) == (ssize_t)*bytes;
    close(fd);
    if (!good)
        pm_leave(r->memory, PM_FAILED, "%s: cannot be read to its end", path_of(r, name));
    return value;
}

/* -1: one of them cannot be read. */
static int compare(int one, int other)
{
    unsigned char chunks[2][CHUNK];
    ssize_t got;

    do {
        got = read_up_to(one, chunks[0], CHUNK);
        if (got < 0 || read_up_to(other, chunks[1], CHUNK) != got)
            return -1;
        if (memcmp(chunks[0], chunks[1], (size_t)got) != 0)
            return 0;
    } while (got == CHUNK);
    return 1;
}

bool pm_recorded_same(const pm_recorded *r, const char *one, const char *other)
{
    int first = open_file(r, one), second = pm_file_open(path_of(r, other), r->memory->err);
    const int same = second < 0 ? -1 : compare(first, second);

    close(first);
    if (second < 0)
        pm_give_up(r->memory, PM_BAD_INPUT);
    close(second);
    if (same < 0)
        pm_leave(r->memory, PM_FAILED, "%s/%s: cannot be read to its end", r->path, other);
    return same == 1;
}

bool pm_recorded_take(const char **text, size_t *number)
{
    const char *at = *text + strspn(*text, " \t");
    char *end;

    if (!isdigit((unsigned char)*at))
        return false;
    errno = 0;
    *number = strtoull(at, &end, 10);
    *text = end;
    /* Numbers of a workload file are signed. */
    return errno == 0 && *number <= INT64_MAX;
}

size_t pm_recorded_number(const pm_recorded *r, const char *name)
{
    const char *at = pm_recorded_text(r, name, MOST_NUMBER_TEXT);
    size_t number;

    if (!pm_recorded_take(&at, &number) || at[strspn(at, " \t\r\n")])
        pm_leave(r->memory, PM_BAD_INPUT, "%s: is no number; %s", path_of(r, name), AGAIN);
    return number;
}

/* ---- contents of buffers --------------------------------------------------------------------- */

/* Cuts a word off the end of what is left of a name. */
static bool cut_word(const char *name, size_t *length, const char *word)
{
    const size_t cut = strlen(word);

    if (*length < cut || memcmp(name + *length - cut, word, cut) != 0)
        return false;
    *length -= cut;
    return true;
}

/* The same of a number of up to nine digits. */
static bool cut_number(const char *name, size_t *length, unsigned *number)
{
    const size_t end = *length;

    while (*length > 0 && isdigit((unsigned char)name[*length - 1]))
        --*length;
    if (*length == end || end - *length > 9)
        return false;
    *number = (unsigned)strtoul(name + *length, NULL, 10);
    return true;
}

/* Enqueue_NUMBER_Kernel_NAME_Arg_ARGUMENT_Buffer_NUMBER.bin, of an argument that can be. */
static bool read_name(const char *name, unsigned *arg)
{
    size_t length = strlen(name);
    unsigned number;

    return cut_word(name, &length, ".bin") && cut_number(name, &length, &number) &&
           cut_word(name, &length, "_Buffer_") && cut_number(name, &length, arg) &&
           cut_word(name, &length, "_Arg_") && strncmp(name, "Enqueue_", 8) == 0 &&
           *arg < PM_CAPTURED_MOST_ARGS;
}

/* The name becomes part of a workload file. */
static void keep(const pm_recorded *r, pm_recorded_contents *contents, const char *below,
                 const char *name)
{
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_.-$", *c))
            pm_leave(r->memory, PM_BAD_INPUT,
                     "%s/%s: has a file with characters in its name that no kernel's name has; %s",
                     r->path, below, AGAIN);
    contents->path = pm_format(r->memory, "%s/%s", below, name);
    contents->bytes = require_file(r, contents->path);
    if (contents->bytes == 0)
        pm_leave(r->memory, PM_BAD_INPUT, "%s/%s: is empty; %s", r->path, contents->path, AGAIN);
}

/* The names of one file of each argument; how many there are is counted. Nothing here may leave, as
 * the folder is open. */
typedef char file_name[NAME_MAX + 1];

static void list(pm_recorded *r, DIR *open, bool after, file_name *names)
{
    const struct dirent *entry;
    unsigned arg;

    while ((entry = readdir(open)) != NULL) {
        pm_recorded_contents *contents;

        if (!read_name(entry->d_name, &arg))
            continue;
        contents = after ? &r->args[arg].after : &r->args[arg].before;
        contents->found += contents->found < 2;
        strcpy(names[arg], entry->d_name);
    }
}

void pm_recorded_contents_find(pm_recorded *r, bool after)
{
    const char *below = after ? "Post" : "Pre", *path = path_of(r, below);
    file_name *names = pm_take(r->memory, PM_CAPTURED_MOST_ARGS, sizeof *names);
    struct stat there;
    DIR *open;

    if (lstat(path, &there) != 0)
        return;
    open = S_ISDIR(there.st_mode) ? opendir(path) : NULL;
    if (!open)
        pm_leave(r->memory, PM_BAD_INPUT, "%s: is no folder that can be read; %s", path, AGAIN);
    list(r, open, after, names);
    closedir(open);
    for (size_t a = 0; a < PM_CAPTURED_MOST_ARGS; a++) {
        pm_recorded_contents *contents = after ? &r->args[a].after : &r->args[a].before;

        if (contents->found > 1)
            pm_leave(r->memory, PM_BAD_INPUT,
                     "%s: has more than one file of argument %zu, of several runs; remove the "
                     "older ones",
                     path, a);
        if (contents->found == 1)
            keep(r, contents, below, names[a]);
    }
}
