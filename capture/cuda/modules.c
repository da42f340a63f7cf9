/* Reads the images that a CUDA program loads. See cuda.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The images are in the program's memory and may be malformed. All reads are checked against the
 * sizes that the images state.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/cuda.h"

enum {
    /* magic number of the wrapper struct that points to a fatbin (an archive of PTX and cubins) */
    FATBIN_MAGIC = 0x466243b1,
    MOST_CONSTANTS = 1024,
    LARGEST_IMAGE = 64 << 20
};
static const uint32_t fatbin_header_magic = 0xba55ed50;

/* ---- cubins: ELF files -----------------------------------------------------------------------
 */

typedef struct {
    const char *image;
    size_t bytes;
    Elf64_Ehdr head;
} elf_file;

static const void *part(const elf_file *elf, uint64_t offset, uint64_t bytes)
{
    return offset <= elf->bytes && bytes <= elf->bytes - offset ? elf->image + offset : NULL;
}

static bool open_elf(elf_file *elf, const void *image, size_t bytes)
{
    *elf = (elf_file){.image = image, .bytes = bytes};
    if (bytes < sizeof elf->head)
        return false;
    memcpy(&elf->head, image, sizeof elf->head);
    return memcmp(elf->head.e_ident, ELFMAG, SELFMAG) == 0 &&
           elf->head.e_ident[EI_CLASS] == ELFCLASS64 && elf->head.e_shentsize == sizeof(Elf64_Shdr);
}

static bool section_at(const elf_file *elf, size_t index, Elf64_Shdr *section)
{
    const void *at = index < elf->head.e_shnum
                         ? part(elf, elf->head.e_shoff + index * sizeof *section, sizeof *section)
                         : NULL;

    if (at)
        memcpy(section, at, sizeof *section);
    return at != NULL;
}

/* Returns a string of an ELF string table. NULL if the string does not end inside the table. */
static const char *text_of(const elf_file *elf, size_t index, uint64_t offset)
{
    Elf64_Shdr table;
    const char *texts;

    if (!section_at(elf, index, &table) || offset >= table.sh_size)
        return NULL;
    texts = part(elf, table.sh_offset, table.sh_size);
    return texts && memchr(texts + offset, '\0', table.sh_size - offset) ? texts + offset : NULL;
}

static const char *section_name(const elf_file *elf, size_t index)
{
    Elf64_Shdr section;

    if (!section_at(elf, index, &section))
        return NULL;
    return text_of(elf, elf->head.e_shstrndx, section.sh_name);
}

static void note_constant(const char *name)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();
    char **grown;

    for (size_t i = 0; i < cuda->constant_count; i++)
        if (strcmp(cuda->constants[i], name) == 0)
            return;
    if (cuda->constant_count == MOST_CONSTANTS || strpbrk(name, " \n:%"))
        return;
    grown = reallocarray(cuda->constants, cuda->constant_count + 1, sizeof *grown);
    if (!grown)
        return;
    cuda->constants = grown;
    grown[cuda->constant_count] = strdup(name);
    cuda->constant_count += grown[cuda->constant_count] != NULL;
}

/* Stores the names of the module's __constant__ variables. In a cubin these are the symbols in
 * constant bank 3. */
static void note_symbols(const elf_file *elf, const Elf64_Shdr *table)
{
    const size_t count = table->sh_size / sizeof(Elf64_Sym);
    const char *symbols = part(elf, table->sh_offset, table->sh_size);

    if (!symbols)
        return;
    for (size_t i = 0; i < count; i++) {
        const char *name, *section;
        Elf64_Sym symbol;

        memcpy(&symbol, symbols + i * sizeof symbol, sizeof symbol);
        if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size == 0)
            continue;
        section = section_name(elf, symbol.st_shndx);
        name = text_of(elf, table->sh_link, symbol.st_name);
        if (section && name && *name && strcmp(section, ".nv.constant3") == 0)
            note_constant(name);
    }
}

void pm_cuda_note_constants(const void *cubin, size_t bytes)
{
    Elf64_Shdr section;
    elf_file elf;

    if (!open_elf(&elf, cubin, bytes))
        return;
    pthread_mutex_lock(&pm_cuda_layer_get()->constants_lock);
    for (size_t i = 0; i < elf.head.e_shnum; i++)
        if (section_at(&elf, i, &section) && section.sh_type == SHT_SYMTAB)
            note_symbols(&elf, &section);
    pthread_mutex_unlock(&pm_cuda_layer_get()->constants_lock);
}

/* ---- images that are stored ------------------------------------------------------------------ */

/* Returns the size of an ELF file: the end of its last section or table. */
static size_t elf_bytes(const char *image)
{
    Elf64_Shdr section;
    Elf64_Ehdr head;
    size_t end, programs;

    memcpy(&head, image, sizeof head);
    end = head.e_shoff + (size_t)head.e_shnum * sizeof section;
    programs = head.e_phoff + (size_t)head.e_phnum * head.e_phentsize;
    end = programs > end ? programs : end;
    for (size_t i = 0; end < LARGEST_IMAGE && i < head.e_shnum; i++) {
        memcpy(&section, image + head.e_shoff + i * sizeof section, sizeof section);
        if (section.sh_type != SHT_NOBITS && section.sh_offset + section.sh_size > end)
            end = section.sh_offset + section.sh_size;
    }
    return end;
}

static size_t fatbin_bytes(const char *image)
{
    uint16_t header;
    uint64_t files;

    memcpy(&header, image + 6, sizeof header);
    memcpy(&files, image + 8, sizeof files);
    return files > LARGEST_IMAGE ? SIZE_MAX : header + files;
}

/* Returns the kind of an image: ptx, cubin or fatbin. Sets its size. NULL if kind or size is
 * unknown. */
static const char *kind_of(const char **image, size_t *bytes)
{
    uint32_t magic;

    memcpy(&magic, *image, sizeof magic);
    /* fields of the wrapper: magic number and version (4 bytes each), pointer to the fatbin */
    if (magic == FATBIN_MAGIC) {
        memcpy(image, *image + 8, sizeof *image);
        memcpy(&magic, *image, sizeof magic);
    }
    if (magic == fatbin_header_magic) {
        *bytes = fatbin_bytes(*image);
        return "fatbin";
    }
    if (memcmp(*image, ELFMAG, SELFMAG) == 0) {
        *bytes = elf_bytes(*image);
        return "cubin";
    }
    if ((*image)[0] != '/' && (*image)[0] != '.' && (*image)[0] != '\n')
        return NULL;
    *bytes = strnlen(*image, LARGEST_IMAGE);
    return "ptx";
}

void pm_cuda_keep_image(const void *image)
{
    const pm_recording *rec = pm_recording_get();
    const char *at = image, *kind = NULL;
    pm_text record = {0};
    size_t bytes = 0;
    char id[40];

    if (at)
        kind = kind_of(&at, &bytes);
    if (!kind || bytes == 0 || bytes >= LARGEST_IMAGE ||
        rec->contents_bytes + bytes > rec->choice.most_bytes ||
        !pm_rec_contents_file(at, bytes, id))
        return;
    if (strcmp(kind, "cubin") == 0)
        pm_cuda_note_constants(at, bytes);
    pm_text_add(&record, "module %s %s", kind, id);
    pm_rec_write(&record);
}
