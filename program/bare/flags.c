/* Finds compiler options in a CUDA source's makefile, and folders with its headers. See bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A makefile is split into words, and its variables are not expanded. perfmodel uses the options
 * -D, -I and -std outside of conditional parts, and the folders of CMake's include_directories.
 * Headers that no folder of the options has are searched in folders around the source where
 * programs usually keep them.
 */
#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/strings.h"
#include "base/text.h"
#include "compiler/cuda_source/cuda_source.h"
#include "program/bare/bare.h"

enum { MOST_BYTES = 1 << 20, MOST_ROUNDS = 4, MOST_FLAGS = 64, MOST_BESIDE = 1000 };

typedef struct {
    pm_bare *b;
    const char *folder; /* folder of the source */
    pm_text options;    /* compiler options that were found, separated by blanks */
    /* the compiler options as the makefile writes them, for the list of assumptions */
    pm_text said;
    size_t count;
    bool has_standard;
} finding;

/* ---- options --------------------------------------------------------------------------------- */

/* Returns whether `options` already defines the macro of `word`, for example -DN for the word
 * -DN=4. */
static bool is_there(const char *options, const char *word)
{
    const size_t length = strcspn(word, "=");

    for (const char *at = options ? strstr(options, word) : NULL; at; at = strstr(at + 1, word))
        if (!at[length] || strchr("= ", at[length]))
            return true;
    return false;
}

static void add_option(finding *f, const char *option, const char *as_written)
{
    char *name = pm_format(&f->b->memory, "%.*s", (int)strcspn(option, "="), option);

    if (strncmp(option, "-I", 2) == 0)
        name = pm_copy(&f->b->memory, option);
    if (f->count == MOST_FLAGS || is_there(pm_text_get(&f->options), name) ||
        is_there(f->b->build_options, name))
        return;
    f->count++;
    pm_text_add(&f->options, "%s%s", f->options.length ? " " : "", option);
    pm_text_add(&f->said, "%s%s", f->said.length ? " " : "", as_written);
}

/* Returns the absolute path of a folder, whose name is relative to the source's folder. NULL: there
 * is no such folder, or its path has characters that build options cannot contain. */
static const char *find_folder(const finding *f, const char *name)
{
    char path[PATH_MAX];
    struct stat info;
    const char *joined = *name == '/' ? name : pm_format(&f->b->memory, "%s/%s", f->folder, name);

    if (!realpath(joined, path) || stat(path, &info) != 0 || !S_ISDIR(info.st_mode) ||
        strpbrk(path, " \t\"'\\{}"))
        return NULL;
    return pm_copy(&f->b->memory, path);
}

static void add_folder(finding *f, const char *name)
{
    const char *folder = find_folder(f, name);

    if (folder)
        add_option(f, pm_format(&f->b->memory, "-I%s", folder),
                   pm_format(&f->b->memory, "-I%s", name));
}

/* ---- makefiles ------------------------------------------------------------------------------- */

/* Returns whether a word of a makefile is an option -D without characters that a shell or make
 * would interpret. */
static bool is_plain_macro(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_=.+-*:<>";

    return (isalpha((unsigned char)word[2]) || word[2] == '_') && !word[strspn(word, plain)];
}

static void take_word(finding *f, const char *word)
{
    if (strncmp(word, "-D", 2) == 0 && is_plain_macro(word)) {
        add_option(f, word, word);
    } else if (strncmp(word, "-I", 2) == 0 && word[2] && !strchr(word, '$')) {
        add_folder(f, word + 2);
    } else if (strncmp(word + strspn(word, "-"), "std=c++", 7) == 0 && *word == '-' &&
               !f->has_standard && !is_there(f->b->build_options, "-std") && strlen(word) < 16) {
        f->has_standard = true;
        add_option(f, pm_format(&f->b->memory, "-%s", word + strspn(word, "-")),
                   pm_format(&f->b->memory, "-%s", word + strspn(word, "-")));
    }
}

/* Finds compiler options in a line of a makefile, to which its continuation lines are joined.
 * *folders: true while the lines are inside of include_directories(...) in a CMakeLists.txt; this
 * function updates it. */
static void take_line(finding *f, char *line, bool *folders)
{
    char *rest = NULL;
    bool is_next = false;

    if (strstr(line, "include_directories("))
        *folders = true;
    for (char *word = strtok_r(line, " \t\r()\"'", &rest); word;
         word = strtok_r(NULL, " \t\r()\"'", &rest)) {
        if (is_next || (*folders && *word != '-' && !strchr(word, '$') && strchr(word, '.')))
            add_folder(f, word);
        is_next = strcmp(word, "-I") == 0;
        take_word(f, word);
    }
}

static bool begins(const char *line, const char *const *words)
{
    line += strspn(line, " \t");
    for (; *words; words++)
        if (strncasecmp(line, *words, strlen(*words)) == 0)
            return true;
    return false;
}

static void read_makefile(finding *f, char *text)
{
    static const char *const opens[] = {"ifeq", "ifneq", "ifdef", "ifndef", "if(", "if (", NULL};
    static const char *const closes[] = {"endif", NULL};
    unsigned depth = 0;

    for (char *at = text; (at = strstr(at, "\\\n")) != NULL;)
        at[0] = at[1] = ' ';
    for (char *line = text, *next; line; line = next) {
        char *comment, *end = strchr(line, '\n');
        bool folders = false;

        next = end ? end + 1 : NULL;
        if (end)
            *end = '\0';
        comment = strchr(line, '#');
        if (comment)
            *comment = '\0';
        depth += begins(line, opens);
        depth -= depth > 0 && begins(line, closes);
        if (depth == 0)
            take_line(f, line, &folders);
    }
}

