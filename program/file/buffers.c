/* Adds the buffers of a workload file: their sizes, contents and uses. See from_file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "compiler/language.h"
#include "program/file/from_file.h"
#include "program/workload.h"

/* Largest size in bytes of a variable of a CUDA source (__device__ or __constant__) whose contents
 * a workload file describes. */
enum { MOST_SYMBOL = 64 << 20 };
/* If a buffer has at least this size in bytes, its contents are not stored, but computed by rules
 * when they are needed. */
static const size_t LATER_BYTES = (size_t)128 << 20;
/* Largest size in bytes of a buffer whose contents are computed at once and stored. */
static const size_t EAGER_BYTES = (size_t)4 << 30;

static size_t find_count(const pm_file_build *b, const pm_file_buffer *buffer, size_t bytes)
{
    const pm_file_text *text = &buffer->count;
    const int64_t value = pm_file_integer(b, &b->numbers, text->text, text->line);

    if (value < 1)
        pm_file_fault(b, text->line, "buffer %s has %lld elements in size %s: at least 1",
                      buffer->name, (long long)value, b->size->name);
    if ((uint64_t)value > PM_TRACE_MOST_TOGETHER / bytes)
        pm_file_fault(b, text->line,
                      "buffer %s has %lld elements of %zu bytes in size %s, which is more than any "
                      "GPU has: make the size smaller",
                      buffer->name, (long long)value, bytes, b->size->name);
    return (size_t)value;
}

/* ---- contents ------------------------------------------------------------------------------ */

static void unknown_field(const pm_file_build *b, const pm_file_buffer *buffer,
                          const pm_file_field *field, const pm_struct *structure)
{
    char list[300] = "";

    for (size_t f = 0; f < structure->field_count; f++)
        pm_list_add(list, sizeof list, "%s", structure->fields[f].path);
    pm_file_fault(b, field->contents.line, "buffer %s: struct %s has no field \"%s\"; it has: %s",
                  buffer->name, structure->name, field->field, list);
}

/* Returns the name of the random stream that fills the buffer: the value of its key `stream`, or
 * else the buffer's name. */
static const char *stream_of(const pm_file_buffer *buffer)
{
    return buffer->stream.text ? buffer->stream.text : buffer->name;
}

/* Destination of the contents of a buffer. base: first byte of the buffer's memory; NULL: contents
 * are not stored. rules: gets the contents as rules; NULL: none. If both are NULL, the contents are
 * only checked for faults. */
typedef struct {
    uint8_t *base;
    pm_fills *rules;
    size_t count; /* elements of the buffer */
} destination;

static void fill_field(const pm_file_build *b, const pm_file_buffer *buffer,
                       const pm_struct *structure, size_t f, const pm_file_text *contents,
                       const destination *to)
{
    const pm_field *field = &structure->fields[f];
    pm_file_target target = {.buffer = buffer->name,
                             .stream = stream_of(buffer),
                             .field = field->path,
                             .rules = to->rules,
                             .elements = to->count,
                             .stride = structure->bytes,
                             .offset = field->offset,
                             .extents = field->extent_count ? field : NULL};

    if (to->base)
        target.base = to->base + field->offset;
    if (pm_file_is_pointer(field->type)) /* pm_file_add_pointers sets pointers later */
        return;
    if (!pm_file_type_find(field->type, &target.type))
        pm_file_fault(b, contents->line, "field %s of struct %s is a %s, which takes no contents",
                      field->path, structure->name, field->type);
    /* use the size from the source: a vector of 3 has the size of 3 scalars in CUDA, but of 4 in
     * OpenCL C */
    target.type.bytes = field->bytes;
    pm_file_fill(b, &target, contents);
}

/* Fills the fields of a struct that have no contents of their own in the file with the contents
 * that the file gives for the whole struct. */
static void fill_all_fields(const pm_file_build *b, const pm_file_buffer *buffer,
                            const pm_struct *structure, const destination *to)
{
    for (size_t f = 0; f < structure->field_count; f++) {
        bool own = false;

        for (size_t i = 0; i < buffer->field_count; i++)
            own |= pm_struct_field(structure, buffer->fields[i].field) == f;
        if (!own)
            fill_field(b, buffer, structure, f, &buffer->contents, to);
    }
}

