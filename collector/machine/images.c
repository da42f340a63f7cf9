/* Kernels' machine code in this process. See images.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PoCL loads FOLDER/KERNEL.so from its cache and calls "_pocl_kernel_KERNEL_workgroup" in it.
 */
#include "collector/machine/images.h"

#include <dlfcn.h>
#include <link.h>
#include <llvm-c/Core.h>
#include <llvm-c/Object.h>
#include <string.h>

typedef struct {
    uint64_t base; /* what is added to addresses of the file */
    const char *path;
    size_t kernel;
} found_object;

typedef struct {
    pm_memory *memory;
    const char *const *kernels;
    size_t kernel_count;
    found_object *objects;
    size_t count;
} search;

static bool is_of(const char *path, const char *kernel)
{
    const char *name = strrchr(path, '/');
    const size_t length = strlen(kernel);

    return name && strncmp(name + 1, kernel, length) == 0 && strcmp(name + 1 + length, ".so") == 0;
}

static int look_at(struct dl_phdr_info *info, size_t size, void *user)
{
    search *s = user;

    (void)size;
    for (size_t k = 0; k < s->kernel_count; k++)
        if (is_of(info->dlpi_name, s->kernels[k]))
            *pm_add(s->memory, s->objects, s->count) = (found_object){
                .base = info->dlpi_addr, .path = pm_copy(s->memory, info->dlpi_name), .kernel = k};
    return 0;
}

/* The section of code in the file: its address there, and its length. */
static bool find_code(const char *path, uint64_t *address, uint64_t *bytes)
{
    LLVMMemoryBufferRef file = NULL;
    LLVMBinaryRef binary = NULL;
    LLVMSectionIteratorRef section = NULL;
    char *why = NULL;

    *bytes = 0;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &file, &why) == 0)
        binary = LLVMCreateBinary(file, NULL, &why);
    if (binary && LLVMBinaryGetType(binary) == LLVMBinaryTypeELF64L)
        section = LLVMObjectFileCopySectionIterator(binary);
    for (; section && !LLVMObjectFileIsSectionIteratorAtEnd(binary, section);
         LLVMMoveToNextSection(section)) {
        const char *name = LLVMGetSectionName(section);

        if (name && strcmp(name, ".text") == 0) {
            *address = LLVMGetSectionAddress(section);
            *bytes = LLVMGetSectionSize(section);
        }
    }
    if (section)
        LLVMDisposeSectionIterator(section);
    if (binary)
        LLVMDisposeBinary(binary);
    if (file)
        LLVMDisposeMemoryBuffer(file);
    LLVMDisposeMessage(why);
    return *bytes > 0;
}

static void add_image(search *s, const found_object *object, pm_machine_image *image)
{
    const char *name =
        pm_format(s->memory, "_pocl_kernel_%s_workgroup", s->kernels[object->kernel]);
    void *handle = dlopen(object->path, RTLD_LAZY | RTLD_NOLOAD);
    uint64_t address, bytes;

    *image = (pm_machine_image){.kernel = object->kernel};
    if (handle) {
        image->entry = dlsym(handle, name);
        dlclose(handle);
    }
    if (!image->entry || !find_code(object->path, &address, &bytes))
        pm_leave(s->memory, PM_FAILED, "%s: not the code of a kernel by PoCL", object->path);
    image->code = (uint8_t *)(object->base + address);
    image->bytes = bytes;
    if (image->entry < image->code || image->entry >= image->code + bytes)
        pm_leave(s->memory, PM_FAILED, "%s: %s is not in its code", object->path, name);
}

pm_machine_image *pm_machine_images_find(pm_memory *memory, const char *const *kernels,
                                         size_t kernel_count, size_t *count)
{
    search s = {.memory = memory, .kernels = kernels, .kernel_count = kernel_count};
    pm_machine_image *images;

    dl_iterate_phdr(look_at, &s);
    images = pm_take(memory, s.count + 1, sizeof *images);
    for (size_t i = 0; i < s.count; i++)
        add_image(&s, &s.objects[i], &images[i]);
    *count = s.count;
    return images;
}
