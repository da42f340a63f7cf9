/* The buffers of random kernels, with random contents.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "structs.h"

typedef struct {
    rd_gen *g;
    unsigned char *element;
    bool *counts;
} filling;

static void fill_member(void *context, size_t offset, const lr_member *m)
{
    const filling *f = context;
    size_t bytes = lr_scalar_bytes(m->scalar);

    for (unsigned i = 0; i < m->width; i++) {
        uint64_t bits = rd_random(f->g);
        float number = (float)(bits >> 50) / 8;
        double wide = (double)(bits >> 50) / 8;
        int32_t index = (int32_t)(bits % f->g->layout->shape->n);

        memcpy(f->element + offset + i * bytes,
               m->role == LR_INDEX      ? (void *)&index
               : m->scalar == LR_FLOAT  ? (void *)&number
               : m->scalar == LR_DOUBLE ? (void *)&wide
                                        : (void *)&bits,
               bytes);
    }
    memset(f->counts + offset, m->role != LR_RAW, bytes * m->width);
}

static void add_records(rd_gen *g, const lr_record *record, unsigned number)
{
    rd_program *p = g->program;
    size_t n = g->layout->shape->n;
    filling f = {g, rd_program_memory(p, n * record->bytes), rd_program_memory(p, record->bytes)};

    p->buffers[p->buffer_count++] = (rd_buffer){.name = rd_format(g, "%s%u", record->name, number),
                                                .bytes = n * record->bytes,
                                                .contents = f.element,
                                                .written = true,
                                                .counts = f.counts,
                                                .element = record->bytes};
    memset(f.element, 0xee, n * record->bytes);
    for (size_t i = 0; i < n; i++, f.element += record->bytes)
        lr_record_visit(record, 0, fill_member, &f);
}

typedef enum { GIVEN, OUT, ORDER } number_kind;

/* Fills a buffer with numbers below a limit (0: any). If the numbers are an order, fills it with a
 * permutation. */
static void add_numbers(rd_gen *g, number_kind kind, const char *name, size_t count, size_t below)
{
    rd_program *p = g->program;
    uint32_t *numbers = rd_program_memory(p, count * 4);

    p->buffers[p->buffer_count++] = (rd_buffer){.name = name,
                                                .bytes = count * 4,
                                                .contents = kind == OUT ? NULL : numbers,
                                                .written = kind == OUT,
                                                .element = 4};
    for (size_t i = 0; i < count; i++) {
        size_t j = rd_below(g, (unsigned)i + 1);

        numbers[i] = below ? rd_below(g, (unsigned)below) : (uint32_t)rd_random(g);
        if (kind == ORDER) {
            numbers[i] = numbers[j];
            numbers[j] = (uint32_t)i;
        }
    }
}

size_t lr_buffers(rd_gen *g, const lr_record **records)
{
    const struct lr_shape *shape = g->layout->shape;
    size_t count = 0;

    for (size_t r = 0; r < shape->record_count; r++)
        for (unsigned i = 0; shape->records[r].top && i < 3; i++) {
            records[count++] = &shape->records[r];
            add_records(g, &shape->records[r], i);
        }
    add_numbers(g, OUT, "out", shape->n, 0);
    add_numbers(g, GIVEN, "words", LR_WORDS, 0);
    add_numbers(g, GIVEN, "index", shape->n, shape->n);
    add_numbers(g, ORDER, "order", shape->n, shape->n);
    return count;
}
