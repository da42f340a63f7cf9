/* Makes the text that clang compiles from a CUDA source. See cuda_source.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/cuda_source/cuda_source.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "compiler/cuda_source/host_code.h"
#include "compiler/cuda_source/linked_names.h"
#include "compiler/cuda_source/preprocessed.h"
#include "compiler/options/cuda_options.h"
#include "program/build_words.h"

enum { MOST_BYTES = 16 << 20, DEEPEST = 32 };

typedef struct {
    const pm_cuda_request *request;
    /* Result of pm_cuda_source_in_place, in which each character keeps its position. NULL: the
     * result is a text into which included files are copied (pm_cuda_source). */
    pm_cuda_in_place *in_place;
    pm_memory memory;
    pm_arguments options;
    char own[PATH_MAX]; /* folder of perfmodel's headers that replace those of the CUDA toolkit */
    pm_text out;
    /* Only for pm_cuda_source_in_place: #include directives of the files of the build options
     * -include. They follow the source's text, so that its positions do not change. */
    pm_text after;
    size_t included; /* number of files of the build options -include so far */
    /* names of functions and variables of the source, and of the files of -include so far */
    pm_linked_names names;
    const char **once; /* paths of included files that have #pragma once */
    size_t once_count;
    pm_preprocessed preprocessed;
} expansion;

/* ---- finding headers ----------------------------------------------------------------------- */

static bool exists(const char *folder, int length, const char *name, size_t name_length, char *path)
{
    int written =
        snprintf(path, PATH_MAX, "%.*s%s%.*s", length, folder,
                 length > 0 && folder[length - 1] != '/' ? "/" : "", (int)name_length, name);

    return written > 0 && written < PATH_MAX && access(path, R_OK) == 0;
}

/* Searches a header in the folder of the file that includes it (if the name is in quotes), then in
 * the folders of the -I options. */
static bool find_header(const expansion *e, const char *from, const char *name, size_t length,
                        bool quoted, char path[PATH_MAX])
{
    const char *slash = strrchr(from, '/');

    if (name[0] == '/')
        return exists("", 0, name, length, path);
    if (quoted && exists(from, slash ? (int)(slash - from) + 1 : 0, name, length, path))
        return true;
    for (size_t i = 0; i < e->options.count; i++) {
        const char *option = e->options.items[i];

        if (strncmp(option, "-I", 2) == 0 &&
            exists(option + 2, (int)strlen(option + 2), name, length, path))
            return true;
    }
    return false;
}

/* ---- including ----------------------------------------------------------------------------- */

static void add_line(expansion *e, unsigned line, const char *path)
{
    pm_text_add(&e->out, "#line %u \"", line);
    for (const char *c = path; *c; c++)
        pm_text_add(&e->out, *c == '"' || *c == '\\' ? "\\%c" : "%c",
                    *c == '\n' || *c == '\r' ? '?' : *c);
    pm_text_add(&e->out, "\"\n");
}

static void expand(expansion *e, const char *text, const char *path, unsigned depth);

static char *read_header(expansion *e, const char *path, unsigned depth)
{
    char *text, *kept;

    if (depth == DEEPEST)
        pm_leave(&e->memory, PM_BAD_INPUT,
                 "%s: headers include each other more than %d deep; give them include guards", path,
                 DEEPEST);
    pm_require(&e->memory, pm_file_read(path, MOST_BYTES, "a header", &text, e->memory.err));
    /* the copy is owned by e->memory, so that it is freed on any failure */
    kept = pm_try_take(&e->memory, strlen(text) + 1, 1);
    if (kept)
        strcpy(kept, text);
    free(text);
    if (!kept)
        pm_leave(&e->memory, PM_FAILED, "%s: out of memory", path);
    return kept;
}

static void include(expansion *e, const char *path, unsigned depth)
{
    char *text;

    for (size_t i = 0; i < e->once_count; i++)
        if (strcmp(e->once[i], path) == 0)
            return;
    text = read_header(e, path, depth);
    if (strstr(text, "#pragma once"))
        *pm_add(&e->memory, e->once, e->once_count) = pm_copy(&e->memory, path);
    add_line(e, 1, path);
    expand(e, text, path, depth + 1);
}

