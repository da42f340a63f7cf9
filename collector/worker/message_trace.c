/* Writes and reads the messages about workloads, and about access tables (counts per memory
 * instruction), between perfmodel and a worker process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/worker/messages.h"
#include "program/contents/fill.h"

/* ---- workloads ----------------------------------------------------------------------------- */

/* Location of the initial contents of a workload's buffer. NO_CONTENTS: there are none.
 * IN_THE_MESSAGE: they follow in the message. IN_A_FILE: they are in a file that is sent with the
 * message. BY_RULES: the worker computes them by the rules of the workload file. */
enum { NO_CONTENTS, IN_THE_MESSAGE, IN_A_FILE, BY_RULES, CONTENTS_KINDS };

/* Maps an open file as the initial contents of a buffer. The workload takes ownership of the file
 * descriptor. The array workload->contents must have space for one more member. */
static void map_file(pm_wire *wire, pm_workload *workload, pm_buffer *buffer, int file)
{
    pm_contents *contents = &workload->contents[workload->contents_count++];

    *contents = (pm_contents){.bytes = buffer->bytes, .file = file};
    contents->data = mmap(NULL, buffer->bytes, PROT_READ, MAP_SHARED, file, 0);
    if (contents->data == MAP_FAILED) {
        contents->data = NULL;
        contents->bytes = 0;
        wire->failed = true;
    }
    buffer->initial = contents->data;
}

/* Writes the rules by which the worker computes a buffer's initial contents, or reads them into
 * buffer->rules. */
static void wire_rules(pm_wire *wire, pm_buffer *buffer, const pm_fills *rules)
{
    if (wire->writing) {
        pm_fills_put(wire, rules);
        return;
    }
    buffer->rules = calloc(1, sizeof *buffer->rules);
    wire->failed |= !buffer->rules;
    if (buffer->rules)
        pm_fills_wire(wire, buffer->rules);
    wire->failed |= buffer->rules && buffer->rules->bytes != buffer->bytes;
}

static void wire_contents(pm_wire *wire, pm_workload *workload, size_t number, int *files,
                          size_t *file_count)
{
    pm_buffer *buffer = &workload->buffers[number];
    const pm_fills *rules = wire->writing ? pm_workload_rules(workload, number) : NULL;
    int file = wire->writing ? pm_workload_contents_file(workload, buffer->initial) : -1;
    size_t where = rules              ? BY_RULES
                   : !buffer->initial ? NO_CONTENTS
                   : file < 0         ? IN_THE_MESSAGE
                                      : IN_A_FILE;
    const void *found;
    size_t bytes = buffer->bytes;

    pm_wire_below(wire, &where, CONTENTS_KINDS);
    if (where == BY_RULES) {
        wire_rules(wire, buffer, rules);
    } else if (where == IN_A_FILE && wire->writing) {
        files[(*file_count)++] = file;
        /* The buffer's contents are in a file, so this process need not keep their pages in memory.
         * They are read again from the file when they are accessed. */
        madvise(buffer->initial, buffer->bytes, MADV_DONTNEED);
    } else if (where == IN_A_FILE && workload->contents_count < *file_count) {
        map_file(wire, workload, buffer, files[workload->contents_count]);
    } else if (where == IN_A_FILE) {
        wire->failed = true;
    } else if (where == IN_THE_MESSAGE) {
        found = pm_wire_bytes(wire, buffer->initial, &bytes);
        wire->failed |= bytes != buffer->bytes;
        if (wire->writing || wire->failed)
            return;
        buffer->initial = malloc(bytes + 1);
        wire->failed = !buffer->initial;
        if (!wire->failed && bytes > 0)
            memcpy(buffer->initial, found, bytes);
    }
}

static void wire_symbol(pm_wire *wire, pm_device_symbol *symbol, size_t buffers)
{
    const void *found;

    pm_wire_name(wire, &symbol->name);
    pm_wire_flag(wire, &symbol->in_buffer);
    PM_WIRE_NUMBER(wire, symbol->buffer);
    wire->failed |= symbol->in_buffer && symbol->buffer >= buffers;
    found = pm_wire_bytes(wire, symbol->data, &symbol->bytes);
    if (wire->writing || wire->failed)
        return;
    symbol->data = malloc(symbol->bytes + 1);
    wire->failed = !symbol->data;
    if (!wire->failed && symbol->bytes > 0)
        memcpy(symbol->data, found, symbol->bytes);
}

/* Writes or reads the bytes of a kernel argument that is passed by value and is too large for
 * arg->value. */
static void wire_large(pm_wire *wire, pm_arg *arg)
{
    unsigned char *mine = arg->large;
    size_t bytes = arg->bytes;
    const void *found;

    if (arg->kind != PM_ARG_VALUE || arg->bytes <= sizeof arg->value)
        return;
    found = pm_wire_bytes(wire, mine, &bytes);
    wire->failed |= bytes != arg->bytes || bytes > PM_MOST_VALUE;
    if (wire->writing || wire->failed)
        return;
    arg->large = malloc(bytes);
    wire->failed = !arg->large;
    if (!wire->failed)
        memcpy(arg->large, found, bytes);
}

/* Writes or reads the list of the pointers that the contents of a buffer or of an argument, of
 * `bytes` bytes, contain. */
static void wire_pointers(pm_wire *wire, pm_pointers *pointers, size_t bytes,
                          const pm_workload *workload)
{
    PM_WIRE_ARRAY(wire, pointers->items, pointers->count);
    for (size_t i = 0; i < pointers->count; i++)
        PM_WIRE_NUMBER(wire, pointers->items[i]);
    wire->failed |= !wire->writing && !pm_pointers_are_sound(pointers, bytes, workload);
}

/* Writes or reads a kernel argument. Addresses of this process are left out of the message, so that
 * equal launches have equal messages. */
