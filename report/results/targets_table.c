/* What is predicted for several GPUs, side by side. See tables.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "report/results/tables.h"
#include "report/table/table.h"
#include "suite/suite.h"

enum { KEYS = 4 };

/* What a row is of; kernel is NULL for all kernels of a program together. */
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

static bool find_kernel(const pm_predictions *in, const row_key *key, times *out)
{
    for (size_t i = 0; i < in->n; i++) {
        const pm_prediction *p = &in->predictions[i];
        const pm_sample *s = p->sample;

        if (!is_of(key, s->program, s->variant, s->size) || strcmp(s->kernel, key->kernel) != 0)
            continue;
        *out = (times){p->predicted_s, p->lo_s, p->hi_s};
        return true;
    }
    return false;
}

static bool find_total(const pm_predictions *in, const row_key *key, times *out)
{
    for (size_t i = 0; i < in->total_count; i++) {
        const pm_predicted_total *t = &in->totals[i];

        if (!is_of(key, t->program, t->variant, t->size))
            continue;
        *out = (times){t->predicted_s, t->lo_s, t->hi_s};
        return true;
    }
    return false;
}

static void put_row(pm_table *t, const row_key *key, pm_predictions *const *of, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        times found;

        if (key->kernel ? find_kernel(of[i], key, &found) : find_total(of[i], key, &found))
            pm_cell_put(t, "%s (%s..%s)", pm_short_time(found.predicted_s).s,
                        pm_short_time(found.lo_s).s, pm_short_time(found.hi_s).s);
        else
            pm_cell_put(t, "-");
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

void pm_table_predictions_beside(FILE *out, const char *const *targets, pm_predictions *const *of,
                                 size_t count)
{
    static const pm_table_column keys[KEYS] = {{"program", false, 0, 0},
                                               {"variant", false, 0, 2},
                                               {"size", false, 0, 2},
                                               {"kernel", false, 0, 2}};
    pm_table_column *columns = calloc(KEYS + count, sizeof *columns);
    pm_table t;

    if (!columns) {
        fputs("perfmodel: out of memory for the table\n", stderr);
        return;
    }
    memcpy(columns, keys, sizeof keys);
    for (size_t i = 0; i < count; i++)
        columns[KEYS + i] = (pm_table_column){targets[i], false, 0, 2};
    t = pm_table_open(columns, KEYS + count, true);
    put_rows(&t, of, count);
    pm_table_print(&t, out, 0, false);
    for (size_t i = 0; i < count; i++)
        pm_table_basis(out, targets[i], of[i]);
    free(columns);
}
