/* The samples that a carried model learns from. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/transfer/parts.h"

/* A sample that could be learned from. */
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

void pm_transfer_rows_free(pm_transfer_rows *rows)
{
    pm_units_free(rows->units);
    free(rows->sample);
    free(rows->row);
    free(rows->start);
    free(rows->group);
    free(rows->log_time);
    free(rows->program);
    *rows = (pm_transfer_rows){0};
}

size_t pm_transfer_group(const pm_transfer_rows *rows, const char *program)
{
    size_t g = 0;

    while (g < rows->groups && strcmp(rows->program[g], program) != 0)
        g++;
    return g;
}

pm_units_rows pm_transfer_view(const pm_transfer_rows *rows)
{
    return (pm_units_rows){rows->n,     rows->groups, rows->row,
                           rows->start, rows->group,  rows->log_time};
}

/* By program, then GPU, then time. */
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

static pm_status find_samples(const pm_known_gpu *gpus, size_t count, found_list *list,
                              pm_error *err)
{
    size_t room = 1;

    for (size_t g = 0; g < count; g++)
        room += pm_dataset_rows(gpus[g].traced);
    *list = (found_list){0, calloc(room, sizeof *list->items)};
    if (!list->items)
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", room);
    for (size_t g = 0; g < count; g++)
        for (size_t i = 0; i < pm_dataset_rows(gpus[g].traced); i++) {
            const pm_sample *traced = pm_dataset_sample(gpus[g].traced, i);
            const pm_sample *measured = pm_known_measured(&gpus[g], traced);

            if (measured && pm_dataset_find(gpus[g].traced, traced) == traced)
                list->items[list->count++] =
                    (found){g, gpus[g].traced, traced, traced->program, measured->time_s};
        }
    qsort(list->items, list->count, sizeof *list->items, by_program);
    return PM_OK;
}

/* Thins each run of samples of one program on one GPU. */
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

static pm_status allocate(pm_transfer_rows *rows, size_t n, pm_error *err)
{
    rows->sample = calloc(n + 1, sizeof *rows->sample);
    rows->row = calloc(n + 1, sizeof *rows->row);
    rows->start = calloc(n + 2, sizeof *rows->start);
    rows->group = calloc(n + 1, sizeof *rows->group);
    rows->log_time = calloc(n + 1, sizeof *rows->log_time);
    rows->program = calloc(n + 1, sizeof *rows->program);
    if (!rows->sample || !rows->row || !rows->start || !rows->group || !rows->log_time ||
        !rows->program)
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", n);
    return PM_OK;
}

static void add_row(pm_transfer_rows *rows, const found *item, const pm_known_gpu *gpus, size_t row)
{
    size_t i = rows->n++;

    if (rows->groups == 0 || strcmp(rows->program[rows->groups - 1], item->program) != 0) {
        rows->program[rows->groups] = item->program;
        rows->start[rows->groups++] = i;
    }
    rows->sample[i] = (pm_units_sample){item->dataset, item->traced, &gpus[item->gpu].profile};
    rows->row[i] = row;
    rows->group[i] = rows->groups - 1;
    rows->log_time[i] = log(item->time_s);
    rows->start[rows->groups] = rows->n;
}

pm_status pm_transfer_rows_fill(pm_transfer_rows *rows, const pm_known_gpu *gpus, size_t count,
                                pm_error *err)
{
    found_list list = {0};
    pm_units_sample *samples = NULL;
    bool *usable = NULL;
    pm_status status = find_samples(gpus, count, &list, err);

    *rows = (pm_transfer_rows){0};
    if (status == PM_OK) {
        thin(&list);
        samples = calloc(list.count + 1, sizeof *samples);
        usable = calloc(list.count + 1, sizeof *usable);
        status = samples && usable
                     ? allocate(rows, list.count, err)
                     : pm_fail(err, PM_FAILED, "out of memory for %zu rows", list.count);
    }
    for (size_t i = 0; status == PM_OK && i < list.count; i++)
        samples[i] = (pm_units_sample){list.items[i].dataset, list.items[i].traced,
                                       &gpus[list.items[i].gpu].profile};
    if (status == PM_OK)
        status = pm_units_of_samples(samples, list.count, &rows->units, usable, err);
    for (size_t i = 0; status == PM_OK && i < list.count; i++)
        if (usable[i])
            add_row(rows, &list.items[i], gpus, i);
    free(usable);
    free(samples);
    free(list.items);
    if (status != PM_OK)
        pm_transfer_rows_free(rows);
    return status;
}
