/* Checks that the headers that a source includes are regular files. See headers.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A header whose name comes from a macro cannot be checked. In a capture it is refused; otherwise
 * only the limits of the compiler's process protect against it.
 */
#include "program/headers.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "program/build_words.h"
#include "program/confine.h"
#include "program/includes.h"

enum { MOST_BYTES = 16 << 20, MOST_OF_ALL = 256 << 20, MOST_HEADERS = 10000, MOST_LINES = 100000 };

typedef struct {
    const pm_headers *of;
    pm_memory memory;
    /* bytes: sum of the sizes of all headers so far. lines: number of include directives so far.
     * Both are limited. */
    size_t bytes, lines;
    size_t folder_count, count;
    const char **folders;
    const char **paths; /* paths of the headers that were found so far */
    /* seen[i]: key_of(paths[i]), by which headers that were checked already are recognized */
    const char **seen;
} search;

static void find_folders(search *s)
{
    const char *rest = s->of->options ? s->of->options : "";
    char *word = pm_take(&s->memory, strlen(rest) + 1, 1);
    const char *path = s->of->path, *slash = strrchr(path, '/');
    pm_build_word found;

    /* Search the source's own folder first, as all compilers do. */
    *pm_add(&s->memory, s->folders, s->folder_count) =
        pm_format(&s->memory, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    while (pm_build_word_next(&rest, word, &found))
        if (found.kind == PM_WORD_FOLDER)
            *pm_add(&s->memory, s->folders, s->folder_count) = pm_copy(&s->memory, word + 2);
}

/* Returns a text that identifies a header: its folder with symbolic links resolved, and its name. A
 * header that is included by different paths with ".." has one key. Symbolic links to one header
 * have different keys, because the folder of the link is searched for headers that it includes. */
static const char *key_of(search *s, const char *path)
{
    const char *slash = strrchr(path, '/');
    char real[PATH_MAX];

    if (!realpath(slash ? pm_format(&s->memory, "%.*s", (int)(slash - path) + 1, path) : ".", real))
        return path;
    return pm_format(&s->memory, "%s/%s", real, slash ? slash + 1 : path);
}

static void add_header(search *s, const char *path)
{
    const char *key = key_of(s, path);

    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->seen[i], key) == 0)
            return;
    if (s->count == MOST_HEADERS)
        pm_leave(&s->memory, PM_BAD_INPUT, "includes more than %d headers", MOST_HEADERS);
    s->seen = pm_more(&s->memory, s->seen, s->count, sizeof *s->seen);
    s->seen[s->count] = key;
    *pm_add(&s->memory, s->paths, s->count) = path;
}

/* Returns whether a header exists at this path. If `text`, adds it to the headers to read. Raises
 * an error if it is not a regular file, or if it is outside of the capture that the source belongs
 * to. */
static bool take_path(search *s, const char *path, bool text)
{
    struct stat there;
    pm_error why = {0};
    int fd;

    if (stat(path, &there) != 0 || S_ISDIR(there.st_mode))
        return false;
    if (s->of->root && !pm_confine_holds(s->of->root, path))
        pm_leave(&s->memory, PM_BAD_INPUT,
                 "includes %.300s, which is not in the capture %.300s: copy it there, and include "
                 "it from there",
                 path, s->of->root);
    fd = pm_file_open(path, &why);
    if (fd < 0)
        pm_leave(&s->memory, PM_BAD_INPUT, "includes %s", why.text);
    close(fd);
    if (text)
        add_header(s, path);
    return true;
}

/* Finds a header and checks it. The file with the path `by` includes it, and its folder is searched
 * first if the name is in quotes. If the source belongs to a capture, checks the file with this
 * name in each folder, because compilers search the folders in different orders. */