static bool starts_with(const char *name, const char *const *prefixes)
{
    for (; *prefixes; prefixes++)
        if (strncmp(name, *prefixes, strlen(*prefixes)) == 0)
            return true;
    return false;
}

/* Returns true if a CUDA toolkit header with device code has this name. Compilers have the contents
 * of the toolkit's other headers built in. */
bool pm_cuda_is_toolkit_header(const char *name)
{
    static const char *const prefixes[] = {"cuda_fp",
                                           "cuda_bf16",
                                           "cooperative_groups",
                                           "mma.h",
                                           "cub/",
                                           "cuda/",
                                           "cuda_pipeline",
                                           "cuda_awbarrier",
                                           "curand_kernel.h",
                                           "nv/",
                                           "cuComplex.h",
                                           "math_constants.h",
                                           NULL};

    return starts_with(name, prefixes);
}

/* Returns whether a header belongs to the CUDA toolkit or to C, by its name. Some sources include
 * such headers in quotes. */
static bool is_of_system(const char *name)
{
    static const char *const prefixes[] = {
        "cuda",   "thrust/",  "cub/",     "device_",  "vector_types",   "vector_functions",
        "curand", "assert.h", "ctype.h",  "errno.h",  "float.h",        "limits.h",
        "math.h", "stddef.h", "stdint.h", "stdio.h",  "stdlib.h",       "string.h",
        "sys/",   "time.h",   "omp.h",    "unistd.h", "math_constants", NULL};

    return starts_with(name, prefixes);
}

/* Returns the name in a line #include <name> or #include "name", and sets *end to its end. Returns
 * NULL if the line has another form. */
static const char *included_name(const char *line, const char **end)
{
    const char *at = line + strspn(line, " \t");

    if (*at != '#')
        return NULL;
    at += 1 + strspn(at + 1, " \t");
    if (strncmp(at, "include", 7) != 0)
        return NULL;
    at += 7 + strspn(at + 7, " \t");
    if (*at != '<' && *at != '"')
        return NULL;
    *end = at + 1 + strcspn(at + 1, *at == '<' ? ">\n" : "\"\n");
    return **end == '>' || **end == '"' ? at + 1 : NULL;
}

/* Returns true if a line ends inside of a comment that continues in the next line. within: true if
 * the line begins inside of a comment. */
static bool ends_in_comment(const char *line, size_t length, bool within)
{
    for (const char *at = line; at + 1 < line + length; at++) {
        if (within ? at[0] == '*' && at[1] == '/' : at[0] == '/' && at[1] == '*') {
            within = !within;
            at++;
        } else if (!within && at[0] == '/' && at[1] == '/') {
            return false;
        }
    }
    return within;
}

/* Returns whether a header belongs to the CUDA toolkit, to HIP or to the CUDA samples. perfmodel's
 * own headers replace them. */
static bool is_of_library(const char *name)
{
    static const char *const prefixes[] = {
        "cuda.h",     "cuda_runtime", "cuda_device",   "cuda_fp",  "cuda_bf16", "cuda_gl",
        "cudaGL",     "cuda_prof",    "cudaProfiler",  "cuda/",    "cublas",    "cusparse",
        "cusolver",   "cufft",        "curand",        "cudnn",    "thrust/",   "cub/",
        "device_",    "vector_types", "vector_func",   "hip/",     "helper_",   "nvToolsExt",
        "math_const", "sm_",          "drvapi_error_", "cutil.h",  "cutil_",    "omp.h",
        "std",        "math.h",       "string.h",      "assert.h", "time.h",    "sys/",
        NULL};

    return starts_with(name, prefixes);
}

static void note_missing(const expansion *e, const char *name, size_t length)
{
    pm_text *list = e->request->missing;
    const char *at;

    if (!list || is_of_library(name))
        return;
    for (at = pm_text_get(list); *at; at += strcspn(at, ",") + (strchr(at, ',') ? 2 : 0))
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return;
    pm_text_add(list, "%s%.*s", list->length ? ", " : "", (int)length, name);
}

