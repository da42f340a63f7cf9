/* Writes the inputs on which clang's output depends into cache keys. See clang_key.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/clang_key.h"

#include <glob.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/identity.h"
#include "compiler/included.h"

/* ---- the tools ------------------------------------------------------------------------------ */

static void write_environment(pm_wire *key)
{
    static const char *const names[] = {
        "CCC_OVERRIDE_OPTIONS", "QA_OVERRIDE_GCC3_OPTIONS", "COMPILER_PATH", "LD_LIBRARY_PATH",
        "LD_PRELOAD",           "SOURCE_DATE_EPOCH",        "ROCM_PATH"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *value = getenv(names[i]);

        pm_wire_text(key, &value);
    }
}

void pm_clang_key_libraries(const char *folder, pm_wire *key)
{
    static const char *const names[] = {"libLLVM.so", "libLLVM-", "libclang.so", "libclang-"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        pm_identity_folder(key, folder, names[i]);
}

/* Writes the versions of clang's shared libraries into a cache key. The libraries are in ../lib
 * relative to clang's folder. */
static void write_libraries(const char *clang, pm_wire *key)
{
    char real[PATH_MAX], folder[PATH_MAX + 8], *slash;

    if (!realpath(clang, real) || !(slash = strrchr(real, '/')))
        return;
    *slash = '\0';
    snprintf(folder, sizeof folder, "%s/../lib", real);
    pm_clang_key_libraries(folder, key);
}

static void write_toolkit(const char *folder, pm_wire *key)
{
    static const char *const files[] = {"bin/ptxas", "include/cuda.h", "version.txt",
                                        "version.json"};
    char path[PATH_MAX];

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, files[i]) < sizeof path)
            pm_identity_file(key, path);
}

/* Writes the versions of the installed CUDA toolkits into a cache key, because clang's output
 * depends on them: clang takes the version of PTX from a toolkit. Like clang, searches for toolkits
 * in usual folders, which this function lists, and at each ptxas in $PATH. */
static void write_toolkits(pm_wire *key)
{
    const char *folders = getenv("PATH");
    glob_t found = {.gl_pathc = 0};
    char path[PATH_MAX];

    if (glob("/usr/local/cuda*", 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            write_toolkit(found.gl_pathv[i], key);
    globfree(&found);
    write_toolkit("/usr/lib/cuda", key);
    write_toolkit("/opt/cuda", key);
    for (const char *at = folders ? folders : ""; *at; at += *at == ':') {
        const size_t length = strcspn(at, ":");

        if ((size_t)snprintf(path, sizeof path, "%.*s/ptxas", (int)length, at) < sizeof path &&
            access(path, X_OK) == 0) {
            pm_identity_file(key, path);
            snprintf(path, sizeof path, "%.*s/..", (int)length, at);
            write_toolkit(path, key);
        }
        at += length;
    }
}

void pm_clang_key_tools(const char *clang, const char *headers, pm_wire *key)
{
    char *name = (char *)(uintptr_t)clang;

    pm_wire_name(key, &name);
    pm_identity_file(key, clang);
    write_libraries(clang, key);
    pm_identity_folder(key, headers, NULL);
    write_environment(key);
    write_toolkits(key);
}

/* ---- the input ------------------------------------------------------------------------------ */

/* Returns whether environment variables name header folders. clang searches these in addition to
 * the folders in its arguments. */
static bool has_folders_of_environment(void)
{
    static const char *const names[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                        "OBJC_INCLUDE_PATH", "OBJCPLUS_INCLUDE_PATH"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]))
            return true;
    return false;
}

/* Writes clang's arguments, and the contents of the files that they name, into the key. Folders are
 * skipped here, because they are header folders; pm_included_write finds the headers in them. */
static void write_arguments(const pm_arguments *arguments, pm_wire *key)
{
    struct stat info;

    for (size_t i = 0; i < arguments->count; i++) {
        pm_wire_name(key, &arguments->items[i]);
        if (*arguments->items[i] != '-' && stat(arguments->items[i], &info) == 0 &&
            S_ISREG(info.st_mode))
            pm_identity_file(key, arguments->items[i]);
    }
}

bool pm_clang_key_write(const pm_clang_input *input, pm_wire *key)
{
    const pm_included included = {.source = input->source,
                                  .path = input->path,
                                  .arguments = input->arguments,
                                  .headers = input->headers};
    char *path = (char *)(uintptr_t)input->path, *source = (char *)(uintptr_t)input->source;
    pm_digest tools = input->tools;

    if (has_folders_of_environment() || input->arguments->failed)
        return false;
    PM_WIRE_NUMBER(key, tools);
    write_arguments(input->arguments, key);
    pm_wire_name(key, &path);
    pm_wire_name(key, &source);
    return pm_included_write(&included, key) && !key->failed;
}
