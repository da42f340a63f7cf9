/* Finds definitions in other files: of functions and variables for the GPU that a CUDA source only
 * declares. Programs that are compiled with nvcc -rdc=true have such files. See bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file that is found is compiled together with the source, as if the build option -include named
 * it. The CUDA files in the source's folder and in the folders of the options -I are searched.
 */
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/strings.h"
#include "base/text.h"
#include "compiler/cuda_source/code_text.h"
#include "compiler/cuda_source/cuda_source.h"
#include "compiler/cuda_source/linked_names.h"
#include "program/bare/bare.h"
#include "program/build_words.h"

enum { MOST_BYTES = 1 << 20, MOST_FILES = 256, MOST_ROUNDS = 8 };

/* A file that may define functions and variables which the source only declares. */
typedef struct {
    /* Path of the file for the option -include: relative to the source's folder, or absolute. */
    const char *name;
    const char *path;
    pm_linked_names names;
    /* true: a .h or .hpp file. Only its declarations are used, not its definitions. */
    bool is_header;
    bool is_included;
} candidate;

typedef struct {
    pm_bare *b;
    /* folder of the source, with a slash at its end; "": the current folder */
    const char *folder;
    candidate files[MOST_FILES];
    size_t count;
    /* names whose definitions were found, each with its file, as a text for the list of assumptions
     */
    pm_text said;
} looking;

/* ---- files ----------------------------------------------------------------------------------- */

static bool is_header(const char *name)
{
    return pm_ends_in(name, ".h") || pm_ends_in(name, ".hpp");
}

static bool is_cuda_file(const char *name)
{
    return pm_ends_in(name, ".cu") || pm_ends_in(name, ".cuh") || pm_ends_in(name, ".hip");
}

static bool is_same_file(const char *one, const char *other)
{
    char a[PATH_MAX], b[PATH_MAX];

    return realpath(one, a) && realpath(other, b) && strcmp(a, b) == 0;
}

