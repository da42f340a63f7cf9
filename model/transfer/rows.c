/* Chooses the measured kernels (samples) of a GPU from which the units model (times of a GPU's
 * functional units) learns. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/transfer/parts.h"

/* A measured kernel (sample) that may become a training row. */
typedef struct {
    size_t gpu;
    const pm_dataset *dataset;
    const pm_sample *traced;
    const char *program;
    double time_s;
} found;

typedef struct {
    size_t count;
    found *items;
} found_list;

/* Comparison function for qsort: orders rows of datasets by program, then GPU, then time. */
static int by_program(const void *a, const void *b)
{
    const found *x = a, *y = b;
    int order = strcmp(x->program, y->program);

    if (order != 0)
        return order;
    if (x->gpu != y->gpu)
        return x->gpu < y->gpu ? -1 : 1;
    if (x->time_s != y->time_s)
        return x->time_s < y->time_s ? -1 : 1;
    return (x->traced > y->traced) - (x->traced < y->traced);
}

static found_list find_samples(pm_memory *memory, const pm_known_gpu *gpus, size_t count)
{
    found_list list = {0};

    for (size_t g = 0; g < count; g++)
        for (size_t i = 0; i < pm_dataset_rows(gpus[g].traced); i++) {
            const pm_sample *traced = pm_dataset_sample(gpus[g].traced, i);
            const pm_sample *measured = pm_known_measured(&gpus[g], traced);

            if (measured && pm_dataset_find(gpus[g].traced, traced) == traced)
                *pm_add(memory, list.items, list.count) =
                    (found){g, gpus[g].traced, traced, pm_twin_name(memory, traced->program),
                            measured->time_s};
        }
    if (list.count > 0)
        qsort(list.items, list.count, sizeof *list.items, by_program);
    return list;
}

/* Reduces the list to at most PM_TRANSFER_MOST rows of each program on each GPU, evenly spaced in
 * sorted times. */
static void thin(found_list *list)
{
    size_t kept = 0;

    for (size_t first = 0, end; first < list->count; first = end) {
        size_t take;

        for (end = first + 1; end < list->count; end++)
            if (list->items[end].gpu != list->items[first].gpu ||
                strcmp(list->items[end].program, list->items[first].program) != 0)
                break;
        take = end - first < PM_TRANSFER_MOST ? end - first : PM_TRANSFER_MOST;
        for (size_t k = 0; k < take; k++)
            list->items[kept++] =
                list->items[first + (take > 1 ? k * (end - first - 1) / (take - 1) : 0)];
    }
    list->count = kept;
}

/* Makes training rows of the samples whose counters are known (usable), with a group for each
 * program. */
static void group(pm_memory *memory, const found_list *list, const bool *usable,
                  const pm_classes *classes, pm_transfer_rows *rows)
{
    size_t n = 0, groups = 0;
    size_t *row = pm_take(memory, list->count, sizeof *row);
    size_t *start = pm_take(memory, list->count + 1, sizeof *start);
    size_t *of = pm_take(memory, list->count, sizeof *of);
    double *log_time = pm_take(memory, list->count, sizeof *log_time);

    rows->program = pm_take(memory, list->count, sizeof *rows->program);
    for (size_t i = 0; i < list->count; i++) {
        const found *item = &list->items[i];

        if (!usable[i])
            continue;
        if (groups == 0 || strcmp(rows->program[groups - 1], item->program) != 0)
            rows->program[groups++] = item->program;
        row[n] = i;
        of[n] = groups - 1;
        log_time[n++] = log(item->time_s);
        start[groups] = n;
    }
    rows->of = (pm_units_rows){
        .n = n, .groups = groups, .row = row, .start = start, .group = of, .log_time = log_time};
    rows->class = pm_take(memory, groups, sizeof *rows->class);
    for (size_t g = 0; g < groups; g++)
        rows->class[g] = pm_class_of(classes, rows->program[g]);
}

void pm_transfer_rows_fill(pm_memory *memory, pm_transfer_rows *rows, const pm_known_gpu *gpus,
                           size_t count, const pm_classes *classes)
{
    found_list list = find_samples(memory, gpus, count);
    pm_units_sample *samples;
    bool *usable;

    thin(&list);
    samples = pm_take(memory, list.count, sizeof *samples);
    usable = pm_take(memory, list.count, sizeof *usable);
    for (size_t i = 0; i < list.count; i++)
        samples[i] = (pm_units_sample){list.items[i].dataset, list.items[i].traced,
                                       &gpus[list.items[i].gpu].profile};
    rows->units = pm_units_of_samples(memory, samples, list.count, usable);
    group(memory, &list, usable, classes, rows);
}
