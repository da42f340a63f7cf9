/* The headers that a workload file's source includes. See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A compiler waits for the writer of a named pipe, and reads a device for ever. What #include names
 * is looked for here as compilers do, whether or not an #if leaves it out; what only a macro names
 * is left to the compiler's limits.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "program/build_words.h"
#include "suite/file/from_file.h"

enum { MOST_BYTES = 16 << 20, MOST_HEADERS = 10000 };

typedef struct {
    const pm_file_build *b;
    unsigned line; /* that names the source */
    size_t folder_count, count;
    const char **folders;
    const char **paths; /* headers that were found */
} headers;

/* ---- where they are ------------------------------------------------------------------------- */

static void find_folders(headers *h)
{
    const char *rest = h->b->workload->build_options;
    char *word = pm_take(h->b->memory, strlen(rest) + 1, 1);
    const char *path = h->b->workload->source_path, *slash = strrchr(path, '/');
    pm_build_word found;

    /* Which is the first to every compiler here. */
    *pm_add(h->b->memory, h->folders, h->folder_count) =
        pm_format(h->b->memory, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    while (pm_build_word_next(&rest, word, &found))
        if (found.kind == PM_WORD_FOLDER)
            *pm_add(h->b->memory, h->folders, h->folder_count) = pm_copy(h->b->memory, word + 2);
}

static void add_header(headers *h, const char *path)
{
    for (size_t i = 0; i < h->count; i++)
        if (strcmp(h->paths[i], path) == 0)
            return;
    if (h->count == MOST_HEADERS)
        pm_file_fault(h->b, h->line, "source %s includes more than %d headers",
                      h->b->workload->source_path, MOST_HEADERS);
    *pm_add(h->b->memory, h->paths, h->count) = path;
}

/* Whether a compiler would take that path. One that is there and no regular file is a fault. */
static bool take_path(headers *h, const char *path, bool text)
{
    struct stat there;
    pm_error why = {0};
    int fd;

    if (stat(path, &there) != 0 || S_ISDIR(there.st_mode))
        return false;
    fd = pm_file_open(path, &why);
    if (fd < 0)
        pm_file_fault(h->b, h->line, "source %s includes %s", h->b->workload->source_path,
                      why.text);
    close(fd);
    if (text)
        add_header(h, path);
    return true;
}

/* by: the file that includes it; its folder comes first for a name in quotes. */
static void find_header(headers *h, const char *by, const char *name, bool quoted, bool text)
{
    const char *slash = strrchr(by, '/');
    pm_memory *memory = h->b->memory;

    if (*name == '/') {
        take_path(h, name, text);
        return;
    }
    if (quoted &&
        take_path(h, pm_format(memory, "%.*s%s", slash ? (int)(slash - by) + 1 : 0, by, name),
                  text))
        return;
    for (size_t i = 0; i < h->folder_count; i++)
        if (take_path(h, pm_format(memory, "%s/%s", h->folders[i], name), text))
            return;
}

/* ---- what includes them --------------------------------------------------------------------- */

/* Behind blanks and comments. */
static const char *skip(const char *at)
{
    for (;;) {
        const char *end = strncmp(at, "/*", 2) == 0 ? strstr(at + 2, "*/") : NULL;

        if (end)
            at = end + 2;
        else if (*at && strchr(" \t\v\f\r", *at))
            at++;
        else
            return at;
    }
}

/* A directive, behind its #. */
static void read_directive(headers *h, const char *by, const char *at)
{
    static const char *const words[] = {"include_next", "include", "import", "embed"};
    const char *word = NULL, *end;
    char close;

    for (size_t i = 0; !word && i < sizeof words / sizeof *words; i++)
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            word = words[i];
    if (!word)
        return;
    at = skip(at + strlen(word));
    if (*at != '"' && *at != '<')
        return;
    close = *at == '<' ? '>' : '"';
    end = strpbrk(at + 1, close == '>' ? ">\n" : "\"\n");
    if (end && *end == close)
        find_header(h, by, pm_format(h->b->memory, "%.*s", (int)(end - at) - 1, at + 1),
                    close == '"', strcmp(word, "embed") != 0);
}

static void read_text(headers *h, const char *by, const char *text)
{
    for (const char *line = text, *end; line; line = end ? end + 1 : NULL) {
        const char *at = skip(line);

        end = strchr(line, '\n');
        if (*at == '#')
            read_directive(h, by, skip(at + 1));
    }
}

void pm_file_check_headers(const pm_file_build *b, unsigned line)
{
    headers h = {.b = b, .line = line};

    if (!strstr(b->workload->source, "include") && !strstr(b->workload->source, "embed"))
        return;
    find_folders(&h);
    read_text(&h, b->workload->source_path, b->workload->source);
    for (size_t i = 0; i < h.count; i++) {
        pm_error why = {0};
        char *text, *kept;

        if (pm_file_read(h.paths[i], MOST_BYTES, "a header", &text, &why) != PM_OK)
            pm_file_fault(b, line, "source %s includes %s", b->workload->source_path, why.text);
        /* A fault ends the attempt, which frees what is of its memory. */
        kept = pm_try_take(b->memory, strlen(text) + 1, 1);
        if (kept)
            strcpy(kept, text);
        free(text);
        if (!kept)
            pm_leave(b->memory, PM_FAILED, "%s: out of memory for headers", h.paths[i]);
        read_text(&h, h.paths[i], kept);
    }
}
