/* Copies the headers of a captured program's source into the capture's folder, and makes the -I
 * options with which a compiler finds them. See folder.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A header may include another by a relative path. So all headers keep their relative positions
 * below the folder that they have in common.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "capture/folder.h"
#include "capture/records.h"
#include "program/build_words.h"

/* Folder in the records for headers that the program passed to the compiler as text. It does not
 * exist on disk. */
#define EMBEDDED "/embedded"

/* ---- paths ----------------------------------------------------------------------------------- */

static bool has_header(const pm_captured_program *program, const char *folder)
{
    const size_t length = strlen(folder);

    for (size_t i = 0; i < program->header_count; i++)
        if (strncmp(program->headers[i].path, folder, length) == 0 &&
            program->headers[i].path[length] == '/')
            return true;
    return false;
}

/* Returns the length of the longest common prefix of a folder's path and another path. The prefix
 * is a whole path, so it ends before a slash or at the end. */
static size_t shared(const char *folder, size_t length, const char *path)
{
    while (strncmp(path, folder, length) != 0 || (path[length] && path[length] != '/')) {
        length--;
        while (folder[length] != '/')
            length--;
    }
    return length;
}

/* ---- options --------------------------------------------------------------------------------- */

typedef struct {
    pm_memory *memory;
    const pm_captured_process *process;
    const pm_captured_program *program;
    size_t folder_count;
    const char **folders; /* folders of the -I options that contain recorded headers */
    pm_text text;
} options;

static void add_word(options *o, const char *word, size_t length)
{
    pm_text_add(&o->text, "%s", o->text.length ? " " : "");
    pm_text_put(&o->text, word, length);
}

/* Adds a word to the build options, in quotes if it contains blanks. */
static void add_quoted(options *o, const char *word)
{
    const char *quote = strpbrk(word, " \t") ? "\"" : "";

    pm_text_add(&o->text, "%s%s%s%s", o->text.length ? " " : "", quote, word, quote);
}

/* Adds the folder of an -I option to o->folders if it contains recorded headers. */
static void add_folder(options *o, const char *path)
{
    const char *folder = pm_captured_path(o->memory, o->process->place, path);

    for (size_t i = 0; i < o->folder_count; i++)
        if (strcmp(o->folders[i], folder) == 0)
            return;
    if (has_header(o->program, folder))
        *pm_add(o->memory, o->folders, o->folder_count) = folder;
}

/* Reads the build options. Stores the folders of -I options, and copies all other words. */
static options read_options(const pm_capture_folder *folder, const pm_captured_process *process,
                            const pm_captured_program *program)
{
    options o = {.memory = folder->memory,
                 .process = process,
                 .program = program,
                 .text = {.memory = folder->memory}};
    const char *rest = program->options;
    char *word = pm_take(folder->memory, strlen(rest) + 1, 1);
    pm_build_word found;

    while (pm_build_word_next(&rest, word, &found))
        if (found.kind == PM_WORD_FOLDER)
            add_folder(&o, word + 2);
        else
            add_word(&o, found.start, found.length);
    add_folder(&o, process->place);
    add_folder(&o, EMBEDDED);
    return o;
}

/* Returns the number of characters in the path of the deepest folder that contains all headers and
 * all folders of -I options. */
static size_t common(const options *o)
{
    const char *first = o->program->headers[0].path;
    size_t length = (size_t)(strrchr(first, '/') - first);

    for (size_t i = 1; i < o->program->header_count; i++)
        length = shared(first, length, o->program->headers[i].path);
    for (size_t i = 0; i < o->folder_count; i++)
        length = shared(first, length, o->folders[i]);
    return length;
}

const char *pm_folder_options(const pm_capture_folder *folder, const pm_captured_process *process,
                              const pm_captured_program *program, const char *prefix)
{
    options o = read_options(folder, process, program);
    const size_t length = program->header_count ? common(&o) : 0;

    for (size_t i = 0; i < o.folder_count; i++)
        add_quoted(&o, pm_format(folder->memory, "-I%sheaders/%zu%s", prefix, folder->written + 1,
                                 o.folders[i] + length));
    return pm_text_get(&o.text);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Creates all folders of the path `name`, which is relative to the capture's folder. */
static void make_folders(const pm_capture_folder *folder, const char *name)
{
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/'))
        pm_folder_below(folder, pm_format(folder->memory, "%.*s", (int)(slash - name), name));
}

void pm_folder_headers(const pm_capture_folder *folder, const pm_captured_process *process,
                       const pm_captured_program *program)
{
    const options o = read_options(folder, process, program);
    const size_t length = program->header_count ? common(&o) : 0;

    for (size_t i = 0; i < program->header_count; i++) {
        const char *path = program->headers[i].path;
        const char *name =
            pm_format(folder->memory, "headers/%zu%s", folder->written + 1, path + length);
        char *text =
            pm_folder_text(folder, process, program->headers[i].text, program->headers[i].contents);
        const char *kept = pm_copy(folder->memory, text);

        free(text);
        make_folders(folder, name);
        pm_folder_write(folder, name, kept);
    }
}

void pm_folder_remove_headers(const pm_capture_folder *folder)
{
    pm_folder_remove(folder, pm_format(folder->memory, "headers/%zu", folder->written + 1));
    if (folder->written == 0)
        pm_folder_remove(folder, "headers");
}
