/* Searches a folder for the source files that define the CUDA kernels whose launches were captured.
 * See cuda_sources.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/cuda_sources.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/strings.h"
#include "base/text.h"
#include "capture/cuda_names.h"
#include "capture/cuda_text.h"
#include "program/build_words.h"
#include "program/includes.h"

enum { MOST_FILES = 20000, MOST_BYTES = 16 << 20, MOST_HEADERS = 2000, DEEPEST = 16 };

typedef struct {
    const char *path, *text, *bare;
    bool read;
    /* the file with its headers, as the source of a captured program; NULL: not made yet */
    pm_captured_program *whole;
} source_file;

typedef struct {
    pm_memory *memory;
    const char *folder, *options;
    /* absolute paths of the folders of -I options, which may be outside of `folder` */
    size_t include_count;
    const char **includes;
    size_t file_count;
    source_file *files;
} finder;

/* ---- files ----------------------------------------------------------------------------------- */

/* Returns the priority of a file in the search for kernels, by its suffix; 0 is searched first. .cu
 * files come first, because most kernels are there. Headers follow, because they have templates of
 * kernels. */
static int rank_of(const char *path)
{
    static const char *const endings[] = {".cu", ".cuh", ".h", ".hpp", ".inl", ".cpp", ".cc"};

    for (int i = 0; i < (int)(sizeof endings / sizeof *endings); i++)
        if (pm_ends_in(path, endings[i]))
            return i;
    return -1;
}

static int by_rank(const void *a, const void *b)
{
    const source_file *left = a, *right = b;
    const int difference = rank_of(left->path) - rank_of(right->path);

    return difference ? difference : strcmp(left->path, right->path);
}

static void add_folder(finder *f, const char *path, unsigned depth)
{
    DIR *open = opendir(path);
    const struct dirent *entry;
    const char **below = NULL;
    size_t count = 0;

    if (!open)
        return;
    while ((entry = readdir(open)) != NULL)
        if (entry->d_name[0] != '.')
            *pm_add(f->memory, below, count) = pm_format(f->memory, "%s/%s", path, entry->d_name);
    closedir(open);
    for (size_t i = 0; i < count; i++) {
        struct stat info;

        if (lstat(below[i], &info) != 0)
            continue;
        if (S_ISDIR(info.st_mode) && depth < DEEPEST)
            add_folder(f, below[i], depth + 1);
        else if (!S_ISDIR(info.st_mode) && rank_of(below[i]) >= 0 && f->file_count < MOST_FILES)
            *pm_add(f->memory, f->files, f->file_count) = (source_file){.path = below[i]};
    }
}

/* Returns the text of a file. NULL if the file cannot be read. This is no error, because the search
 * finds the files and the user did not name them. */
static const char *text_of(const finder *f, const char *path)
{
    const char *kept = NULL;
    pm_error err = {0};
    char *text = NULL;
    struct stat info;

    if (stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
        pm_file_read(path, MOST_BYTES, "a source", &text, &err) == PM_OK)
        kept = pm_copy(f->memory, text);
    free(text);
    return kept;
}

static void read_file(const finder *f, source_file *file)
{
    if (file->read)
        return;
    file->read = true;
    file->text = text_of(f, file->path);
    if (file->text && strstr(file->text, "__global__"))
        file->bare = pm_cuda_text_bare(f->memory, file->text);
}

/* ---- headers --------------------------------------------------------------------------------- */

static const char *folder_of(pm_memory *memory, const char *path)
{
    const char *slash = strrchr(path, '/');

    return pm_format(memory, "%.*s", (int)(slash - path), path);
}

static bool has_header(const pm_captured_program *program, const char *path)
{
    for (size_t i = 0; i < program->header_count; i++)
        if (strcmp(program->headers[i].path, path) == 0)
            return true;
    return false;
}

