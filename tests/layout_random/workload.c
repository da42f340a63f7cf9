/* The Workload of a random program, and the comparison of its outputs with an earlier run's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "gen.h"

/* ---- initial contents -------------------------------------------------------------------------
 */

typedef struct {
    lr_gen *g;
    unsigned char *element;
    size_t n;
} filling;

static void fill_scalar(const filling *f, unsigned char *at, const lr_member *m)
{
    uint64_t bits = lr_random(f->g);
    float number = (float)(bits >> 50) / 8;
    double wide = (double)(bits >> 50) / 8;
    int32_t index = (int32_t)(bits % f->n);

    if (m->role == LR_INDEX)
        memcpy(at, &index, sizeof index);
    else if (m->scalar == LR_FLOAT)
        memcpy(at, &number, sizeof number);
    else if (m->scalar == LR_DOUBLE)
        memcpy(at, &wide, sizeof wide);
    else
        memcpy(at, &bits, lr_scalar_bytes(m->scalar));
}

static void fill_member(void *context, size_t offset, const lr_member *m)
{
    const filling *f = context;

    for (unsigned i = 0; i < m->width; i++)
        fill_scalar(f, f->element + offset + i * lr_scalar_bytes(m->scalar), m);
}

static void *new_elements(lr_gen *g, pm_workload *w, const lr_record *record, size_t n)
{
    unsigned char *elements = pm_workload_contents(w, n * record->bytes);

    for (size_t i = 0; elements && i < n; i++) {
        filling f = {g, elements + i * record->bytes, n};

        memset(f.element, 0xee, record->bytes);
        lr_record_visit(record, 0, fill_member, &f);
    }
    return elements;
}

static void *new_words(lr_gen *g, pm_workload *w, size_t count, size_t below)
{
    uint32_t *words = pm_workload_contents(w, count * 4);

    for (size_t i = 0; words && i < count; i++)
        words[i] = below ? lr_below(g, (unsigned)below) : (uint32_t)lr_random(g);
    return words;
}

static void *new_order(lr_gen *g, pm_workload *w, size_t n)
{
    uint32_t *order = pm_workload_contents(w, n * 4);

    for (size_t i = 0; order && i < n; i++) {
        size_t j = lr_below(g, (unsigned)i + 1);

        order[i] = order[j];
        order[j] = (uint32_t)i;
    }
    return order;
}

/* ---- the check --------------------------------------------------------------------------------
 */

typedef struct {
    const unsigned char *expected, *got;
    const char *buffer;
    size_t element;
    pm_error *err;
    pm_status status;
} comparing;

static void compare_member(void *context, size_t offset, const lr_member *m)
{
    comparing *c = context;
    size_t bytes = m->width * lr_scalar_bytes(m->scalar);

    if (c->status != PM_OK || m->role == LR_RAW ||
        memcmp(c->expected + offset, c->got + offset, bytes) == 0)
        return;
    c->status = pm_fail(
        c->err, PM_FAILED, "%s[%zu], %s (offset %zu) is %02x%02x%02x%02x, not %02x%02x%02x%02x",
        c->buffer, c->element, m->name, offset, c->got[offset], c->got[offset + (bytes > 1)],
        c->got[offset + (bytes > 2) * 2], c->got[offset + (bytes > 3) * 3], c->expected[offset],
        c->expected[offset + (bytes > 1)], c->expected[offset + (bytes > 2) * 2],
        c->expected[offset + (bytes > 3) * 3]);
}

static pm_status compare_elements(const lr_buffer *b, const unsigned char *expected,
                                  const unsigned char *got, size_t n, pm_error *err)
{
    comparing c = {.buffer = b->name, .err = err};

    for (size_t i = 0; i < n && c.status == PM_OK; i++) {
        c.element = i;
        c.expected = expected + i * b->record->bytes;
        c.got = got + i * b->record->bytes;
        lr_record_visit(b->record, 0, compare_member, &c);
    }
    return c.status;
}

