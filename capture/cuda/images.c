/* Stores the images (PTX, cubins, fatbins) that a CUDA program loads. See cuda.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The images are in the program's memory or in files, and may be malformed. The size of an image in
 * memory is known only from the image's own header.
 */
#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/file.h"
#include "capture/cuda/cuda.h"

enum {
    /* magic number of the wrapper struct that points to a fatbin (an archive of PTX and cubins) */
    FATBIN_MAGIC = 0x466243b1,
    FATBIN_HEAD = 16, /* bytes of a fatbin's header */
    LARGEST_IMAGE = 64 << 20
};
static const uint32_t fatbin_header_magic = 0xba55ed50;

/* ---- sizes of images in memory --------------------------------------------------------------- */

/* Copies bytes of the program's memory. Returns false if they are not in its memory. The system
 * copies, because a read of an address that is not mapped would end the program. */
static bool copy_from_program(const void *at, void *to, size_t bytes)
{
    const struct iovec from = {(void *)(uintptr_t)at, bytes}, into = {to, bytes};
    const ssize_t copied = process_vm_readv(getpid(), &into, 1, &from, 1, 0);

    if (copied < 0 && errno != EFAULT) {
        /* the system forbids process_vm_readv, so copy directly */
        memcpy(to, at, bytes);
        return true;
    }
    return copied == (ssize_t)bytes;
}

/* Returns the size of an ELF file: the end of its last section or table. 0: it is damaged. */
static size_t elf_bytes(const char *image)
{
    Elf64_Shdr section;
    Elf64_Ehdr head;
    size_t end, programs;

    if (!copy_from_program(image, &head, sizeof head) || head.e_shoff > LARGEST_IMAGE ||
        head.e_phoff > LARGEST_IMAGE)
        return 0;
    end = head.e_shoff + (size_t)head.e_shnum * sizeof section;
    programs = head.e_phoff + (size_t)head.e_phnum * head.e_phentsize;
    end = programs > end ? programs : end;
    for (size_t i = 0; i < head.e_shnum; i++) {
        if (!copy_from_program(image + head.e_shoff + i * sizeof section, &section,
                               sizeof section) ||
            section.sh_offset > LARGEST_IMAGE || section.sh_size > LARGEST_IMAGE)
            return 0;
        if (section.sh_type != SHT_NOBITS && section.sh_offset + section.sh_size > end)
            end = section.sh_offset + section.sh_size;
    }
    return end;
}

/* Returns the size of a fatbin. 0: it is damaged. */
static size_t fatbin_bytes(const char *image)
{
    char head[FATBIN_HEAD];
    uint16_t header;
    uint64_t files;

    if (!copy_from_program(image, head, sizeof head))
        return 0;
    memcpy(&header, head + 6, sizeof header);
    memcpy(&files, head + 8, sizeof files);
    return files > LARGEST_IMAGE ? 0 : header + files;
}

/* ---- kinds ----------------------------------------------------------------------------------- */

/* Returns the kind of an image: ptx, cubin or fatbin. NULL: its kind is unknown. */
static const char *kind_of(const char *image)
{
    uint32_t magic;

    memcpy(&magic, image, sizeof magic);
    if (magic == fatbin_header_magic)
        return "fatbin";
    if (memcmp(image, ELFMAG, SELFMAG) == 0)
        return "cubin";
    return isspace((unsigned char)*image) || *image == '/' || *image == '.' ? "ptx" : NULL;
}

/* Returns the size that an image in memory states. 0: it is damaged. */
static size_t size_of(const char *image)
{
    const char *kind = kind_of(image);

    if (!kind)
        return 0;
    return strcmp(kind, "fatbin") == 0  ? fatbin_bytes(image)
           : strcmp(kind, "cubin") == 0 ? elf_bytes(image)
                                        : strnlen(image, LARGEST_IMAGE);
}

/* ---- storing --------------------------------------------------------------------------------- */

/* Adds a stored image with this id to the list of images if the list does not have it. Returns its
 * number in the list, from 1; 0 on failure. */
static uint64_t add_image(const char *id)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();
    pm_cuda_image *grown;

    for (size_t i = 0; i < cuda->image_count; i++)
        if (strcmp(cuda->images[i].id, id) == 0)
            return i + 1;
    grown = reallocarray(cuda->images, cuda->image_count + 1, sizeof *grown);
    if (!grown)
        return 0;
    cuda->images = grown;
    strcpy(grown[cuda->image_count].id, id);
    return ++cuda->image_count;
}

uint64_t pm_cuda_keep_bytes(const void *image, size_t bytes)
{
    const pm_recording *rec = pm_recording_get();
    const char *kind = image && bytes >= sizeof(uint32_t) ? kind_of(image) : NULL;
    pm_text record = {0};
    char id[40];

    if (!kind || bytes >= LARGEST_IMAGE || rec->contents_bytes + bytes > rec->choice.most_bytes ||
        !pm_rec_contents_file(image, bytes, id))
        return 0;
    if (strcmp(kind, "cubin") == 0)
        pm_cuda_note_constants(image, bytes);
    pm_text_add(&record, "module %s %s", kind, id);
    return pm_rec_write(&record) ? add_image(id) : 0;
}

uint64_t pm_cuda_keep_image(const void *image)
{
    const char *at = image;
    uint64_t number = 0;
    size_t bytes = 0;
    uint32_t magic;
    char *copy;

    if (!at)
        return 0;
    memcpy(&magic, at, sizeof magic);
    /* fields of the wrapper: magic number and version (4 bytes each), pointer to the fatbin */
    if (magic == FATBIN_MAGIC)
        memcpy(&at, at + 8, sizeof at);
    if (at)
        bytes = size_of(at);
    copy = bytes > 0 && bytes < LARGEST_IMAGE ? malloc(bytes) : NULL;
    if (copy && copy_from_program(at, copy, bytes))
        number = pm_cuda_keep_bytes(copy, bytes);
    free(copy);
    return number;
}

uint64_t pm_cuda_keep_file(const char *path)
{
    const int file = path ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    uint64_t number = 0;
    char *bytes = NULL;
    struct stat info;
    size_t size = 0;

    if (file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
        info.st_size < LARGEST_IMAGE) {
        size = (size_t)info.st_size;
        bytes = malloc(size + 1);
    }
    if (bytes && pm_read_whole(file, bytes, size))
        number = pm_cuda_keep_bytes(bytes, size);
    free(bytes);
    if (file >= 0)
        close(file);
    return number;
}

/* ---- modules --------------------------------------------------------------------------------- */

void pm_cuda_module_loaded(const void *handle, uint64_t image)
{
    pm_cuda_loaded *module =
        pm_rec_put(&pm_cuda_layer_get()->modules, handle, sizeof *module, NULL);

    if (module)
        module->image = image;
}

void pm_cuda_image_of(const void *handle, char id[40])
{
    const pm_cuda_layer *cuda = pm_cuda_layer_get();
    const pm_cuda_loaded *module = pm_rec_find(&cuda->modules, handle);

    strcpy(id, module && module->image > 0 ? cuda->images[module->image - 1].id : "");
}