static void find_header(search *s, const char *by, const pm_include *include)
{
    const char *slash = strrchr(by, '/');
    const bool all = s->of->root || include->next;
    const char *name = pm_format(&s->memory, "%.*s", (int)include->length, include->name);

    if (*name == '/') {
        take_path(s, name, include->text);
        return;
    }
    if ((include->quoted || all) &&
        take_path(s, pm_format(&s->memory, "%.*s%s", slash ? (int)(slash - by) + 1 : 0, by, name),
                  include->text) &&
        !all)
        return;
    for (size_t i = 0; i < s->folder_count; i++)
        if (take_path(s, pm_format(&s->memory, "%s/%s", s->folders[i], name), include->text) &&
            !all)
            return;
}

/* Raises an error for an include directive of a capture's source if compilers might find different
 * files for it. */
static void refuse_unclear(search *s, const char *by, const pm_include *include)
{
    if (!include->name)
        pm_leave(&s->memory, PM_BAD_INPUT,
                 "includes a file by the name of a macro (%.300s), which a source of a capture may "
                 "not: write the file's name",
                 by);
    if (memchr(include->name, '\\', include->length))
        pm_leave(&s->memory, PM_BAD_INPUT,
                 "includes \"%.*s\" (%.300s): the name of a capture's file may have no \\",
                 include->length < 100 ? (int)include->length : 100, include->name, by);
}

/* Finds the include directives of a file and checks the headers that they name. The file has the
 * path `by`. Overwrites text. */
static void read_text(search *s, const char *by, char *text)
{
    const char *at = text;
    pm_include include;

    if (s->of->root && pm_includes_trigraph(text))
        pm_leave(&s->memory, PM_BAD_INPUT,
                 "has trigraphs (%.300s), which a source of a capture may not: write # and \\ "
                 "as they are",
                 by);
    pm_includes_join(text);
    while (pm_includes_next(text, &at, &include)) {
        if (s->of->root)
            refuse_unclear(s, by, &include);
        if (++s->lines > MOST_LINES)
            pm_leave(&s->memory, PM_BAD_INPUT, "includes headers in more than %d lines",
                     MOST_LINES);
        if (include.name)
            find_header(s, by, &include);
    }
}

static void read_header(search *s, const char *path)
{
    char *text, *kept;
    pm_error why = {0};

    if (pm_file_read(path, MOST_BYTES, "a header", &text, &why) != PM_OK)
        pm_leave(&s->memory, why.status, "includes %s", why.text);
    s->bytes += strlen(text);
    /* Copy the text to s->memory, which is freed even if an error is raised below. */
    kept = pm_try_take(&s->memory, strlen(text) + 1, 1);
    if (kept)
        strcpy(kept, text);
    free(text);
    if (!kept)
        pm_leave(&s->memory, PM_FAILED, "%s: out of memory for headers", path);
    if (s->bytes > MOST_OF_ALL)
        pm_leave(&s->memory, PM_BAD_INPUT, "includes more than %d MiB of headers",
                 MOST_OF_ALL >> 20);
    read_text(s, path, kept);
}

/* Checks the files that options -include of nvcc name. */
static void check_options(search *s)
{
    const char *rest = s->of->options ? s->of->options : "";
    char *word = pm_take(&s->memory, strlen(rest) + 1, 1);
    pm_build_word found;

    while (pm_build_word_next(&rest, word, &found))
        if (found.kind == PM_WORD_FILE) {
            const char *name = pm_copy(&s->memory, pm_build_word_file(word));
            const pm_include include = {
                .name = name, .length = strlen(name), .quoted = true, .text = true};

            find_header(s, s->of->path, &include);
        }
}

static void look(void *user)
{
    search *s = user;

    find_folders(s);
    check_options(s);
    read_text(s, s->of->path, pm_copy(&s->memory, s->of->text));
    for (size_t i = 0; i < s->count; i++)
        read_header(s, s->paths[i]);
}

pm_status pm_headers_check(const pm_headers *headers, pm_error *err)
{
    search s = {.of = headers};
    pm_status status = pm_attempt(&s.memory, look, &s, err);

    pm_memory_free(&s.memory);
    return status;
}
