/* Finds the kernels that a captured CUDA program launches, with their parameters, and adds them to
 * the records. See cuda.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/cuda.h"

/* ---- names ----------------------------------------------------------------------------------- */

/* Returns the last component of a mangled name, without template arguments. NULL if the name is not
 * mangled. */
static char *plain_name(const char *mangled)
{
    const char *at = mangled, *last = NULL;
    size_t length = 0;

    if (strncmp(at, "_Z", 2) != 0)
        return NULL;
    at += 2;
    at += *at == 'N';
    at += *at == 'L';
    while (isdigit((unsigned char)*at)) {
        char *end;

        length = strtoul(at, &end, 10);
        if (length > strlen(end))
            return NULL;
        last = end;
        at = end + length;
        at += *at == 'L';
    }
    return last ? strndup(last, length) : NULL;
}

/* Returns the id of the program record of this process, and writes the record if needed. All
 * kernels of the process belong to this one program. After the run, cuda_sources.c makes one
 * program for each source file of it. */
static unsigned program_id(void)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();
    pm_text record = {0};

    if (cuda->program > 0)
        return cuda->program;
    cuda->program = ++pm_recording_get()->next_id;
    pm_text_add(&record, "program %u cuda - %%", cuda->program);
    pm_rec_write(&record);
    return cuda->program;
}

/* Returns the recording's state of a kernel (pm_rec_entry), and adds it if needed. name: mangled
 * name of the kernel. image: id of the stored image that has the kernel; "": not known. */
static pm_rec_entry *entry_of(const char *name, const char *image)
{
    const pm_recording *rec = pm_recording_get();
    const unsigned program = program_id();
    pm_rec_entry *entry;

    for (size_t i = rec->entry_count; i-- > 0;)
        if (rec->entries[i]->program == program && strcmp(rec->entries[i]->name, name) == 0 &&
            strcmp(rec->entries[i]->image, image) == 0)
            return rec->entries[i];
    entry = pm_rec_new_entry(program, PM_FROM_CUDA, name, 0);
    if (entry) {
        entry->plain = plain_name(name);
        strcpy(entry->image, image);
    }
    return entry;
}

/* ---- descriptions by the driver -------------------------------------------------------------- */

typedef pm_cu_result (*parameter_of)(const void *, size_t, size_t *, size_t *);

/* Reads offset and size of each parameter of a kernel by the driver's function `parameter`, until
 * the driver reports that the kernel has no further parameter. False if this fails. */
static bool read_layout(pm_cuda_kernel *kernel, parameter_of parameter, const void *handle)
{
    pm_cu_result code = 0;
    size_t offset, bytes;
    unsigned i = 0;

    for (; parameter && i < PM_REC_ARGS; i++) {
        code = parameter(handle, i, &offset, &bytes);
        if (code != 0)
            break;
        kernel->params[i].offset = offset;
        kernel->params[i].bytes = bytes;
    }
    kernel->param_count = i;
    return code == PM_CU_INVALID_VALUE;
}

static void find_symbols(pm_cuda_kernel *kernel, pm_cu_module module)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();
    size_t count;
    char **names;

    /* copy the list of names under its lock, because the list may move when it grows; the names
     * themselves are never freed */
    pthread_mutex_lock(&cuda->constants_lock);
    count = cuda->constant_count;
    names = calloc(count + 1, sizeof *names);
    if (names && count > 0)
        memcpy(names, cuda->constants, count * sizeof *names);
    pthread_mutex_unlock(&cuda->constants_lock);
    for (size_t i = 0; names && i < count && kernel->symbol_count < PM_CUDA_SYMBOLS; i++) {
        pm_cu_pointer at = 0;
        size_t bytes = 0;

        if (cuda->module_global(&at, &bytes, module, names[i]) != 0 || bytes == 0)
            continue;
        kernel->symbols[kernel->symbol_count].name = names[i];
        kernel->symbols[kernel->symbol_count].at = at;
        kernel->symbols[kernel->symbol_count++].bytes = bytes;
    }
    free(names);
}

/* Asks the driver for the offsets and sizes of the kernel's parameters, and for the image and the
 * __constant__ variables of its module. handle is a CUfunction or a CUkernel; only the driver knows
 * which, so both are tried. */
static void ask_driver(pm_cuda_kernel *kernel, const void *handle)
{
    const pm_cuda_layer *cuda = pm_cuda_layer_get();
    const void *function = handle;
    pm_cu_module module = NULL;

    kernel->laid_out = read_layout(kernel, cuda->function_parameter, handle) ||
                       read_layout(kernel, cuda->kernel_parameter, handle);
    if (!cuda->function_module)
        return;
    if (cuda->function_load)
        cuda->function_load(handle); /* the driver loads the function only now if it loads lazily */
    if (cuda->function_module(&module, handle) != 0 &&
        (!cuda->kernel_function || cuda->kernel_function(&function, handle) != 0 ||
         cuda->function_module(&module, function) != 0))
        return;
    pm_rec_lock();
    pm_cuda_image_of(module, kernel->image);
    pm_rec_unlock();
    find_symbols(kernel, module);
}

static const char *name_of(const void *handle)
{
    const pm_cuda_layer *cuda = pm_cuda_layer_get();
    const char *name = NULL;

    if (cuda->function_name && cuda->function_name(&name, handle) == 0)
        return name;
    if (cuda->kernel_name && cuda->kernel_name(&name, handle) == 0)
        return name;
    return NULL;
}

const pm_cuda_kernel *pm_cuda_find_kernel(const void *handle, const char *name)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();
    pm_cuda_kernel asked = {0}, *kernel;

    name = name ? name : name_of(handle);
    if (!name)
        return NULL;
    pm_rec_lock();
    kernel = pm_rec_find(&cuda->kernels, handle);
    pm_rec_unlock();
    if (kernel && kernel->entry && strcmp(kernel->entry->name, name) == 0)
        return kernel;
    ask_driver(&asked, handle);
    pm_rec_lock();
    asked.handle = handle;
    asked.entry = entry_of(name, asked.image);
    kernel = asked.entry ? pm_rec_put(&cuda->kernels, handle, sizeof *kernel, NULL) : NULL;
    if (kernel)
        *kernel = asked;
    pm_rec_unlock();
    return kernel;
}

void pm_cuda_forget_kernels(void)
{
    const pm_cuda_layer *cuda = pm_cuda_layer_get();

    for (size_t i = 0; i < cuda->kernels.count; i++)
        ((pm_cuda_kernel *)cuda->kernels.items[i])->entry = NULL;
}