static void add_header(const finder *f, pm_captured_program *program, const char *by,
                       const pm_include *include)
{
    const char *name = pm_format(f->memory, "%.*s", (int)include->length, include->name);
    const char *places[] = {folder_of(f->memory, by), folder_of(f->memory, program->path),
                            f->folder};
    const size_t own = sizeof places / sizeof *places;

    for (size_t i = 0; i < own + f->include_count; i++) {
        const char *path =
            pm_captured_path(f->memory, i < own ? places[i] : f->includes[i - own], name);
        const char *text;

        if (strcmp(path, program->path) == 0 || has_header(program, path))
            return;
        text = text_of(f, path);
        if (!text)
            continue;
        *pm_add(f->memory, program->headers, program->header_count) =
            (pm_captured_header){.path = path, .text = text};
        return;
    }
}

static void add_includes(const finder *f, pm_captured_program *program, const char *by,
                         const char *text)
{
    char *joined = pm_copy(f->memory, text);
    const char *at = joined;
    pm_include include;

    pm_includes_join(joined);
    while (pm_includes_next(joined, &at, &include) && program->header_count < MOST_HEADERS)
        if (include.name && include.length > 0 && include.name[0] != '/')
            add_header(f, program, by, &include);
}

static void add_headers(const finder *f, pm_captured_program *program)
{
    add_includes(f, program, program->path, program->text);
    for (size_t i = 0; i < program->header_count; i++)
        add_includes(f, program, program->headers[i].path, program->headers[i].text);
}

/* ---- kernels --------------------------------------------------------------------------------- */

static pm_captured_program *whole_of(const finder *f, source_file *file)
{
    read_file(f, file);
    if (file->whole || !file->text)
        return file->whole;
    file->whole = pm_take(f->memory, 1, sizeof *file->whole);
    *file->whole =
        (pm_captured_program){.kind = "cuda", .path = file->path, .text = file->text, .cuda = true};
    add_headers(f, file->whole);
    return file->whole;
}

/* Returns a .cu file, other than `file` itself, that includes `file`. NULL: there is none. */
static source_file *includer_of(const finder *f, const source_file *file)
{
    for (size_t i = 0; i < f->file_count && rank_of(f->files[i].path) == 0; i++) {
        const pm_captured_program *whole = &f->files[i] == file ? NULL : whole_of(f, &f->files[i]);

        if (whole && has_header(whole, file->path))
            return &f->files[i];
    }
    return NULL;
}

/* Returns the .cu file to compile if a kernel was found in `file`. It is the outermost .cu file
 * that includes `file`, directly or through other .cu files, because a header may need the code
 * before its #include. Returns `file` itself if no .cu file includes it. */
static source_file *main_of(const finder *f, source_file *file)
{
    source_file *includer;

    /* the number of steps is limited, because .cu files may include each other in a circle */
    for (unsigned depth = 0; depth < DEEPEST && (includer = includer_of(f, file)); depth++)
        file = includer;
    return file;
}

/* Returns the program of the process with this file as its source. Adds the program if the process
 * has none. */
static const pm_captured_program *program_of(const finder *f, pm_captured_process *process,
                                             source_file *file)
{
    const pm_captured_program *whole = whole_of(f, file);
    pm_captured_program *program;
    pm_text options = {.memory = f->memory};

    for (size_t i = 0; i < process->program_count; i++)
        if (process->programs[i]->path && strcmp(process->programs[i]->path, file->path) == 0)
            return process->programs[i];
    program = pm_take(f->memory, 1, sizeof *program);
    *program = *whole;
    pm_text_add(&options, "%s", f->options ? f->options : "");
    if (program->header_count > 0)
        pm_text_add(&options, "%s\"-I%s\" \"-I%s\"", options.length ? " " : "",
                    folder_of(f->memory, file->path), f->folder);
    for (size_t i = 0; program->header_count > 0 && i < f->include_count; i++)
        pm_text_add(&options, " \"-I%s\"", f->includes[i]);
    program->options = pm_text_get(&options);
    *pm_add(f->memory, process->programs, process->program_count) = program;
    return program;
}

static void describe(const finder *f, pm_captured_kernel *kernel, const pm_cuda_name *name,
                     const pm_cuda_params *params)
{
    kernel->param_count = params->count;
    kernel->params = pm_take(f->memory, params->count + 1, sizeof *kernel->params);
    for (size_t i = 0; i < params->count; i++) {
        const char *type = name->has_types ? name->types[i] : params->types[i];

        kernel->params[i] = (pm_captured_param){
            .address = strchr(type, '*') ? "global" : "private",
            .type = pm_cuda_element(f->memory, type),
            .name = params->names[i],
        };
    }
}

