/* Finds the PTX of captured CUDA kernels in the images that the program loaded. See cuda_ptx.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The driver knows the image of a kernel whose module the program loaded itself. The images of
 * other kernels are searched for their mangled names, which are unique in a program.
 */
#include "capture/cuda_ptx.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "capture/cuda_names.h"
#include "capture/images/fatbin.h"
#include "capture/ptx_variables.h"

typedef struct {
    const pm_capture_folder *folder;
    pm_captured_process *process;
    const pm_captured_module *module;
    const pm_log *log;
    const pm_captured_kernel *only; /* PTX is searched for this kernel only; NULL: for all */
    bool *wanted; /* wanted[k]: true if the PTX of kernel k of the process is searched */
} finder;

/* ---- texts ----------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Returns the name of the next kernel in PTX text, and its length; NULL: there is none. */
static const char *next_kernel(const char **at, size_t *length)
{
    static const char directive[] = ".entry";
    const char *found;

    while ((found = strstr(*at, directive)) != NULL) {
        found += sizeof directive - 1;
        *at = found;
        if (!isspace((unsigned char)*found))
            continue;
        while (isspace((unsigned char)*found))
            found++;
        *length = 0;
        while (is_letter(found[*length]))
            (*length)++;
        return found;
    }
    return NULL;
}

/* Sets kernel->ptx of the wanted kernels that a PTX text has to a program with this text, and
 * removes them from f->wanted. */
static void search_text(const finder *f, const char *text)
{
    pm_memory *memory = f->folder->memory;
    const char *at = text, *name;
    pm_captured_program *program = NULL;
    size_t length;

    while ((name = next_kernel(&at, &length)) != NULL)
        for (size_t k = 0; k < f->process->kernel_count; k++) {
            pm_captured_kernel *kernel = f->process->kernels[k];

            if (!f->wanted[k] || strncmp(kernel->symbol, name, length) != 0 ||
                kernel->symbol[length])
                continue;
            if (!program) {
                program = pm_take(memory, 1, sizeof *program);
                *program = (pm_captured_program){.kind = "cuda",
                                                 .options = "",
                                                 .text = pm_copy(memory, text),
                                                 .cuda = true,
                                                 .is_ptx = true};
            }
            kernel->ptx = program;
            f->wanted[k] = false;
        }
}

/* ---- images ---------------------------------------------------------------------------------- */

static void tell(const finder *f, const pm_error *err)
{
    pm_notice(f->log, "%.8s.%s, an image that the program loaded: %s; its PTX is not used",
              f->module->contents, f->module->kind, err->text);
}

/* Returns whether entry a of a fatbin is searched before entry b. PTX that the device can run comes
 * first, the newest architecture before older ones; then PTX for newer devices, the oldest first.
 * arch: architecture of the device, such as 90; 0: not known. */
static bool is_better(const pm_fatbin_entry *a, const pm_fatbin_entry *b, unsigned arch)
{
    const bool fits = arch == 0 || a->arch <= arch, other_fits = arch == 0 || b->arch <= arch;

    if (fits != other_fits)
        return fits;
    return fits ? a->arch > b->arch : a->arch < b->arch;
}

/* Returns the index of the PTX entry of a fatbin that is searched next. done[i]: true if entry i
 * was searched. SIZE_MAX: all were searched. */
static size_t next_entry(const finder *f, const pm_fatbin *fatbin, const bool *done)
{
    size_t best = SIZE_MAX;

    for (size_t i = 0; i < fatbin->count; i++)
        if (fatbin->entries[i].is_ptx && !done[i] &&
            (best == SIZE_MAX ||
             is_better(&fatbin->entries[i], &fatbin->entries[best], f->process->arch)))
            best = i;
    return best;
}

static void search_fatbin(const finder *f, const uint8_t *bytes, size_t size)
{
    pm_memory *memory = f->folder->memory;
    pm_fatbin fatbin;
    pm_error err = {0};
    bool *done;

    if (pm_fatbin_read(memory, bytes, size, &fatbin, &err) != PM_OK)
        tell(f, &err);
    done = pm_take(memory, fatbin.count + 1, sizeof *done);
    for (size_t i; (i = next_entry(f, &fatbin, done)) != SIZE_MAX;) {
        char *text = pm_fatbin_text(&fatbin.entries[i], &err);

        done[i] = true;
        if (text)
            search_text(f, text);
        else
            tell(f, &err);
        free(text);
    }
}

static void search_module(const finder *f)
{
    const char *path = pm_folder_recorded(f->folder, f->process, f->module->contents);
    struct stat info;
    uint8_t *bytes = NULL;
    size_t size = 0;

    if (stat(path, &info) == 0 && S_ISREG(info.st_mode)) {
        size = (size_t)info.st_size;
        bytes = pm_folder_bytes(f->folder, f->process, f->module->contents, size);
    }
    if (!bytes)
        pm_leave(f->folder->memory, PM_BAD_INPUT, "%s: not there; capture the program again", path);
    /* makes the bytes a string; pm_folder_bytes allocates one byte more than `size` */
    bytes[size] = '\0';
    if (strcmp(f->module->kind, "fatbin") == 0)
        search_fatbin(f, bytes, size);
    else
        search_text(f, (const char *)bytes);
    free(bytes);
}

static const pm_captured_module *module_of(const pm_captured_process *process, const char *image)
{
    for (size_t m = 0; image && m < process->module_count; m++)
        if (strcmp(process->modules[m].contents, image) == 0)
            return &process->modules[m];
    return NULL;
}

