/* Remembers for each source which functions of libclc it needs, and a file with only these
 * functions, which clang links in place of all of libclc. See libclc_parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/libclc_parts.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

enum {
    SOURCES = 8, /* largest number of sources whose functions are remembered */
    /* Number of compilations of a source that link all of libclc. After them, a file with only the
     * needed functions is made. Making the file takes as much time as linking libclc one to three
     * times. */
    COMPILED_FIRST = 3,
    MOST_CUTS = 16 /* largest number of times that a source's file of needed functions is made */
};

/* A source, and the functions of libclc that its compilations needed so far. */
typedef struct {
    char *path; /* NULL: this element is unused */
    /* names of the functions that the source needs, each followed by a blank. compiled: number of
     * compilations so far. cuts: number of times that `part` was made. */
    pm_text needed;
    unsigned compiled, cuts;
    /* file descriptor of a file with only the functions of libclc that the source needs; -1:
     * none */
    int part;
} known_source;

struct pm_libclc_parts {
    pm_libclc_cutter cutter;
    pthread_mutex_t lock; /* protects the members below */
    known_source sources[SOURCES];
    size_t next; /* index of the element that is replaced next */
};

static void drop_part(known_source *source)
{
    if (source->part >= 0)
        close(source->part);
    source->part = -1;
}

static void forget(known_source *source)
{
    free(source->path);
    pm_text_free(&source->needed);
    drop_part(source);
    *source = (known_source){.part = -1};
}

pm_libclc_parts *pm_libclc_parts_create(pm_libclc_cutter cutter)
{
    pm_libclc_parts *parts = calloc(1, sizeof *parts);

    if (!parts)
        return NULL;
    parts->cutter = cutter;
    pthread_mutex_init(&parts->lock, NULL);
    for (size_t i = 0; i < SOURCES; i++)
        parts->sources[i].part = -1;
    return parts;
}

void pm_libclc_parts_free(pm_libclc_parts *parts)
{
    if (!parts)
        return;
    for (size_t i = 0; i < SOURCES; i++)
        forget(&parts->sources[i]);
    pthread_mutex_destroy(&parts->lock);
    free(parts);
}

static known_source *find_source(pm_libclc_parts *parts, const char *path)
{
    for (size_t i = 0; i < SOURCES; i++)
        if (parts->sources[i].path && strcmp(parts->sources[i].path, path) == 0)
            return &parts->sources[i];
    return NULL;
}

/* ---- making a part -------------------------------------------------------------------------- */

static bool write_all(int file, const char *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t written = write(file, data + done, bytes - done);

        if (written <= 0)
            return false;
        done += (size_t)written;
    }
    return true;
}

/* Makes source->part, a file without a name with only those functions of libclc that the source
 * needs. If it fails, source->part stays -1. */
static void cut(const pm_libclc_parts *parts, known_source *source, const char *libclc)
{
    char *bitcode = NULL;
    size_t bytes = 0;

    source->cuts++;
    if (source->needed.failed ||
        parts->cutter.cut(parts->cutter.user, libclc, pm_text_get(&source->needed), &bitcode,
                          &bytes) != PM_OK)
        return;
    source->part = memfd_create("libclc", MFD_CLOEXEC);
    if (source->part >= 0 && !write_all(source->part, bitcode, bytes))
        drop_part(source);
    free(bitcode);
}

int pm_libclc_parts_open(pm_libclc_parts *parts, const char *path, const char *libclc)
{
    known_source *source;
    int file = -1;

    if (!parts->cutter.cut)
        return -1;
    pthread_mutex_lock(&parts->lock);
    source = find_source(parts, path);
    if (source && source->part < 0 && source->compiled >= COMPILED_FIRST &&
        source->cuts < MOST_CUTS)
        cut(parts, source, libclc);
    if (source && source->part >= 0)
        file = fcntl(source->part, F_DUPFD_CLOEXEC, 3);
    pthread_mutex_unlock(&parts->lock);
    return file;
}

/* ---- names in bitcode ----------------------------------------------------------------------- */

static bool read_part(int part, pm_libclc_names *names)
{
    struct stat info;
    void *data = MAP_FAILED;
    size_t bytes = 0;

    *names = (pm_libclc_names){.count = 0};
    if (fstat(part, &info) == 0 && info.st_size > 0) {
        bytes = (size_t)info.st_size;
        data = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, part, 0);
    }
    if (data == MAP_FAILED)
        return false;
    pm_libclc_names_read_memory(data, bytes, names);
    munmap(data, bytes);
    return names->strings != NULL;
}

bool pm_libclc_parts_suffice(int part, const pm_libclc_names *names, const void *bitcode,
                             size_t bytes)
{
    pm_libclc_names mentioned, present;
    bool suffice = read_part(part, &present);

    pm_libclc_names_read_memory(bitcode, bytes, &mentioned);
    suffice = suffice && mentioned.strings;
    for (size_t i = 0; suffice && i < mentioned.count; i++)
        suffice = !pm_libclc_names_include(names, &mentioned.names[i]) ||
                  pm_libclc_names_include(&present, &mentioned.names[i]);
    pm_libclc_names_free(&mentioned);
    pm_libclc_names_free(&present);
    return suffice;
}

static bool is_needed(const known_source *source, const pm_libclc_name *name)
{
    const char *at = pm_text_get(&source->needed);

    for (; *at; at += strcspn(at, " ") + 1)
        if (strcspn(at, " ") == name->length && memcmp(at, name->text, name->length) == 0)
            return true;
    return false;
}

/* Adds the functions of libclc that the compiled bitcode calls (`mentioned`) to source->needed.
 * names: all functions of libclc. */
static void add_needed(known_source *source, const pm_libclc_names *names,
                       const pm_libclc_names *mentioned)
{
    for (size_t i = 0; i < mentioned->count; i++) {
        const pm_libclc_name *name = &mentioned->names[i];

        if (pm_libclc_names_include(names, name) && !is_needed(source, name))
            pm_text_add(&source->needed, "%.*s ", (int)name->length, name->text);
    }
}

static known_source *add_source(pm_libclc_parts *parts, const char *path)
{
    known_source *source = &parts->sources[parts->next];

    parts->next = (parts->next + 1) % SOURCES;
    forget(source);
    source->path = strdup(path);
    return source;
}

void pm_libclc_parts_learn(pm_libclc_parts *parts, const char *path, const pm_libclc_names *names,
                           const void *bitcode, size_t bytes)
{
    pm_libclc_names mentioned;
    known_source *source;

    if (!parts->cutter.cut)
        return;
    pm_libclc_names_read_memory(bitcode, bytes, &mentioned);
    pthread_mutex_lock(&parts->lock);
    source = find_source(parts, path);
    if (!source)
        source = add_source(parts, path);
    source->compiled++;
    add_needed(source, names, &mentioned);
    drop_part(source);
    pthread_mutex_unlock(&parts->lock);
    pm_libclc_names_free(&mentioned);
}