/* Returns whether the #include of a header that was not found remains in the text. The #include of
 * a user's header remains, because clang then reports that the header is missing. The option
 * --leave-out-missing removes it. */
static bool stays(const expansion *e, const char *name, const char *end)
{
    const bool is_users = name[-1] == '"' && !is_of_system(name);
    char found[PATH_MAX];

    if (e->request->toolkit)
        return is_users || pm_cuda_is_toolkit_header(name);
    if (exists(e->own, (int)strlen(e->own), name, (size_t)(end - name), found))
        return true;
    if (is_users || (e->request->with_angles && memchr(name, '.', (size_t)(end - name))))
        note_missing(e, name, (size_t)(end - name));
    return is_users && !pm_lenient_option(e->request->build_options);
}

/* Handles a line marker in a preprocessed source: the next lines come from line `number` of the
 * file `path`. Adds a #line directive for it. If the lines belong to a header of the toolkit, they
 * are left out. If perfmodel has its own version of this header, adds an #include of it instead. */
static void mark(expansion *e, const char *path, unsigned number)
{
    const pm_preprocessed *p = &e->preprocessed;
    const size_t folder = strlen(p->toolkit);
    char found[PATH_MAX];

    if (!p->leaves_out)
        add_line(e, number, path);
    else if (folder > 0 && strncmp(path, p->toolkit, folder) == 0 &&
             exists(e->own, (int)strlen(e->own), path + folder, strlen(path + folder), found))
        pm_text_add(&e->out, "#include \"%s\"\n", path + folder);
}

/* Reads a header of the user, unless it was read before, and adds it to the headers of e->in_place.
 * Blanks replace host code in its text, and the #include lines of headers that are left out. depth:
 * number of files that include each other, down to this one. */
static void add_header(expansion *e, const char *path, unsigned depth)
{
    pm_cuda_in_place *in_place = e->in_place;
    const pm_text around = e->out;
    const size_t number = in_place->header_count;
    char *text;

    for (size_t i = 0; i < number; i++)
        if (strcmp(in_place->headers[i].name, path) == 0)
            return;
    *pm_add(&e->memory, in_place->headers, in_place->header_count) =
        (pm_named_text){pm_copy(&e->memory, path), NULL};
    text = read_header(e, path, depth);
    e->out = (pm_text){.memory = &e->memory};
    expand(e, text, path, depth + 1);
    if (e->out.data)
        pm_host_code_blank(e->out.data);
    in_place->headers[number].text = pm_copy(&e->memory, pm_text_get(&e->out));
    e->out = around;
}

/* Adds a line of the source to the text. If the line is an #include of a header that was found,
 * reads the header, too. If it is an #include of a header that was not found, blanks replace the
 * line, unless clang has to report the missing header. */
static void keep_or_blank(expansion *e, const char *line, size_t length, const char *path,
                          const char *name, const char *end, unsigned depth)
{
    char found[PATH_MAX];
    bool there = name && find_header(e, path, name, (size_t)(end - name), name[-1] == '"', found);

    if (there)
        add_header(e, found, depth);
    if (!name || there || stays(e, name, end))
        pm_text_put(&e->out, line, length);
    else
        pm_text_add(&e->out, "%*s", (int)length, "");
    pm_text_put(&e->out, line[length] ? "\n" : "", line[length] ? 1 : 0);
}