/* Returns whether the kernel's PTX may be in the module f->module. False if the kernel's image is
 * another module that has PTX itself. If the kernel's image is a cubin, it may have been compiled
 * or extracted from any module. */
static bool may_have(const finder *f, const pm_captured_kernel *kernel)
{
    const pm_captured_module *own = module_of(f->process, kernel->image);

    return !own || own == f->module || strcmp(own->kind, "cubin") == 0;
}

static bool is_captured(const pm_captured_process *process, const pm_captured_kernel *kernel)
{
    for (size_t l = 0; l < process->launch_count; l++)
        if (!process->launches[l].dropped && process->launches[l].kernel == kernel)
            return true;
    return false;
}

/* Searches the images of a process for the PTX of kernels. */
static void find_in_process(finder *f)
{
    const pm_captured_process *process = f->process;

    f->wanted = pm_take(f->folder->memory, process->kernel_count + 1, sizeof *f->wanted);
    for (size_t m = 0; m < process->module_count; m++) {
        bool any = false;

        f->module = &process->modules[m];
        if (strcmp(f->module->kind, "cubin") == 0)
            continue;
        for (size_t k = 0; k < process->kernel_count; k++) {
            const pm_captured_kernel *kernel = process->kernels[k];

            f->wanted[k] = kernel->program->cuda && !kernel->ptx &&
                           (f->only ? kernel == f->only : is_captured(process, kernel)) &&
                           may_have(f, kernel);
            any |= f->wanted[k];
        }
        if (any)
            search_module(f);
    }
}

void pm_cuda_ptx_find(const pm_capture_folder *folder, pm_captured *captured, const pm_log *log)
{
    for (size_t p = 0; p < captured->count; p++) {
        finder f = {.folder = folder, .process = &captured->processes[p], .log = log};

        find_in_process(&f);
    }
}

const char *pm_cuda_ptx_of(const pm_capture_folder *folder, pm_captured_process *process,
                           const pm_captured_kernel *kernel, const pm_log *log)
{
    finder f = {.folder = folder, .process = process, .log = log, .only = kernel};

    find_in_process(&f);
    return kernel->ptx ? kernel->ptx->text : NULL;
}

/* ---- PTX as the source ----------------------------------------------------------------------- */

/* Describes the kernel's parameters by the types in its mangled name, unless they are described
 * already from the source. */
static void describe(pm_memory *memory, pm_captured_kernel *kernel, const pm_cuda_name *name)
{
    if (kernel->param_count > 0 || !name->has_types)
        return;
    kernel->param_count = name->type_count;
    kernel->params = pm_take(memory, name->type_count + 1, sizeof *kernel->params);
    for (size_t i = 0; i < name->type_count; i++)
        kernel->params[i] = (pm_captured_param){
            .address = strchr(name->types[i], '*') ? "global" : "private",
            .type = pm_cuda_element(memory, name->types[i]),
            .name = "",
        };
}

/* Sets launch->symbols for the launches of a program whose source is PTX: the __constant__
 * variables of the launch's module that kernels of the program use. */
static void find_symbols(pm_memory *memory, const pm_captured_process *process,
                         const pm_captured_program *program)
{
    const char **kernels = NULL, **used;
    size_t kernel_count = 0, count;

    for (size_t k = 0; k < process->kernel_count; k++)
        if (process->kernels[k]->program == program)
            *pm_add(memory, kernels, kernel_count) = process->kernels[k]->symbol;
    used = pm_ptx_variables_used(memory, program->text, kernels, kernel_count, &count);
    for (size_t l = 0; l < process->launch_count; l++) {
        pm_captured_launch *launch = &process->launches[l];

        if (launch->kernel->program != program)
            continue;
        launch->symbols = NULL;
        launch->symbol_count = 0;
        for (size_t v = 0; v < launch->variable_count; v++)
            for (size_t u = 0; u < count; u++)
                if (strcmp(launch->variables[v].name, used[u]) == 0)
                    *pm_add(memory, launch->symbols, launch->symbol_count) = launch->variables[v];
    }
}

/* Returns the process's program from number `first` on whose text is the kernel's PTX. Adds it if
 * there is none. */
static const pm_captured_program *program_of(pm_memory *memory, pm_captured_process *process,
                                             const pm_captured_kernel *kernel, size_t first)
{
    pm_captured_program *made;

    for (size_t p = first; p < process->program_count; p++)
        if (process->programs[p]->text == kernel->ptx->text)
            return process->programs[p];
    made = pm_take(memory, 1, sizeof *made);
    *made = *kernel->ptx;
    *pm_add(memory, process->programs, process->program_count) = made;
    return made;
}

bool pm_cuda_ptx_take(pm_memory *memory, pm_captured_process *process,
                      const pm_captured_program *program)
{
    const size_t first = process->program_count;

    for (size_t k = 0; k < process->kernel_count; k++) {
        pm_captured_kernel *kernel = process->kernels[k];
        pm_cuda_name name;

        if (kernel->program != program || !kernel->ptx)
            continue;
        name = pm_cuda_name_of(memory, kernel->symbol);
        describe(memory, kernel, &name);
        kernel->program = program_of(memory, process, kernel, first);
        kernel->name = kernel->symbol;
        kernel->plain = name.plain;
    }
    for (size_t p = first; p < process->program_count; p++)
        find_symbols(memory, process, process->programs[p]);
    return process->program_count > first;
}