static void fill_struct(const pm_file_build *b, const pm_file_buffer *buffer,
                        const pm_file_element *e, const destination *to)
{
    const pm_struct *structure = e->structure;
    bool done = true;

    if (buffer->contents.text)
        done =
            pm_file_fill_bytes(b, &buffer->contents, buffer->name, to->base, to->count * e->bytes);
    if (!structure && (!done || buffer->field_count > 0))
        pm_file_fault(
            b, done ? buffer->fields[0].contents.line : buffer->contents.line,
            "buffer %s: the fields of %s are not known (%.300s): only zeros and file PATH are "
            "possible, as contents of the whole",
            buffer->name, buffer->type.text,
            pm_file_left_struct(b) ? pm_file_left_struct(b) : "no kernel takes an array of it");
    if (!done)
        fill_all_fields(b, buffer, structure, to);
    for (size_t i = 0; i < buffer->field_count; i++) {
        const pm_file_field *field = &buffer->fields[i];
        const size_t f = pm_struct_field(structure, field->field);

        if (f == structure->field_count)
            unknown_field(b, buffer, field, structure);
        fill_field(b, buffer, structure, f, &field->contents, to);
    }
}

/* Returns the index of a vector's component by its name x, y, z or w. Returns `width` if the vector
 * has no such component. */
static size_t component_of(const char *name, size_t width)
{
    static const char names[] = "xyzw";
    const char *found = *name ? strchr(names, *name) : NULL;

    return found && !name[1] && (size_t)(found - names) < width ? (size_t)(found - names) : width;
}

/* Fills one component (x, y, z or w) of each vector in the buffer with the contents that the file
 * gives for this component. */
static void fill_component(const pm_file_build *b, const pm_file_buffer *buffer,
                           const pm_file_element *e, const pm_file_field *field,
                           const destination *to)
{
    const size_t component = component_of(field->field, e->type.width);
    const size_t bytes = e->type.scalar->bytes;
    pm_file_target target = {.buffer = buffer->name,
                             .stream = stream_of(buffer),
                             .field = field->field,
                             .type = {e->type.scalar, 1, bytes},
                             .rules = to->rules,
                             .elements = to->count,
                             .stride = e->bytes,
                             .offset = component * bytes};

    if (e->type.width == 1)
        pm_file_fault(b, field->contents.line,
                      "buffer %s is of %s, which has no fields: write contents = ...", buffer->name,
                      buffer->type.text);
    if (component == e->type.width)
        pm_file_fault(b, field->contents.line,
                      "buffer %s is of %s, which has no \"%s\": components are x, y, z and w",
                      buffer->name, buffer->type.text, field->field);
    if (to->base)
        target.base = to->base + component * bytes;
    pm_file_fill(b, &target, &field->contents);
}

static void fill_plain(const pm_file_build *b, const pm_file_buffer *buffer,
                       const pm_file_element *e, const destination *to)
{
    const pm_file_target target = {.buffer = buffer->name,
                                   .stream = stream_of(buffer),
                                   .type = e->type,
                                   .base = to->base,
                                   .rules = to->rules,
                                   .elements = to->count,
                                   .stride = e->bytes};

    if (buffer->contents.text &&
        !pm_file_fill_bytes(b, &buffer->contents, buffer->name, to->base, to->count * e->bytes))
        pm_file_fill(b, &target, &buffer->contents);
    for (size_t i = 0; i < buffer->field_count; i++)
        fill_component(b, buffer, e, &buffer->fields[i], to);
}

/* ---- all buffers --------------------------------------------------------------------------- */

static bool starts_unset(const pm_file_buffer *buffer)
{
    return buffer->field_count == 0 && buffer->contents.text &&
           strcmp(buffer->contents.text, "unset") == 0;
}

/* Returns whether all bytes of the buffer start as 0, or all as 0xFF. No memory for initial
 * contents is needed then. */
static bool starts_plain(const pm_file_buffer *buffer)
{
    if (pm_file_is_pointer(buffer->type.text))
        return true;
    return buffer->field_count == 0 &&
           (!buffer->contents.text || strcmp(buffer->contents.text, "zeros") == 0 ||
            starts_unset(buffer));
}

static void fill(const pm_file_build *b, const pm_file_buffer *buffer, const pm_file_element *e,
                 const destination *to)
{
    if (e->is_struct)
        fill_struct(b, buffer, e, to);
    else
        fill_plain(b, buffer, e, to);
}

/* Returns whether the contents of a buffer are not stored, but computed when they are needed. The
 * buffer must be large, and a rule must give its contents. */