static pm_status take_down(const pm_workload *w, lr_outputs *outputs, const void *const *contents)
{
    outputs->count = w->buffer_count;
    outputs->buffers = lr_need(calloc(w->buffer_count, sizeof *outputs->buffers));
    for (size_t b = 0; b < w->buffer_count; b++) {
        if (!contents[b])
            continue;
        outputs->buffers[b] = lr_need(malloc(w->buffers[b].bytes));
        memcpy(outputs->buffers[b], contents[b], w->buffers[b].bytes);
    }
    return PM_OK;
}

static pm_status check(const pm_workload *w, void *context, const void *const *contents,
                       pm_error *err)
{
    lr_outputs *outputs = context;
    const lr_program *p = outputs->program;

    if (!outputs->buffers)
        return take_down(w, outputs, contents);
    for (size_t b = 0; b < p->buffer_count; b++) {
        if (!contents[b])
            return pm_fail(err, PM_FAILED, "%s: its contents are not handed to the check",
                           p->buffers[b].name);
        if (compare_elements(&p->buffers[b], outputs->buffers[b], contents[b], p->n, err) != PM_OK)
            return PM_FAILED;
    }
    for (size_t i = 0; i < p->n; i++) {
        uint32_t expected, got;

        memcpy(&expected, outputs->buffers[p->buffer_count] + i * 4, 4);
        memcpy(&got, (const unsigned char *)contents[p->buffer_count] + i * 4, 4);
        if (expected != got)
            return pm_fail(err, PM_FAILED, "out[%zu] is %08x, not %08x", i, got, expected);
    }
    return PM_OK;
}

void lr_outputs_free(lr_outputs *outputs)
{
    for (size_t i = 0; outputs->buffers && i < outputs->count; i++)
        free(outputs->buffers[i]);
    free(outputs->buffers);
    *outputs = (lr_outputs){.program = outputs->program};
}

/* ---- the Workload -----------------------------------------------------------------------------
 */

static void add_launch(pm_workload *w, const lr_program *p, const lr_launch *launch)
{
    const lr_kernel *k = &p->kernels[launch->kernel];

    pm_workload_launch(w, k->name, 1, &k->items, &k->group);
    for (size_t i = 0; i < k->count; i++) {
        switch (k->params[i].kind) {
        case LR_PARAM_RECORDS:
            pm_workload_arg_buffer(w, launch->buffers[i]);
            break;
        case LR_PARAM_N:
            pm_workload_arg_int(w, (int32_t)p->n);
            break;
        case LR_PARAM_LOCAL:
            pm_workload_arg_local(w, k->group * k->params[i].record->bytes);
            break;
        default: /* out, words, index and order follow the structs */
            pm_workload_arg_buffer(w, p->buffer_count + k->params[i].kind - LR_PARAM_OUT);
        }
    }
}

pm_workload *lr_workload(const lr_program *program, lr_outputs *outputs, pm_error *err)
{
    pm_workload *w = pm_workload_create("random", "aos", "one");
    lr_gen g = {.random = program->seed + 77};
    size_t n = program->n;

    if (!w) {
        pm_fail(err, PM_FAILED, "out of memory");
        return NULL;
    }
    outputs->program = program;
    w->source = lr_need(strdup(program->source));
    w->source_path = lr_need(strdup("random.cl"));
    pm_workload_options(w, "-cl-std=CL1.2 -w -DSTEPS=%u", LR_STEPS);
    for (size_t b = 0; b < program->buffer_count; b++) {
        const lr_buffer *buffer = &program->buffers[b];

        pm_workload_buffer(w, buffer->name, n * buffer->record->bytes,
                           new_elements(&g, w, buffer->record, n),
                           PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE);
    }
    pm_workload_buffer(w, "out", n * 4, NULL, PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE);
    pm_workload_buffer(w, "words", (size_t)LR_WORDS * 4, new_words(&g, w, LR_WORDS, 0),
                       PM_BUFFER_IN);
    pm_workload_buffer(w, "index", n * 4, new_words(&g, w, n, n), PM_BUFFER_IN);
    pm_workload_buffer(w, "order", n * 4, new_order(&g, w, n), PM_BUFFER_IN);
    for (size_t i = 0; i < program->launch_count; i++)
        add_launch(w, program, &program->launches[i]);
    pm_workload_check(w, check, outputs, NULL);
    return pm_workload_finish(w, err);
}
