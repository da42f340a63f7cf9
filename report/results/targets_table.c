/* Prints predictions for several GPUs in one table. See tables.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/suite/suite.h"
#include "report/results/tables.h"
#include "report/table/table.h"

enum { KEYS = 4 };

/* Names that identify a row of a table of predictions: one kernel, or the total over all kernels
 * of a program if `kernel` is NULL. */
typedef struct {
    const char *program, *variant, *size, *kernel;
} row_key;

typedef struct {
    double predicted_s, lo_s, hi_s;
} times;

static bool is_of(const row_key *key, const char *program, const char *variant, const char *size)
{
    return strcmp(key->program, program) == 0 && strcmp(key->variant, variant) == 0 &&
           strcmp(key->size, size) == 0;
}

static void find_kernel(const pm_predictions *in, const row_key *key, times *out)
{
    for (size_t i = 0; i < in->n; i++) {
        const pm_prediction *p = &in->predictions[i];
        const pm_sample *s = p->sample;

        if (!is_of(key, s->program, s->variant, s->size) || strcmp(s->kernel, key->kernel) != 0)
            continue;
        *out = (times){p->predicted_s, p->lo_s, p->hi_s};
        return;
    }
}

static void find_total(const pm_predictions *in, const row_key *key, times *out)
{
    for (size_t i = 0; i < in->total_count; i++) {
        const pm_predicted_total *t = &in->totals[i];

        if (!is_of(key, t->program, t->variant, t->size))
            continue;
        *out = (times){t->predicted_s, t->lo_s, t->hi_s};
        return;
    }
}

static void put_row(pm_table *t, const row_key *key, pm_predictions *const *of, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        times found = {(double)NAN, (double)NAN, (double)NAN};

        if (key->kernel)
            find_kernel(of[i], key, &found);
        else
            find_total(of[i], key, &found);
        pm_cell_time(t, found.predicted_s, found.lo_s, found.hi_s);
        pm_cell_time_range(t, found.predicted_s, found.lo_s, found.hi_s);
    }
}

static void put_rows(pm_table *t, pm_predictions *const *of, size_t count)
{
    const pm_predictions *first = of[0];

    for (size_t i = 0; i < first->n; i++) {
        const pm_sample *s = first->predictions[i].sample;
        const row_key key = {s->program, s->variant, s->size, s->kernel};

        PM_CELLS(t, key.program, key.variant, key.size, key.kernel);
        put_row(t, &key, of, count);
    }
    for (size_t i = 0; i < first->total_count; i++) {
        const pm_predicted_total *total = &first->totals[i];
        const row_key key = {total->program, total->variant, total->size, NULL};

        if (total->kernels < 2 || pm_suite_find(total->program))
            continue;
        PM_CELLS(t, key.program, key.variant, key.size,
                 pm_words_of("all %zu kernels", total->kernels).s);
        put_row(t, &key, of, count);
    }
}

static void print_basis(const pm_screen *screen, const char *const *targets,
                        pm_predictions *const *of, size_t count)
{
    const char **bases = calloc(count + 1, sizeof *bases);
    pm_widths widths = {.count = 0};

    for (size_t i = 0; bases && i < count; i++) {
        bases[i] = of[i]->basis;
        for (size_t k = 0; k < of[i]->n; k++)
            pm_widths_add(&widths, of[i]->predictions[k].lo_s, of[i]->predictions[k].hi_s);
    }
    if (bases)
        pm_table_basis(screen, &widths, targets, bases, count);
    free(bases);
}

void pm_table_predictions_beside(const pm_screen *screen, const char *const *targets,
                                 pm_predictions *const *of, size_t count)
{
    static const pm_table_column keys[KEYS] = {{.name = "program", .weight = 60},
                                               {.name = "variant", .gap = 2, .weight = 30},
                                               {.name = "size", .gap = 2, .weight = 40},
                                               {.name = "kernel", .gap = 2}};
    pm_table_column *columns = calloc(KEYS + 2 * count, sizeof *columns);
    pm_table t;

    if (!columns) {
        fputs("perfmodel: out of memory for the table\n", stderr);
        return;
    }
    memcpy(columns, keys, sizeof keys);
    for (size_t i = 0; i < count; i++) {
        columns[KEYS + 2 * i] = (pm_table_column){.name = targets[i], .number = true, .gap = 2};
        columns[KEYS + 2 * i + 1] =
            (pm_table_column){.name = "90 %", .number = true, .gap = 1, .weight = 20};
    }
    t = pm_table_open(columns, KEYS + 2 * count, true);
    put_rows(&t, of, count);
    pm_table_print(&t, screen, 0);
    print_basis(screen, targets, of, count);
    pm_table_sources(screen, of[0]);
    free(columns);
}
