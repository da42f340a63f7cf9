/* The headers of a captured source, and the options that find them. See folder.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A header may include another one by a path from its own folder, so all keep their places, below
 * the folder that they have in common.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"
#include "capture/folder.h"

/* ---- paths ----------------------------------------------------------------------------------- */

/* How many bytes all headers' paths have in common, up to a slash. */
static size_t common(const pm_captured_program *program)
{
    const char *first = program->headers[0].path;
    size_t length = (size_t)(strrchr(first, '/') - first);

    for (size_t i = 1; i < program->header_count; i++) {
        const char *path = program->headers[i].path;

        while (strncmp(path, first, length) != 0 || path[length] != '/') {
            length--;
            while (first[length] != '/')
                length--;
        }
    }
    return length;
}

/* ---- options --------------------------------------------------------------------------------- */

typedef struct {
    pm_memory *memory;
    const pm_captured_process *process;
    const pm_captured_program *program;
    const char *folder; /* of the headers */
    pm_text text;
} options;

static void add_word(options *o, const char *word)
{
    const char *quote = strpbrk(word, " \t#;") ? "\"" : "";

    pm_text_add(&o->text, "%s%s%s%s", o->text.length ? " " : "", quote, word, quote);
}

/* -I of a folder that has headers, or folders with headers, of the capture. */
static void add_folder(options *o, const char *path)
{
    const char *whole = pm_captured_path(o->memory, o->process->place, path);
    const size_t length = strlen(whole), shared = common(o->program);

    for (size_t i = 0; i < o->program->header_count; i++) {
        const char *header = o->program->headers[i].path;

        if (strncmp(header, whole, length) == 0 && header[length] == '/') {
            add_word(o, pm_format(o->memory, "-I%s%s", o->folder,
                                  length > shared ? whole + shared : ""));
            return;
        }
    }
}

/* The next word without its quotes. */
static char *next_word(pm_memory *memory, const char **text)
{
    const char *at = *text + strspn(*text, " \t\r\n");
    char *word = pm_take(memory, strlen(at) + 1, 1), *to = word;
    char quote = '\0';

    if (!*at)
        return NULL;
    for (; *at && (quote || !strchr(" \t\r\n", *at)); at++)
        if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? '\0' : *at;
        else
            *to++ = *at;
    *text = at;
    return word;
}

const char *pm_folder_options(const pm_capture_folder *folder, const pm_captured_process *process,
                              const pm_captured_program *program, const char *prefix)
{
    options o = {.memory = folder->memory,
                 .process = process,
                 .program = program,
                 .text = {.memory = folder->memory}};
    const char *rest = program->options, *word;
    const bool headers = program->header_count > 0;

    o.folder = pm_format(folder->memory, "%sheaders/%zu", prefix, folder->written + 1);
    while ((word = next_word(folder->memory, &rest))) {
        if (strncmp(word, "-I", 2) != 0) {
            add_word(&o, word);
            continue;
        }
        word = word[2] ? word + 2 : next_word(folder->memory, &rest);
        if (word && headers)
            add_folder(&o, word);
    }
    if (headers) {
        add_folder(&o, process->place);
        add_folder(&o, "/embedded");
    }
    return pm_text_get(&o.text);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Makes the folders of a path that is seen from the capture's. */
static void make_folders(const pm_capture_folder *folder, const char *name)
{
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        const char *path =
            pm_format(folder->memory, "%s/%.*s", folder->path, (int)(slash - name), name);

        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            pm_give_up(folder->memory,
                       pm_file_unwritten(path, errno, "make room", folder->memory->err));
    }
}

void pm_folder_headers(const pm_capture_folder *folder, const pm_captured_process *process,
                       const pm_captured_program *program)
{
    for (size_t i = 0; i < program->header_count; i++) {
        const char *path = program->headers[i].path;
        const char *name =
            pm_format(folder->memory, "headers/%zu%s", folder->written + 1, path + common(program));
        char *text = pm_folder_text(folder, process, program->headers[i].contents);
        const char *kept = pm_copy(folder->memory, text);

        free(text);
        make_folders(folder, name);
        pm_folder_write(folder, name, kept);
    }
}