static void expand_line(expansion *e, const char *line, size_t length, const char *path,
                        unsigned number, unsigned depth, bool within)
{
    const char *end = NULL, *name = within ? NULL : included_name(line, &end);
    char found[PATH_MAX];

    if (!e->in_place &&
        pm_preprocessed_marker(&e->preprocessed, line, length, &number, found, sizeof found)) {
        mark(e, found, number);
        return;
    }
    if (e->preprocessed.leaves_out)
        return;
    if (e->in_place) {
        if (pm_preprocessed_marker(&e->preprocessed, line, length, &number, found, sizeof found))
            pm_leave(&e->memory, PM_BAD_INPUT,
                     "%s:%u: a source that went through a preprocessor is counted, and not "
                     "rewritten: give the one before it",
                     path, number);
        keep_or_blank(e, line, length, path, name, end, depth);
        return;
    }
    if (e->preprocessed.is)
        pm_preprocessed_line(&e->out, line, length);
    else if (name && find_header(e, path, name, (size_t)(end - name), name[-1] == '"', found)) {
        include(e, found, depth);
        pm_text_put(&e->out, "\n", 1);
        add_line(e, number, path);
    } else if (!name || stays(e, name, end)) {
        pm_text_put(&e->out, line, length);
    }
    pm_text_put(&e->out, "\n", 1);
    if (e->out.length > MOST_BYTES)
        pm_leave(&e->memory, PM_BAD_INPUT, "%s: more than %d MiB with what it includes", path,
                 MOST_BYTES >> 20);
}

static void expand(expansion *e, const char *text, const char *path, unsigned depth)
{
    /* UTF-8 byte order mark, which some editors write at the start of a file */
    static const char mark[] = "\xef\xbb\xbf";
    unsigned number = 1;
    bool within = false; /* true: the line begins inside of a comment */

    if (strncmp(text, mark, strlen(mark)) == 0) {
        text += strlen(mark);
        if (e->in_place)
            pm_text_add(&e->out, "%*s", (int)strlen(mark), "");
    }
    while (*text) {
        size_t length = strcspn(text, "\n");

        expand_line(e, text, length, path, number++, depth, within);
        within = ends_in_comment(text, length, within);
        text += length + (text[length] == '\n');
    }
}

/* ---- instances ----------------------------------------------------------------------------- */

static bool is_template(const char *kernel)
{
    return strpbrk(kernel, "<:") != NULL;
}

bool pm_cuda_is_kernel(const char *name)
{
    static const char possible[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                   "_:<>(), *&+-.'";

    return !name[strspn(name, possible)];
}

/* Adds a variable that points to the kernel with index `number`, so that clang instantiates the
 * kernel's template. Also adds a constant with the kernel's name in the workload. The trace engine
 * finds the kernels in the bitcode by these two variables
 * (collector/engine/backend/cuda/cuda.c). */
static void add_instance(expansion *e, size_t number)
{
    const char *kernel = e->request->kernels[number], *path = e->request->path;
    char place[PATH_MAX + 300];

    if (!pm_cuda_is_kernel(kernel))
        pm_leave(&e->memory, PM_BAD_INPUT,
                 "%s: kernel %.100s: a template's instance is written as reduce<float, 256>", path,
                 kernel);
    snprintf(place, sizeof place, "%s: kernel %.200s", path, kernel);
    add_line(e, 1, place);
    pm_text_add(&e->out, "__attribute__((device)) auto *pm_kernel_%zu = &%s;\n", number, kernel);
    pm_text_add(&e->out,
                "extern \"C\" const __attribute__((device)) char pm_kernel_name_%zu[] = \"%s\";\n",
                number, kernel);
}

static bool is_first(const pm_cuda_request *request, size_t number)
{
    for (size_t i = 0; i < number; i++)
        if (strcmp(request->kernels[i], request->kernels[number]) == 0)
            return false;
    return true;
}

/* ---- the source ---------------------------------------------------------------------------- */

/* Adds directives that rename the internal names of an included file, such as static functions, if
 * the source or an earlier file defines the same name. They are different functions for nvcc,
 * because it compiles each file by itself. begin: true for #define directives before the file,
 * false for #undef directives after it. */
static void rename_internals(expansion *e, const pm_linked_names *names, bool begin, pm_text *out)
{
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->items[i].name;

        if (!names->items[i].is_internal || !pm_linked_names_find(&e->names, name))
            continue;
        if (begin)
            pm_text_add(out, "#define %s pm_included_%zu_%s\n", name, e->included, name);
        else
            pm_text_add(out, "#undef %s\n", name);
    }
}