/* Reads makefiles in the source's folder until one has compiler options, and returns its name.
 * NULL: no makefile has options. */
static const char *read_makefiles(finding *f)
{
    static const char *const names[] = {"GNUmakefile", "makefile", "Makefile", "CMakeLists.txt"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = pm_format(&f->b->memory, "%s/%s", f->folder, names[i]);
        char *text = NULL;

        if (access(path, R_OK) != 0 ||
            pm_file_read(path, MOST_BYTES, "a makefile", &text, NULL) != PM_OK)
            continue;
        read_makefile(f, text);
        free(text);
        if (f->count > 0)
            return names[i];
    }
    return NULL;
}

/* ---- headers around the source --------------------------------------------------------------- */

static const char *options_so_far(const finding *f)
{
    const char *own = f->b->build_options;

    return pm_format(&f->b->memory, "%s%s%s", pm_text_get(&f->options),
                     f->options.length && own ? " " : "", own ? own : "");
}

/* Returns the path of a neighbouring folder, relative to the source's folder. Its name is the name
 * of the source's folder with `ending` in place of its last '-' and the text after it:
 * ../hotspot-cuda for hotspot-hip and "-cuda". Benchmark suites keep a program in several languages
 * in this way. The folder need not exist. NULL: the name has no '-'. */
static const char *sibling(const finding *f, const char *ending)
{
    char path[PATH_MAX];
    const char *name, *dash;

    if (!realpath(f->folder, path))
        return NULL;
    name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    dash = strrchr(name, '-');
    return dash ? pm_format(&f->b->memory, "../%.*s%s", (int)(dash - name), name, ending) : NULL;
}

/* Adds a folder to the options as -I if it contains the header. folder: path relative to the
 * source's folder; NULL: nothing is added. Returns whether it was added. */
static bool add_if_it_has(finding *f, const char *folder, const char *header)
{
    const char *path = folder ? find_folder(f, folder) : NULL;

    if (!path || access(pm_format(&f->b->memory, "%s/%s", path, header), R_OK) != 0)
        return false;
    add_folder(f, folder);
    return true;
}

/* Searches a header in the folders that have the same parent as the source's folder, and in their
 * subfolders `include` and `inc`. Returns the path of the folder that has it, relative to the
 * source's folder. NULL: no folder has it, or several have. */
static const char *only_beside(const finding *f, const char *header)
{
    static const char *const inner[] = {"", "/include", "/inc"};
    pm_memory *memory = &f->b->memory;
    DIR *parent = opendir(pm_format(memory, "%s/..", f->folder));
    const struct dirent *entry;
    const char *only = NULL;
    size_t count = 0;

    for (size_t seen = 0; parent && seen < MOST_BESIDE && (entry = readdir(parent)); seen++)
        for (size_t i = 0; *entry->d_name != '.' && i < sizeof inner / sizeof *inner; i++) {
            const char *folder = pm_format(memory, "../%s%s", entry->d_name, inner[i]);

            if (access(pm_format(memory, "%s/%s/%s", f->folder, folder, header), R_OK) != 0)
                continue;
            only = folder;
            count++;
        }
    if (parent)
        closedir(parent);
    return count == 1 ? only : NULL;
}

static void look_around(finding *f, const char *header)
{
    static const char *const around[] = {"include",
                                         "inc",
                                         "src",
                                         "common",
                                         "..",
                                         "../include",
                                         "../inc",
                                         "../src",
                                         "../common",
                                         "../Common",
                                         "../utils",
                                         "../util",
                                         "../../include",
                                         "../../common",
                                         "../../Common",
                                         "../../utils",
                                         "../../../include",
                                         "../../../common",
                                         "../../../Common"};
    static const char *const endings[] = {"-cuda", "-hip", "-omp", "-sycl"};

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (add_if_it_has(f, sibling(f, endings[i]), header))
            return;
    for (size_t i = 0; i < sizeof around / sizeof *around; i++)
        if (add_if_it_has(f, around[i], header))
            return;
    add_if_it_has(f, only_beside(f, header), header);
}

static void find_headers(finding *f)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        const size_t before = f->count;
        pm_text missing = {.memory = &f->b->memory};
        const pm_cuda_request request = {.text = f->b->workload->source,
                                         .path = f->b->path,
                                         .build_options = options_so_far(f),
                                         .missing = &missing,
                                         .with_angles = true};
        char *text = NULL, *rest = NULL, *list;

        const pm_status status = pm_cuda_source(&request, &text, NULL);

        free(text);
        if (status != PM_OK || !missing.length)
            break;
        list = pm_copy(&f->b->memory, pm_text_get(&missing));
        for (char *name = strtok_r(list, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest))
            look_around(f, name);
        if (f->count == before)
            break;
    }
}

void pm_bare_find_options(pm_bare *b)
{
    const char *slash = strrchr(b->path, '/');
    finding f = {.b = b,
                 .folder =
                     slash ? pm_format(&b->memory, "%.*s", (int)(slash - b->path), b->path) : ".",
                 .options = {.memory = &b->memory},
                 .said = {.memory = &b->memory}};
    const char *makefile = read_makefiles(&f);

    if (makefile)
        *pm_add(&b->memory, b->plan.said, b->plan.said_count) =
            pm_format(&b->memory, "options of %s: %s", makefile, pm_text_get(&f.said));
    f.said = (pm_text){.memory = &b->memory};
    find_headers(&f);
    if (f.said.length > 0)
        *pm_add(&b->memory, b->plan.said, b->plan.said_count) =
            pm_format(&b->memory, "headers found around the source: %s", pm_text_get(&f.said));
    if (f.count > 0)
        b->build_options = options_so_far(&f);
}
