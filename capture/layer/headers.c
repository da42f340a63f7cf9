/* Finds the headers that a source includes. The search order is that of a compiler: the folder of
 * the including file, then the -I folders, then the program's working folder. See layer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An #include is followed even if a condition disables it, because an unneeded header does no harm.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "capture/layer/layer.h"
#include "program/build_words.h"

enum { MOST_HEADERS = 1000, MOST_FOLDERS = 64, MOST_BYTES = 16 << 20 };

/* State of the search for headers: the folders to search, in order. */
typedef struct {
    pm_layer_program *program;
    size_t count;
    char *folders[MOST_FOLDERS];
} search;

void pm_layer_add_header(pm_layer_program *program, const char *path, const char *text)
{
    pm_layer_header *grown =
        reallocarray(program->headers, program->header_count + 1, sizeof *grown);
    pm_layer_header *header;

    if (!grown)
        return;
    program->headers = grown;
    header = &grown[program->header_count];
    *header = (pm_layer_header){strdup(path), strdup(text)};
    if (header->path && header->text) {
        program->header_count++;
        return;
    }
    free(header->path);
    free(header->text);
}

/* ---- the options ----------------------------------------------------------------------------- */

static void add_folder(search *s, const char *folder)
{
    if (s->count < MOST_FOLDERS && *folder && (s->folders[s->count] = strdup(folder)))
        s->count++;
}

static void add_folders(search *s, const char *options)
{
    char here[PATH_MAX], *word = calloc(strlen(options) + 1, 1);
    pm_build_word found;

    while (word && pm_build_word_next(&options, word, &found))
        if (found.kind == PM_WORD_FOLDER)
            add_folder(s, word + 2);
    free(word);
    if (getcwd(here, sizeof here))
        add_folder(s, here);
}

/* ---- the sources ----------------------------------------------------------------------------- */

static bool is_known(const pm_layer_program *program, const char *path)
{
    for (size_t i = 0; i < program->header_count; i++)
        if (strcmp(program->headers[i].path, path) == 0)
            return true;
    return false;
}

/* Adds the file `name` in the folder to the program's headers, if there is such a file. Returns
 * whether there is. */
static bool try_folder(const search *s, const char *folder, size_t length, const char *name)
{
    char joined[PATH_MAX], path[PATH_MAX];
    struct stat info;
    char *text = NULL;

    if (name[0] == '/')
        length = 0;
    if ((size_t)snprintf(joined, sizeof joined, "%.*s%s%s", (int)length, folder, length ? "/" : "",
                         name) >= sizeof joined ||
        !realpath(joined, path) || stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return false;
    if (is_known(s->program, path))
        return true;
    if (pm_file_read(path, MOST_BYTES, "a header", &text, NULL) != PM_OK)
        return false;
    pm_layer_add_header(s->program, path, text);
    free(text);
    return true;
}

/* Finds the header `name` and adds it to the program. The file at the path `from` includes the
 * header; NULL: the source itself includes it. */
static void find(const search *s, const char *from, const char *name)
{
    const char *slash = from ? strrchr(from, '/') : NULL;

    if (slash && try_folder(s, from, (size_t)(slash - from), name))
        return;
    for (size_t i = 0; i < s->count; i++)
        if (try_folder(s, s->folders[i], strlen(s->folders[i]), name))
            return;
}

/* Handles a line of a file if it is #include "name" or #include <name>. */
static void scan_line(const search *s, const char *from, const char *line)
{
    char name[PATH_MAX];
    size_t length;
    char end;

    line += strspn(line, " \t");
    if (*line != '#')
        return;
    line += 1 + strspn(line + 1, " \t");
    if (strncmp(line, "include", 7) != 0)
        return;
    line += 7 + strspn(line + 7, " \t");
    if (*line != '"' && *line != '<')
        return;
    end = *line == '"' ? '"' : '>';
    length = strcspn(line + 1, end == '"' ? "\"\n" : ">\n");
    if (length == 0 || length >= sizeof name || line[1 + length] != end)
        return;
    memcpy(name, line + 1, length);
    name[length] = '\0';
    find(s, from, name);
}

static void scan(const search *s, const char *from, const char *text)
{
    while (text && s->program->header_count < MOST_HEADERS) {
        scan_line(s, from, text);
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
}

void pm_layer_find_headers(pm_layer_program *program)
{
    search s = {.program = program};

    if (!program->source || !strstr(program->source, "include"))
        return;
    add_folders(&s, program->options ? program->options : "");
    scan(&s, NULL, program->source);
    for (size_t i = 0; i < program->header_count; i++) {
        /* copied, because the array program->headers moves when it grows; the headers' texts do not
         * move */
        const pm_layer_header header = program->headers[i];

        scan(&s, header.path, header.text);
    }
    for (size_t i = 0; i < s.count; i++)
        free(s.folders[i]);
}
