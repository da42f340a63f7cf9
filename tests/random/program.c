/* Makes the workload (launches and data) of a random program. See program.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "gen.h"

struct rd_chunk {
    struct rd_chunk *next;
    max_align_t memory[];
};

rd_program *rd_program_create(uint64_t seed, rd_language language)
{
    rd_program *program = rd_need(calloc(1, sizeof *program));

    program->seed = seed;
    program->language = language;
    program->options = rd_language_of(language)->source_options;
    return program;
}

void *rd_program_memory(rd_program *program, size_t bytes)
{
    struct rd_chunk *chunk = rd_need(calloc(1, sizeof *chunk + bytes));

    chunk->next = program->chunks;
    program->chunks = chunk;
    return chunk->memory;
}

void rd_program_free(rd_program *program)
{
    while (program && program->chunks) {
        struct rd_chunk *next = program->chunks->next;

        free(program->chunks);
        program->chunks = next;
    }
    free(program);
}

/* ---- the check ------------------------------------------------------------------------------ */

typedef struct {
    const rd_program *program;
    rd_outputs *outputs;
} checking;

static pm_status compare(const rd_buffer *b, const unsigned char *expected,
                         const unsigned char *got, pm_error *err)
{
    for (size_t i = 0; i < b->bytes; i++)
        if (expected[i] != got[i] && (!b->counts || b->counts[i % b->element]))
            return pm_fail(err, PM_FAILED, "%s: byte %zu of element %zu is %02x, not %02x", b->name,
                           i % b->element, i / b->element, got[i], expected[i]);
    return PM_OK;
}

static pm_status check(const pm_workload *w, const void *const *contents, pm_error *err)
{
    const checking *c = w->check_context;
    pm_status status = PM_OK;

    (void)w;
    for (size_t b = 0; b < c->program->buffer_count && status == PM_OK; b++) {
        const rd_buffer *buffer = &c->program->buffers[b];

        if (!buffer->written)
            continue;
        if (!contents[b])
            return pm_fail(err, PM_FAILED, "%s: is no output any more", buffer->name);
        if (c->outputs->taken) {
            status = compare(buffer, c->outputs->buffers[b], contents[b], err);
            continue;
        }
        c->outputs->buffers[b] = rd_need(malloc(buffer->bytes));
        memcpy(c->outputs->buffers[b], contents[b], buffer->bytes);
    }
    c->outputs->taken = true;
    return status;
}

void rd_outputs_free(rd_outputs *outputs)
{
    for (size_t b = 0; b < RD_BUFFERS; b++)
        free(outputs->buffers[b]);
    *outputs = (rd_outputs){0};
}

/* ---- making the Workload -------------------------------------------------------------------- */

static void add_launch(pm_workload *w, const rd_launch *launch)
{
    pm_workload_launch(w, launch->kernel, launch->dimensions, launch->global, launch->local);
    pm_workload_offset(w, launch->offset);
    for (size_t i = 0; i < launch->arg_count; i++) {
        int64_t value = launch->args[i].value;

        switch (launch->args[i].kind) {
        case RD_ARG_BUFFER:
            pm_workload_arg_buffer(w, (size_t)value);
            break;
        case RD_ARG_INT:
            pm_workload_arg_int(w, (int32_t)value);
            break;
        case RD_ARG_ULONG:
            pm_workload_arg_ulong(w, (uint64_t)value);
            break;
        case RD_ARG_LOCAL:
            pm_workload_arg_local(w, (size_t)value);
            break;
        }
    }
}

pm_workload *rd_workload(const rd_program *program, rd_outputs *outputs, pm_error *err)
{
    pm_workload *w = rd_need(pm_workload_create("random", "", "1"));
    checking *c = rd_need(malloc(sizeof *c));

    *c = (checking){program, outputs};
    w->source = rd_need(strdup(program->source));
    w->source_path = rd_need(strdup(rd_language_of(program->language)->path));
    pm_workload_options(w, "%s", program->options);
    for (size_t b = 0; b < program->buffer_count; b++) {
        const rd_buffer *buffer = &program->buffers[b];
        void *contents = buffer->contents ? pm_workload_contents(w, buffer->bytes) : NULL;

        if (contents)
            memcpy(contents, buffer->contents, buffer->bytes);
        pm_workload_buffer(w, buffer->name, buffer->bytes, contents,
                           buffer->written ? PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE : PM_BUFFER_IN);
    }
    for (size_t l = 0; l < program->launch_count; l++)
        add_launch(w, &program->launches[l]);
    pm_workload_check(w, check, c, free);
    return pm_workload_finish(w, err);
}