/* Includes a file that the build option -include names. The file is searched like a header in
 * quotes of the source. Its text comes before the source's text, or, for pm_cuda_source_in_place,
 * after it, so that positions in the source do not change. */
static void include_file(expansion *e, const char *name)
{
    pm_linked_names names = {0};
    char path[PATH_MAX], absolute[PATH_MAX], *text;

    if (!find_header(e, e->request->path, name, strlen(name), true, path))
        pm_leave(
            &e->memory, PM_BAD_INPUT,
            "%s: build option -include %.300s: there is no such file beside the source, nor in "
            "the folders of -I",
            e->request->path, name);
    text = read_header(e, path, 0);
    pm_linked_names_list(text, &e->memory, &names);
    e->included++;
    if (e->in_place) {
        /* use the absolute path, because clang would search a relative path in the source's
         * folder */
        const char *found = realpath(path, absolute) ? absolute : path;

        add_header(e, found, 0);
        pm_text_add(&e->after, "\n");
        rename_internals(e, &names, true, &e->after);
        pm_text_add(&e->after, "#include \"%s\"\n", found);
        rename_internals(e, &names, false, &e->after);
    } else {
        rename_internals(e, &names, true, &e->out);
        include(e, path, 0);
        pm_text_put(&e->out, "\n", 1);
        rename_internals(e, &names, false, &e->out);
    }
    pm_linked_names_list(text, &e->memory, &e->names);
}

static void include_files(expansion *e)
{
    const char *rest = e->request->build_options ? e->request->build_options : "";
    char *word = pm_take(&e->memory, strlen(rest) + 1, 1);
    pm_build_word found;

    while (pm_build_word_next(&rest, word, &found))
        if (found.kind == PM_WORD_FILE) {
            if (e->included == 0)
                pm_linked_names_list(e->request->text, &e->memory, &e->names);
            include_file(e, pm_build_word_file(word));
        }
    if (e->out.length == 0)
        return;
    /* no warnings about macros that are defined twice: each included file may define its own */
    pm_text_add(&e->out, "#pragma clang diagnostic ignored \"-Wmacro-redefined\"\n");
    add_line(e, 1, e->request->path);
}

static void make(void *user)
{
    expansion *e = user;
    const pm_cuda_request *request = e->request;

    pm_require(&e->memory,
               pm_cuda_options(request->build_options, &e->options, NULL, NULL, e->memory.err));
    pm_require(&e->memory, pm_share_path("cuda", e->own, sizeof e->own, e->memory.err));
    include_files(e);
    expand(e, request->text, request->path, 0);
    if (e->out.data)
        pm_host_code_blank(e->out.data);
    for (size_t i = 0; i < request->kernel_count; i++)
        if (is_template(request->kernels[i]) && is_first(request, i))
            add_instance(e, i);
}

pm_status pm_cuda_source(const pm_cuda_request *request, char **text, pm_error *err)
{
    expansion e = {.request = request};
    pm_status status = pm_attempt(&e.memory, make, &e, err);

    *text = status == PM_OK ? pm_text_take(&e.out) : NULL;
    if (status == PM_OK && !*text)
        status = pm_fail(err, PM_FAILED, "%s: out of memory", request->path);
    pm_text_free(&e.out);
    pm_arguments_free(&e.options);
    pm_memory_free(&e.memory);
    return status;
}

static void make_in_place(void *user)
{
    expansion *e = user;

    e->out.memory = &e->memory;
    e->after.memory = &e->memory;
    make(e);
    e->in_place->text = pm_format(&e->memory, "%s%s", pm_text_get(&e->out), pm_text_get(&e->after));
}

pm_status pm_cuda_source_in_place(const pm_cuda_request *request, pm_cuda_in_place *out,
                                  pm_error *err)
{
    expansion e = {.request = request, .in_place = out};
    pm_status status;

    *out = (pm_cuda_in_place){.text = NULL};
    status = pm_attempt(&e.memory, make_in_place, &e, err);
    out->memory = e.memory;
    pm_arguments_free(&e.options);
    return status;
}