/* Returns the number of arguments in the captured launches of a kernel. SIZE_MAX if no launch of
 * the kernel was captured. */
static size_t arguments_of(const pm_captured_process *process, const pm_captured_kernel *kernel)
{
    for (size_t l = 0; l < process->launch_count; l++)
        if (process->launches[l].kernel == kernel && !process->launches[l].dropped)
            return process->launches[l].arg_count;
    return SIZE_MAX;
}

static void find_kernel(finder *f, pm_captured_process *process, pm_captured_kernel *kernel)
{
    const pm_cuda_name name = pm_cuda_name_of(f->memory, kernel->name);
    const size_t count = arguments_of(process, kernel);
    pm_cuda_params params;

    kernel->name = name.name;
    if (count == SIZE_MAX || (name.has_types && name.type_count != count))
        return;
    for (size_t i = 0; i < f->file_count; i++) {
        read_file(f, &f->files[i]);
        if (!f->files[i].bare ||
            !pm_cuda_text_kernel(f->memory, f->files[i].bare, name.plain, count, &params))
            continue;
        kernel->program = program_of(f, process, main_of(f, &f->files[i]));
        describe(f, kernel, &name, &params);
        return;
    }
}

/* ---- symbols --------------------------------------------------------------------------------- */

static bool is_declared(const finder *f, const pm_captured_program *program, const char *name)
{
    if (pm_cuda_text_constant(pm_cuda_text_bare(f->memory, program->text), name))
        return true;
    for (size_t i = 0; i < program->header_count; i++)
        if (pm_cuda_text_constant(pm_cuda_text_bare(f->memory, program->headers[i].text), name))
            return true;
    return false;
}

/* Finds those __constant__ variables of a launch that its source declares. The module may have
 * variables of other sources. */
static void find_symbols(const finder *f, pm_captured_launch *launch)
{
    for (size_t s = 0; s < launch->variable_count && launch->kernel->program->text; s++) {
        pm_captured_symbol symbol = launch->variables[s];
        const pm_cuda_name name = pm_cuda_name_of(f->memory, symbol.name);

        symbol.name = name.name;
        if (*name.plain && is_declared(f, launch->kernel->program, name.plain))
            *pm_add(f->memory, launch->symbols, launch->symbol_count) = symbol;
    }
}

/* ---- folders of headers ---------------------------------------------------------------------- */

/* Finds the folders of the -I options that exist. */
static void find_includes(finder *f)
{
    const char *rest = f->options ? f->options : "";
    char *word = pm_take(f->memory, strlen(rest) + 1, 1);
    char whole[PATH_MAX];
    pm_build_word found;

    while (pm_build_word_next(&rest, word, &found))
        if (found.kind == PM_WORD_FOLDER && realpath(word + 2, whole))
            *pm_add(f->memory, f->includes, f->include_count) = pm_copy(f->memory, whole);
}

/* ---- all processes --------------------------------------------------------------------------- */

static void find_all(finder *f, pm_captured_process *process)
{
    for (size_t k = 0; k < process->kernel_count; k++)
        if (process->kernels[k]->program->cuda)
            find_kernel(f, process, process->kernels[k]);
    for (size_t l = 0; l < process->launch_count; l++)
        if (process->launches[l].kernel->program->cuda)
            find_symbols(f, &process->launches[l]);
}

void pm_cuda_sources_find(pm_memory *memory, pm_captured *captured, const char *folder,
                          const char *options)
{
    finder f = {.memory = memory, .options = options};
    char whole[PATH_MAX];

    find_includes(&f);
    if (folder) {
        if (!realpath(folder, whole))
            pm_leave(memory, PM_BAD_INPUT, "%s: no such folder; give that of the .cu files",
                     folder);
        f.folder = pm_copy(memory, whole);
        add_folder(&f, f.folder, 0);
        if (f.file_count > 0)
            qsort(f.files, f.file_count, sizeof *f.files, by_rank);
    }
    for (size_t p = 0; p < captured->count; p++)
        find_all(&f, &captured->processes[p]);
}
