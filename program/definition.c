/* Computes the hash that identifies a workload. See definition.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The hash is not cryptographic: it detects accidental changes, but does not protect against
 * forgery.
 */
#include "program/definition.h"
#include "program/contents/fill.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/scramble.h"
#include "program/build_words.h"

enum { MOST_HEADERS = 256, MOST_HEADER_BYTES = 16 << 20 };

/* ---- hash ------------------------------------------------------------------------------------ */

/* Adds bytes to the hash, eight at a time for speed, because buffers may have a gigabyte. */
static void add_bytes(uint64_t *hash, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    uint64_t word;

    *hash = pm_scramble(*hash ^ count);
    for (; count >= sizeof word; at += sizeof word, count -= sizeof word) {
        memcpy(&word, at, sizeof word);
        *hash = (*hash ^ word) * 0x9e3779b97f4a7c15;
        *hash ^= *hash >> 29;
    }
    word = 0;
    memcpy(&word, at, count);
    *hash = pm_scramble(*hash ^ word);
}

static void add_text(uint64_t *hash, const char *text)
{
    add_bytes(hash, text ? text : "", text ? strlen(text) : 0);
}

static void add_number(uint64_t *hash, uint64_t number)
{
    add_bytes(hash, &number, sizeof number);
}

/* ---- headers --------------------------------------------------------------------------------- */

/* State while the headers that a source includes are added to the hash of a workload: which
 * headers were already added, and the build options, whose -I folders are searched. */
typedef struct {
    uint64_t *hash;
    const char *options;
    size_t count;
    char *seen[MOST_HEADERS];
} headers;

static void add_includes(headers *h, const char *text, const char *folder);

/* Adds the texts of a header and of all headers that it includes to the hash, unless the hash has
 * them already. folder: where the header is looked for. Returns whether the header exists there. */
static bool add_header(headers *h, const char *folder, const char *name)
{
    char path[PATH_MAX], *real = NULL, *text = NULL, *slash;

    if (snprintf(path, sizeof path, "%s%s%s", *name == '/' ? "" : folder, *name == '/' ? "" : "/",
                 name) < (int)sizeof path)
        real = realpath(path, NULL);
    if (!real)
        return false;
    for (size_t i = 0; i < h->count; i++)
        if (strcmp(h->seen[i], real) == 0) {
            free(real);
            return true;
        }
    if (h->count == MOST_HEADERS ||
        pm_file_read(real, MOST_HEADER_BYTES, "a header", &text, NULL) != PM_OK) {
        free(real);
        return false;
    }
    h->seen[h->count++] = real;
    add_text(h->hash, text);
    snprintf(path, sizeof path, "%s", real);
    slash = strrchr(path, '/');
    if (slash)
        *slash = '\0';
    add_includes(h, text, path);
    free(text);
    return true;
}

/* Finds a header and adds its text to the hash. It is looked for in `folder`, the folder of the
 * file that includes it, then in the folders of -I. */
static void find_header(headers *h, const char *folder, const char *name)
{
    const char *rest = h->options;
    char *word = malloc(strlen(rest) + 1);
    pm_build_word found;
    bool there = add_header(h, folder, name);

    while (!there && word && pm_build_word_next(&rest, word, &found))
        there = found.kind == PM_WORD_FOLDER && add_header(h, word + 2, name);
    free(word);
}

static void add_includes(headers *h, const char *text, const char *folder)
{
    for (const char *at = text; (at = strstr(at, "include")); at++) {
        const char *hash = at, *start = at + strlen("include");
        char name[PATH_MAX];
        size_t length;

        while (hash > text && (hash[-1] == ' ' || hash[-1] == '\t'))
            hash--;
        start += strspn(start, " \t");
        if (hash == text || hash[-1] != '#' || (*start != '"' && *start != '<'))
            continue;
        length = strcspn(start + 1, "\">\n");
        if (length == 0 || length >= sizeof name)
            continue;
        memcpy(name, start + 1, length);
        name[length] = '\0';
        find_header(h, folder, name);
    }
}

