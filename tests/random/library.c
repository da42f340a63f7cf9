/* Compiling with clang. See library.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All sources become one, which includes them.
 */
#include "library.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

/* Returns the first line of clang's messages that contains "error". */
static void first_error(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    bool found = false;

    *line = '\0';
    while (file && !found && fgets(line, (int)size, file))
        found = strstr(line, "error") || strstr(line, "undefined");
    line[strcspn(line, "\n")] = '\0';
    if (file)
        fclose(file);
}

enum { RD_SYMBOL = 200 };

/* Writes the symbol of a pointer to a template's instance. Returns false if the name is a
 * function's. */
static bool symbol_of(const char *name, char *symbol)
{
    size_t length;

    if (!strchr(name, '<'))
        return false;
    length = (size_t)snprintf(symbol, RD_SYMBOL, "rd_");
    for (; *name && length + 1 < RD_SYMBOL; name++)
        symbol[length++] = isalnum((unsigned char)*name) ? *name : '_';
    symbol[length] = '\0';
    return true;
}

/* Writes the source as C++ for this machine. Templates get pointers to their instances, because
 * they have no symbol. */
static bool write_unit(const char *path, const pm_workload *workload)
{
    static const char head[] = "template <", kernel[] = "__global__ ";
    FILE *file = fopen(path, "w");
    bool written = file, is_template = false;

    for (const char *line = workload->source; written && *line;) {
        const size_t length = strcspn(line, "\n") + 1;
        const bool is_kernel = is_template && strncmp(line, kernel, strlen(kernel)) == 0;
        const size_t left_out = is_kernel ? strlen(kernel) : 0;

        is_template = strncmp(line, head, strlen(head)) == 0;
        written = fprintf(file, "%.*s", (int)(length - left_out), line + left_out) >= 0;
        line += line[length - 1] ? length : length - 1;
    }
    for (size_t l = 0; written && l < workload->launch_count; l++) {
        char symbol[RD_SYMBOL];

        if (symbol_of(workload->launches[l].kernel, symbol))
            fprintf(file,
                    "\n#ifndef has_%s\n#define has_%s\nextern \"C\" { void *%s = (void *)&%s; }\n"
                    "#endif\n",
                    symbol, symbol, symbol, workload->launches[l].kernel);
    }
    return (!file || fclose(file) == 0) && written;
}

static pm_status write_sources(const char *base, const char *suffix, pm_workload *const *workloads,
                               size_t count, pm_error *err)
{
    char path[160];
    FILE *all;
    bool written;

    snprintf(path, sizeof path, "%s.%s", base, suffix);
    all = fopen(path, "w");
    written = all;
    for (size_t i = 0; i < count && written; i++) {
        snprintf(path, sizeof path, "%s_%zu.%s", base, i, suffix);
        written = write_unit(path, workloads[i]);
        fprintf(all, "#include \"%s\"\n", path);
    }
    if (all && fclose(all) != 0)
        written = false;
    return written ? PM_OK : pm_fail(err, PM_FAILED, "%s: %s", path, strerror(errno));
}

static pm_status open_library(const char *path, rd_library *l, pm_error *err)
{
    uint64_t (*start)(void), (*end)(void);
    Dl_info info;

    l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!l->handle)
        return pm_fail(err, PM_BAD_INPUT, "%s", dlerror());
    /* POSIX allows the conversion of a data pointer to a function pointer only in this way. */
    *(void **)&start = dlsym(l->handle, "rd_local_start");
    *(void **)&end = dlsym(l->handle, "rd_local_end");
    if (!start || !end || !dladdr(dlsym(l->handle, "rd_local_start"), &info))
        return pm_fail(err, PM_FAILED, "%s does not tell where its memory is", path);
    l->local_start = (unsigned char *)(uintptr_t)start();
    l->local_end = (unsigned char *)(uintptr_t)end();
    l->code_start = info.dli_fbase;
    l->code_end = l->local_start;
    return PM_OK;
}

pm_status rd_library_compile(const char *base, rd_language language, const char *options,
                             pm_workload *const *workloads, size_t count, rd_library *library,
                             pm_error *err)
{
    const rd_language_row *row = rd_language_of(language);
    char command[2048], line[512], path[160];

    *library = (rd_library){0};
    if (write_sources(base, row->suffix, workloads, count, err) != PM_OK)
        return err->status;
    snprintf(command, sizeof command,
             "'%s' %s -include '%s/tests/random/%s' %s -w %s -fPIC "
             "-ffp-contract=off -fsanitize=thread,bounds -fsanitize-trap=bounds "
             "-mllvm -tsan-instrument-func-entry-exit=0 -c '%s.%s' -o '%s.o' 2>'%s.txt' && "
             "ld -shared -o '%s.so' '%s.o' 2>>'%s.txt'",
             PM_CLANG, row->compile, PM_SOURCE_DIR, row->header, workloads[0]->build_options,
             options, base, row->suffix, base, base, base, base, base);
    if (system(command) != 0) {
        snprintf(path, sizeof path, "%s.txt", base);
        first_error(path, line, sizeof line);
        return pm_fail(err, PM_BAD_INPUT, "%s", line);
    }
    snprintf(path, sizeof path, "%s.so", base);
    return open_library(path, library, err);
}

void rd_library_close(rd_library *library)
{
    if (library->handle)
        dlclose(library->handle);
    *library = (rd_library){0};
}

void rd_library_remove(const char *base, rd_language language, size_t count)
{
    const char *suffix = rd_language_of(language)->suffix;
    const char *const ends[] = {suffix, "o", "so", "txt"};
    char path[160];

    for (size_t i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s.%s", base, ends[i]);
        unlink(path);
    }
    for (size_t i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s_%zu.%s", base, i, suffix);
        unlink(path);
    }
}

rd_kernel rd_library_kernel(const rd_library *library, const char *name)
{
    rd_kernel kernel;
    char symbol[RD_SYMBOL];
    void **pointer;

    if (symbol_of(name, symbol)) {
        pointer = dlsym(library->handle, symbol);
        *(void **)&kernel = pointer ? *pointer : NULL;
    } else {
        *(void **)&kernel = dlsym(library->handle, name);
    }
    return kernel;
}