static bool can_wait(const pm_file_buffer *buffer, const pm_file_element *e, size_t bytes)
{
    const pm_struct *structure = e->structure;

    if (bytes < LATER_BYTES || (buffer->contents.text && !pm_file_is_by_rule(&buffer->contents)))
        return false;
    for (size_t i = 0; i < buffer->field_count; i++)
        if (!pm_file_is_by_rule(&buffer->fields[i].contents))
            return false;
    for (size_t f = 0; structure && f < structure->field_count; f++)
        if (structure->fields[f].extent_count > 0)
            return false;
    return true;
}

/* Makes the rules from which a large buffer's contents are computed when they are needed. The
 * workload owns the rules even if an error is raised. */
static void *contents_later(const pm_file_build *b, const pm_file_buffer *buffer,
                            const pm_file_element *e, size_t count)
{
    pm_fills *rules = calloc(1, sizeof *rules);
    void *contents;

    if (!rules)
        pm_leave(b->memory, PM_FAILED, "out of memory");
    rules->element_bytes = e->bytes;
    rules->bytes = count * e->bytes;
    rules->memory = pm_memory_beside(b->memory);
    contents = pm_workload_later(b->workload, rules);
    if (contents)
        fill(b, buffer, e, &(destination){.rules = rules, .count = count});
    return contents;
}

/* Raises an error if the contents of the buffer are too large to be stored. */
static void check_memory(const pm_file_build *b, const pm_file_buffer *buffer, size_t count,
                         size_t bytes)
{
    if (count > EAGER_BYTES / bytes)
        pm_file_fault(b, buffer->contents.text ? buffer->contents.line : buffer->line,
                      "buffer %s has %zu elements of %zu bytes in size %s; contents of this kind "
                      "are kept in memory, which takes up to %zu bytes: use zeros, constant, "
                      "range, each or random, or make the size smaller",
                      buffer->name, count, bytes, b->size->name, EAGER_BYTES);
}

/* Returns memory with the initial contents of a buffer, which the workload owns. */
static void *contents_now(const pm_file_build *b, const pm_file_buffer *buffer,
                          const pm_file_element *e, size_t count)
{
    void *contents = pm_workload_contents(b->workload, count * e->bytes);

    if (contents)
        fill(b, buffer, e, &(destination){.base = contents, .count = count});
    return contents;
}

static void add_buffer(pm_file_build *b, const pm_file_buffer *buffer)
{
    const unsigned flags = (buffer->output || buffer->expected.text ? PM_BUFFER_OUTPUT : 0U) |
                           (buffer->restore ? PM_BUFFER_RESTORE : 0U) |
                           (buffer->scratch ? PM_BUFFER_SCRATCH : 0U) |
                           (starts_unset(buffer) ? PM_BUFFER_POISON : 0U);
    void *contents = NULL;
    char origin[4200];
    size_t count, index;
    pm_file_element e;

    pm_file_find_element(b, buffer, &e);
    count = find_count(b, buffer, e.bytes);
    if (!starts_plain(buffer)) {
        const bool later = can_wait(buffer, &e, count * e.bytes);

        if (!later)
            check_memory(b, buffer, count, e.bytes);
        if (b->dry)
            fill(b, buffer, &e, &(destination){.count = count});
        else
            contents =
                later ? contents_later(b, buffer, &e, count) : contents_now(b, buffer, &e, count);
        if (!contents && !b->dry)
            pm_leave(b->memory, PM_FAILED, "%s", b->workload->error.text);
    }
    pm_sections_place(&b->file->sections, buffer->line, origin, sizeof origin);
    index = pm_workload_buffer(b->workload, buffer->name, count * e.bytes, contents, flags);
    pm_workload_origin(b->workload, index, origin);
}

/* Adds a buffer to the workload whose initial contents launches with contents = yes have computed.
 * Copies them from b->computed, because that workload may be freed before b->workload. */
static void copy_buffer(const pm_file_build *b, size_t buffer)
{
    const pm_buffer *from = &b->computed->buffers[buffer];
    void *contents = NULL;
    size_t index;

    if (from->initial) {
        pm_require(b->memory, pm_workload_write(b->computed, buffer, b->memory->err));
        contents = pm_workload_contents(b->workload, from->bytes);
        if (!contents)
            return;
        memcpy(contents, from->initial, from->bytes);
    }
    index = pm_workload_buffer(b->workload, from->name, from->bytes, contents, from->flags);
    if (contents)
        pm_pointers_clear(&from->pointers, contents);
    if (from->origin)
        pm_workload_origin(b->workload, index, from->origin);
}