static void add_source(uint64_t *hash, const pm_workload *workload)
{
    const char *slash = workload->source_path ? strrchr(workload->source_path, '/') : NULL;
    headers h = {.hash = hash, .options = workload->build_options};
    char folder[PATH_MAX];

    add_text(hash, workload->source);
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - workload->source_path) + 1 : 1,
             slash ? workload->source_path : ".");
    add_includes(&h, workload->source, folder);
    for (size_t i = 0; i < h.count; i++)
        free(h.seen[i]);
}

/* Adds the build options to the hash, except -I FOLDER. The position of a folder does not matter,
 * because the texts of the headers are hashed. */
static void add_options(uint64_t *hash, const pm_workload *workload)
{
    const char *rest = workload->build_options;
    char *word = malloc(strlen(rest) + 1);
    pm_build_word found;

    while (word && pm_build_word_next(&rest, word, &found))
        if (found.kind != PM_WORD_FOLDER)
            add_text(hash, word);
    free(word);
}

/* ---- data and launches ----------------------------------------------------------------------- */

/* Adds the rules of a large buffer's initial contents to the hash. The contents themselves are
 * computed only when they are needed. */
static void add_rules(uint64_t *hash, const pm_fills *rules)
{
    pm_wire wire = PM_WIRE_WRITER;

    pm_fills_put(&wire, rules);
    add_bytes(hash, wire.data, wire.bytes);
    pm_wire_free(&wire);
}

static void add_pointers(uint64_t *hash, const pm_pointers *pointers)
{
    for (size_t i = 0; i < pointers->count; i++) {
        add_number(hash, pointers->items[i].at);
        add_number(hash, pointers->items[i].buffer);
        add_number(hash, pointers->items[i].offset);
    }
}

static void add_buffer(uint64_t *hash, const pm_workload *workload, size_t number)
{
    const pm_buffer *buffer = &workload->buffers[number];
    const pm_fills *rules = pm_workload_rules(workload, number);

    add_text(hash, buffer->name);
    add_number(hash, buffer->bytes);
    add_number(hash, buffer->flags);
    if (rules)
        add_rules(hash, rules);
    else if (buffer->initial)
        add_bytes(hash, buffer->initial, buffer->bytes);
    add_pointers(hash, &buffer->pointers);
}

static void add_argument(uint64_t *hash, const pm_arg *arg)
{
    add_number(hash, arg->kind);
    add_number(hash, arg->buffer);
    add_number(hash, arg->offset);
    add_number(hash, arg->bytes);
    if (arg->kind == PM_ARG_VALUE)
        add_bytes(hash, pm_arg_value(arg), arg->bytes);
    add_pointers(hash, &arg->pointers);
}

static void add_launch(uint64_t *hash, const pm_launch *launch)
{
    add_text(hash, launch->kernel);
    add_number(hash, launch->dimensions);
    add_bytes(hash, launch->global, sizeof launch->global);
    add_bytes(hash, launch->local, sizeof launch->local);
    add_bytes(hash, launch->offset, sizeof launch->offset);
    for (size_t a = 0; a < launch->arg_count; a++)
        add_argument(hash, &launch->args[a]);
}

static uint64_t definition_of(const pm_workload *workload)
{
    uint64_t hash = workload->salt;

    add_source(&hash, workload);
    add_options(&hash, workload);
    for (size_t b = 0; b < workload->buffer_count; b++)
        add_buffer(&hash, workload, b);
    for (size_t t = 0; t < workload->texture_count; t++) {
        add_text(&hash, workload->textures[t].name);
        add_argument(&hash, &workload->textures[t].object);
    }
    for (size_t l = 0; l < workload->launch_count; l++)
        add_launch(&hash, &workload->launches[l]);
    if (workload->reference)
        add_number(&hash, definition_of(workload->reference));
    return pm_scramble(hash);
}

void pm_workload_definition(const pm_workload *workload, char text[PM_DEFINITION])
{
    snprintf(text, PM_DEFINITION, "%016llx", (unsigned long long)definition_of(workload));
}