static void wire_argument(pm_wire *wire, pm_arg *arg, const pm_workload *workload)
{
    pm_arg sent = {0};

    if (wire->writing)
        sent = *arg;
    sent.large = NULL;
    sent.pointers = (pm_pointers){0};
    PM_WIRE_NUMBER(wire, sent);
    sent.large = wire->writing ? arg->large : NULL;
    sent.pointers = wire->writing ? arg->pointers : (pm_pointers){0};
    wire_large(wire, &sent);
    wire_pointers(wire, &sent.pointers, sent.kind == PM_ARG_VALUE ? sent.bytes : 0, workload);
    if (!wire->writing)
        *arg = sent;
}

static void wire_launch(pm_wire *wire, pm_launch *launch, const pm_workload *workload)
{
    pm_wire_name(wire, &launch->kernel);
    PM_WIRE_NUMBER(wire, launch->dimensions);
    PM_WIRE_NUMBER(wire, launch->global);
    PM_WIRE_NUMBER(wire, launch->local);
    PM_WIRE_NUMBER(wire, launch->offset);
    PM_WIRE_NUMBER(wire, launch->shared);
    pm_wire_below(wire, &launch->arg_count, PM_MAX_ARGS + 1);
    for (size_t i = 0; i < launch->arg_count; i++)
        wire_argument(wire, &launch->args[i], workload);
}

void pm_wire_workload(pm_wire *wire, pm_workload *workload, int *files, size_t *file_count)
{
    pm_wire_name(wire, &workload->program);
    pm_wire_name(wire, &workload->source_path);
    PM_WIRE_ARRAY(wire, workload->buffers, workload->buffer_count);
    if (!wire->writing)
        workload->contents = calloc(*file_count + 1, sizeof *workload->contents);
    wire->failed |= !wire->writing && !workload->contents;
    for (size_t i = 0; i < workload->buffer_count && !wire->failed; i++) {
        pm_buffer *buffer = &workload->buffers[i];

        pm_wire_name(wire, &buffer->name);
        PM_WIRE_NUMBER(wire, buffer->bytes);
        PM_WIRE_NUMBER(wire, buffer->flags);
        pm_wire_text(wire, &buffer->origin);
        wire_contents(wire, workload, i, files, file_count);
    }
    /* pointers follow all buffers, because a pointer may lead to a later buffer */
    for (size_t i = 0; i < workload->buffer_count && !wire->failed; i++)
        wire_pointers(wire, &workload->buffers[i].pointers, workload->buffers[i].bytes, workload);
    PM_WIRE_ARRAY(wire, workload->symbols, workload->symbol_count);
    for (size_t i = 0; i < workload->symbol_count && !wire->failed; i++)
        wire_symbol(wire, &workload->symbols[i], workload->buffer_count);
    PM_WIRE_ARRAY(wire, workload->textures, workload->texture_count);
    for (size_t i = 0; i < workload->texture_count && !wire->failed; i++) {
        pm_wire_name(wire, &workload->textures[i].name);
        wire_argument(wire, &workload->textures[i].object, workload);
    }
    PM_WIRE_ARRAY(wire, workload->launches, workload->launch_count);
    for (size_t i = 0; i < workload->launch_count; i++)
        wire_launch(wire, &workload->launches[i], workload);
}

/* ---- access tables ------------------------------------------------------------------------- */

/* Writes or reads one of the constant strings in `words`, as its index. After reading, *word points
 * to that string, without a copy. */
static void wire_word(pm_wire *wire, const char **word, const char *const *words, size_t count)
{
    size_t i = 0;

    while (wire->writing && i < count && strcmp(words[i], *word) != 0)
        i++;
    pm_wire_below(wire, &i, count);
    *word = words[i];
}

static void wire_owned(pm_wire *wire, const char **text)
{
    char *own = (char *)(uintptr_t)*text;

    pm_wire_name(wire, &own);
    *text = own;
}

static void wire_access(pm_wire *wire, pm_access *access)
{
    static const char *const kinds[] = {"load", "store", "atomic"};
    static const char *const spaces[] = {"global", "shared", "constant", "private"};
    static const char *const classes[] = {"", "UnCoalesc", "Coalesc", "ShareCoalesc"};

    wire_word(wire, &access->kind, kinds, 3);
    wire_word(wire, &access->space, spaces, 4);
    PM_WIRE_NUMBER(wire, access->bytes);
    PM_WIRE_NUMBER(wire, access->line);
    PM_WIRE_NUMBER(wire, access->column);
    wire_owned(wire, &access->buffer);
    wire_owned(wire, &access->structure);
    wire_owned(wire, &access->field);
    PM_WIRE_NUMBER(wire, access->loop);
    PM_WIRE_NUMBER(wire, access->executions);
    PM_WIRE_NUMBER(wire, access->work_items);
    PM_WIRE_NUMBER(wire, access->transactions);
    PM_WIRE_NUMBER(wire, access->coalesced_threads);
    wire_word(wire, &access->access_class, classes, 4);
}

void pm_wire_kernels(pm_wire *wire, pm_trace_tables *tables)
{
    wire->memory = &tables->memory;
    PM_WIRE_ARRAY(wire, tables->kernels, tables->count);
    for (size_t k = 0; k < tables->count; k++) {
        pm_trace_kernel *kernel = &tables->kernels[k];

        wire_owned(wire, &kernel->kernel);
        PM_WIRE_NUMBER(wire, kernel->launches);
        PM_WIRE_NUMBER(wire, kernel->sampled);
        PM_WIRE_ARRAY(wire, kernel->accesses, kernel->access_count);
        for (size_t i = 0; i < kernel->access_count; i++)
            wire_access(wire, &kernel->accesses[i]);
    }
}
