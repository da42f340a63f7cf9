/* Precompiles the prelude: the header that declares CUDA's builtins for clang, before each CUDA
 * source. See prelude.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libclang saves a precompiled header only in a file. It writes a temporary file, and renames it to
 * the header's name. We open this file and unlink it at once, so that nothing remains on disk even
 * if this process is killed.
 *
 * The precompiled header is made from an empty text with the option "-include" and the prelude's
 * path. Sources include the prelude in the same way. In this way the prelude is a system header in
 * both cases. The empty text is given to clang in memory, so clang must not look for its file.
 */
#include "transform/source/clang/prelude.h"

#include <clang-c/Index.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ADDED = 4 }; /* number of arguments that are added to clang's for the precompiled header */

struct pm_prelude {
    char **given; /* clang's arguments for which the prelude was precompiled */
    size_t count;
    /* clang's arguments in which the precompiled header replaces the prelude; NULL: there is no
     * precompiled header */
    const char **made;
    size_t made_count;
    char path[40]; /* path of the precompiled header */
    int file;      /* file descriptor of the precompiled header; -1: not open */
};

pm_prelude *pm_prelude_create(void)
{
    pm_prelude *p = calloc(1, sizeof *p);

    if (p)
        p->file = -1;
    return p;
}

static void forget(pm_prelude *p)
{
    for (size_t i = 0; i < p->count; i++)
        free(p->given[i]);
    free(p->given);
    free(p->made);
    if (p->file >= 0)
        close(p->file);
    *p = (pm_prelude){.file = -1};
}

void pm_prelude_free(pm_prelude *p)
{
    if (p)
        forget(p);
    free(p);
}

static bool is_for(const pm_prelude *p, const char *const *arguments, size_t count)
{
    for (size_t i = 0; p->count == count && i < count; i++)
        if (strcmp(p->given[i], arguments[i]) != 0)
            return false;
    return p->given && p->count == count;
}

static bool take(pm_prelude *p, const char *const *arguments, size_t count)
{
    p->given = calloc(count + 1, sizeof *p->given);
    p->made = calloc(count + ADDED, sizeof *p->made);
    for (; p->given && p->count < count; p->count++) {
        p->given[p->count] = strdup(arguments[p->count]);
        if (!p->given[p->count])
            break;
    }
    return p->made && p->count == count;
}

/* Lets libclang save the precompiled header as a file. Returns the file's descriptor, or -1 if
 * saving failed. */
static int save(CXTranslationUnit unit)
{
    char folder[] = "/tmp/perfmodel_prelude_XXXXXX", path[sizeof folder + 8];
    int file = -1;

    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/pch", folder);
    if (clang_saveTranslationUnit(unit, path, clang_defaultSaveOptions(unit)) == CXSaveError_None)
        file = open(path, O_RDONLY | O_CLOEXEC);
    unlink(path);
    rmdir(folder);
    return file;
}

static int precompile(const char *const *arguments, size_t count)
{
    struct CXUnsavedFile empty = {"perfmodel_prelude.cu", "", 0};
    CXIndex index = clang_createIndex(0, 0);
    CXTranslationUnit unit = NULL;
    int file = -1;

    if (index && clang_parseTranslationUnit2(
                     index, empty.Filename, arguments, (int)count, &empty, 1,
                     CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_Incomplete |
                         CXTranslationUnit_ForSerialization,
                     &unit) == CXError_Success)
        file = save(unit);
    if (unit)
        clang_disposeTranslationUnit(unit);
    if (index)
        clang_disposeIndex(index);
    return file;
}

/* Precompiles the prelude for clang's arguments p->given. p->made becomes the arguments with which
 * sources are parsed: the same without "-include", and with the precompiled header. It becomes NULL
 * if the header cannot be saved. */
static void make(pm_prelude *p)
{
    size_t at = 0, kept = 0;

    while (at + 1 < p->count && strcmp(p->given[at], "-include") != 0)
        at++;
    for (size_t i = 0; i < p->count; i++)
        if (i != at && i != at + 1)
            p->made[kept++] = p->given[i];
    if (at + 1 < p->count)
        p->file = precompile((const char *const *)p->given, p->count);
    if (p->file < 0) {
        free(p->made);
        p->made = NULL;
        return;
    }
    snprintf(p->path, sizeof p->path, "/proc/self/fd/%d", p->file);
    p->made[kept++] = "-Xclang";
    p->made[kept++] = "-fno-validate-pch";
    p->made[kept++] = "-include-pch";
    p->made[kept++] = p->path;
    p->made_count = kept;
}

const char *const *pm_prelude_arguments(pm_prelude *p, const char *const *arguments, size_t *count)
{
    if (!p)
        return arguments;
    if (!is_for(p, arguments, *count)) {
        forget(p);
        if (!take(p, arguments, *count)) {
            forget(p);
            return arguments;
        }
        make(p);
    }
    if (!p->made)
        return arguments;
    *count = p->made_count;
    return p->made;
}
