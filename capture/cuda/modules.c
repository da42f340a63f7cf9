/* Finds the __constant__ variables of the modules that a CUDA program loads. See cuda.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cubins are in the program's memory and may be malformed. All reads are checked against the
 * sizes that the cubins state.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "capture/cuda/cuda.h"

enum { MOST_CONSTANTS = 1024 };

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

/* Stores the names of the module's __constant__ variables. A cubin has them as symbols in constant
 * bank 3. */
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