/* Adds a symbol to the workload: a __constant__ or __device__ variable of a CUDA source. The file
 * describes its contents like those of a buffer. */
static void add_symbol(pm_file_build *b, const pm_file_buffer *symbol)
{
    uint8_t *contents;
    size_t count;
    pm_file_element e;

    pm_file_find_element(b, symbol, &e);
    if (e.is_pointer)
        pm_file_fault(
            b, symbol->line,
            "symbol %s is a pointer: write a [buffer] section with symbol = %s in place of "
            "this section",
            symbol->name, symbol->name);
    count = find_count(b, symbol, e.bytes);
    if (count > MOST_SYMBOL / e.bytes)
        pm_file_fault(b, symbol->line,
                      "symbol %s has %zu bytes in size %s; up to %d are supported: use a buffer",
                      symbol->name, count * e.bytes, b->size->name, MOST_SYMBOL);
    contents = pm_take(b->memory, count, e.bytes);
    fill(b, symbol, &e, &(destination){.base = contents, .count = count});
    pm_workload_symbol(b->workload, symbol->name, contents, count * e.bytes);
}

/* If buffer i has a key `symbol`, makes it the memory of the CUDA variable with this name. */
static void add_symbol_buffer(const pm_file_build *b, size_t i)
{
    const pm_file_text *symbol = &b->file->buffers[i].symbol;

    for (size_t s = 0; s < b->workload->symbol_count; s++)
        if (strcmp(b->workload->symbols[s].name, symbol->text) == 0)
            pm_file_fault(b, symbol->line,
                          "symbol %.100s has contents twice: one buffer or one [symbol] section "
                          "may give them",
                          symbol->text);
    pm_workload_symbol_buffer(b->workload, symbol->text, i);
}

/* Adds the variables of a CUDA source that sections [symbol NAME] of the file describe. Does
 * nothing for a variant in OpenCL C, which has no such variables. */
void pm_file_add_symbols(pm_file_build *b)
{
    if (b->file->symbol_count > 0 && !b->variant && !pm_is_cuda_launched(b->workload->source_path))
        pm_file_fault(
            b, b->file->symbols[0].line,
            "[symbol %s]: symbols are __constant__ or __device__ variables of CUDA; OpenCL C "
            "takes a __constant argument",
            b->file->symbols[0].name);
    for (size_t i = 0; i < b->file->buffer_count; i++)
        if (b->file->buffers[i].symbol.text && !b->variant &&
            !pm_is_cuda_launched(b->workload->source_path))
            pm_file_fault(b, b->file->buffers[i].symbol.line,
                          "symbol %.100s: symbols are variables of CUDA; OpenCL C takes a "
                          "__constant argument",
                          b->file->buffers[i].symbol.text);
    if (!pm_is_cuda_launched(b->workload->source_path))
        return;
    for (size_t i = 0; i < b->file->symbol_count; i++)
        add_symbol(b, &b->file->symbols[i]);
    for (size_t i = 0; i < b->workload->buffer_count && b->workload->error.status == PM_OK; i++)
        if (b->file->buffers[i].symbol.text)
            add_symbol_buffer(b, i);
}

void pm_file_add_buffers(pm_file_build *b)
{
    const bool all = pm_file_is_reference(b) || pm_file_is_contents(b);
    const size_t count = all ? b->file->buffer_count : b->file->common_count;
    size_t together = 0;

    for (size_t i = 0; i < count; i++) {
        if (b->lender && i < b->lender->buffer_count)
            pm_workload_share(b->workload, b->lender, i);
        else if (b->computed)
            copy_buffer(b, i);
        else
            add_buffer(b, &b->file->buffers[i]);
        if (b->workload->error.status != PM_OK)
            continue;
        together += b->workload->buffers[i].bytes;
        if (together > PM_TRACE_MOST_TOGETHER)
            pm_file_fault(b, b->file->buffers[i].line,
                          "the buffers have more than %zu bytes together in size %s, which is more "
                          "than any GPU has: make the size smaller",
                          PM_TRACE_MOST_TOGETHER, b->size->name);
    }
    for (size_t i = 0; b->computed && i < count && b->workload->error.status == PM_OK; i++)
        if (!b->workload->buffers[i].lender)
            pm_workload_point(b->workload, i, b->computed->buffers[i].pointers.items,
                              b->computed->buffers[i].pointers.count);
    pm_file_add_pointers(b);
}