static void add_file(looking *l, const char *folder, const char *name)
{
    pm_memory *memory = &l->b->memory;
    const bool is_beside = strcmp(folder, l->folder) == 0;
    candidate *file = &l->files[l->count];
    char *text = NULL;

    *file =
        (candidate){.path = pm_format(memory, "%s%s", folder, name), .is_header = is_header(name)};
    file->name = is_beside ? pm_copy(memory, name) : file->path;
    if (strpbrk(file->name, " \t\"'\\{}") || is_same_file(file->path, l->b->path) ||
        pm_file_read(file->path, MOST_BYTES, "a source", &text, NULL) != PM_OK)
        return;
    pm_linked_names_list(text, memory, &file->names);
    free(text);
    l->count++;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds the CUDA files and headers of a folder to the files to search, in the order of their names.
 * folder: its path with a slash at its end, or "" for the current folder. */
static void add_folder(looking *l, const char *folder)
{
    DIR *open = opendir(*folder ? folder : ".");
    const struct dirent *entry;
    const char **names = NULL;
    size_t count = 0;

    while (open && count < MOST_FILES && (entry = readdir(open)))
        if (is_cuda_file(entry->d_name) || is_header(entry->d_name))
            *pm_add(&l->b->memory, names, count) = pm_copy(&l->b->memory, entry->d_name);
    if (open)
        closedir(open);
    if (count > 0)
        qsort(names, count, sizeof *names, compare_names);
    for (size_t i = 0; i < count && l->count < MOST_FILES; i++)
        add_file(l, folder, names[i]);
}

static void add_folders(looking *l)
{
    const char *rest = l->b->build_options ? l->b->build_options : "";
    char *word = pm_take(&l->b->memory, strlen(rest) + 1, 1);
    pm_build_word found;

    add_folder(l, l->folder);
    while (pm_build_word_next(&rest, word, &found))
        if (found.kind == PM_WORD_FOLDER && !is_same_file(word + 2, *l->folder ? l->folder : "."))
            add_folder(l, pm_format(&l->b->memory, "%s/", word + 2));
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns the file that defines a name for the GPU. NULL: no file defines it, or several files
 * do. */
static candidate *find_definition(looking *l, const char *name)
{
    candidate *only = NULL;

    for (size_t i = 0; i < l->count; i++) {
        const pm_linked_name *found = pm_linked_names_find(&l->files[i].names, name);

        if (!found || !found->defined || found->is_internal || found->is_host ||
            l->files[i].is_header)
            continue;
        if (only)
            return NULL;
        only = &l->files[i];
    }
    return only;
}

static void include_file(looking *l, candidate *file, const char *name)
{
    pm_bare *b = l->b;

    pm_text_add(&l->said, "%s%s of %s", l->said.length ? ", " : "", name, file->name);
    if (file->is_included)
        return;
    file->is_included = true;
    b->build_options =
        pm_format(&b->memory, "%s%s-include %s", b->build_options ? b->build_options : "",
                  b->build_options ? " " : "", file->name);
}

/* Returns whether a text uses a name: the name occurs more often than in its declarations. names:
 * the names that the text declares or defines. */
static bool uses(const char *text, const pm_linked_names *names, const char *name)
{
    const pm_linked_name *declared = pm_linked_names_find(names, name);

    return pm_count_word(text, name) > (declared ? declared->count : 0);
}

/* Includes the files that define the names that the source uses but only declares. text: the source
 * with its headers and the files that were included before, without host code. Returns whether a
 * file was added; its own names may then need a further round. */
static bool include_definitions(looking *l, const char *text)
{
    const char *source = l->b->workload->source;
    pm_linked_names names = {0}, own = {0};
    bool more = false;

    pm_linked_names_list(text, &l->b->memory, &names);
    pm_linked_names_list(source, &l->b->memory, &own);
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.items[i].name;
        candidate *file;

        /* `text` has no host code, but host code may launch the kernel or fill the variable. The
         * source with its host code is therefore searched for uses, too. */
        if (names.items[i].defined || names.items[i].is_host ||
            (!uses(text, &names, name) && !uses(source, &own, name)))
            continue;
        if (l->count == 0)
            add_folders(l);
        file = find_definition(l, name);
        if (!file)
            continue;
        more |= !file->is_included;
        include_file(l, file, name);
    }
    return more;
}

/* ---- functions of host code ------------------------------------------------------------------ */

/* Returns whether the source or a header declares a function of host code. own: names that the
 * source declares or defines. */
static bool is_declared(const looking *l, const pm_linked_names *own, const char *name)
{
    bool found = pm_linked_names_find(own, name) != NULL;

    for (size_t i = 0; i < l->count && !found; i++)
        found = (l->files[i].is_header || pm_ends_in(l->files[i].path, ".cuh")) &&
                pm_linked_names_find(&l->files[i].names, name);
    return found;
}

static bool defines(const candidate *file, const char *name)
{
    const pm_linked_name *found = pm_linked_names_find(&file->names, name);

    return found && found->defined && found->is_host && !found->is_internal;
}

/* Returns whether no other file defines a function of host code. Files with a main function do not
 * count, because they are other programs. Headers do not count, because the source includes them
 * itself. */
static bool is_only_host(const looking *l, const candidate *file, const char *name)
{
    for (size_t i = 0; i < l->count; i++)
        if (&l->files[i] != file && !l->files[i].is_header && !defines(&l->files[i], "main") &&
            defines(&l->files[i], name))
            return false;
    return !file->is_header && !pm_ends_in(file->path, ".cuh") && !defines(file, "main");
}

/* Includes the files that define functions of host code that the source calls but only declares. */
static void include_host_code(looking *l)
{
    const char *source = l->b->workload->source;
    pm_linked_names own = {0};

    pm_linked_names_list(source, &l->b->memory, &own);
    if (l->count == 0)
        add_folders(l);
    for (size_t i = 0; i < l->count; i++)
        for (size_t k = 0; k < l->files[i].names.count; k++) {
            const char *name = l->files[i].names.items[k].name;
            const pm_linked_name *mine = pm_linked_names_find(&own, name);

            if (defines(&l->files[i], name) && !(mine && mine->defined) &&
                pm_code_calls(source, name) && is_declared(l, &own, name) &&
                is_only_host(l, &l->files[i], name))
                include_file(l, &l->files[i], name);
        }
}

static bool look_once(looking *l)
{
    const pm_cuda_request request = {
        .text = l->b->workload->source, .path = l->b->path, .build_options = l->b->build_options};
    char *text = NULL, *kept;

    if (pm_cuda_source(&request, &text, NULL) != PM_OK)
        return false;
    kept = pm_try_take(&l->b->memory, strlen(text) + 1, 1);
    if (kept)
        strcpy(kept, text);
    free(text);
    return kept && include_definitions(l, kept);
}

void pm_bare_find_definitions(pm_bare *b)
{
    const char *slash = strrchr(b->path, '/');
    looking *l = pm_take(&b->memory, 1, sizeof *l);

    l->b = b;
    l->folder = pm_format(&b->memory, "%.*s", slash ? (int)(slash - b->path) + 1 : 0, b->path);
    l->said = (pm_text){.memory = &b->memory};
    include_host_code(l);
    for (int round = 0; round < MOST_ROUNDS && look_once(l); round++)
        ;
    if (l->said.length > 0)
        *pm_add(&b->memory, b->plan.said, b->plan.said_count) = pm_format(
            &b->memory, "compiled together with other files, for %s", pm_text_get(&l->said));
}
