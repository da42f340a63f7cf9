/* Summarizes prediction errors by program. See program_errors.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/figures/program_errors.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strings.h"

/* The samples of a validation, grouped by program. The samples of program k have the indices
 * sample[end[k - 1]] to sample[end[k] - 1] (from sample[0] for k = 0), in the order of the
 * validation. */
typedef struct {
    const pm_validation *v;
    size_t programs;
    pm_hash_index index;
    /* first[k]: index of the first sample (kernel with predicted and measured time) of program k.
     * Programs are numbered in the order in which they first occur. */
    size_t *first;
    /* number[i]: number of the program to which sample i (a kernel with predicted and measured
     * time) belongs */
    size_t *number;
    size_t *end, *sample;
    double *errors; /* buffer for the relative errors of one program */
} grouped;

typedef struct {
    const grouped *g;
    const char *program;
} wanted;

static bool is_program(const void *key, size_t number)
{
    const wanted *w = key;

    return strcmp(w->g->v->samples[w->g->first[number]].sample->program, w->program) == 0;
}

/* Returns the number of the program to which sample i (a kernel with predicted and measured time)
 * belongs. A program that was not seen before gets the next number. PM_NO_ENTRY: out of memory. */
static size_t number_of(grouped *g, size_t i)
{
    const char *program = g->v->samples[i].sample->program;
    uint64_t hash = pm_hash_text(program);
    size_t number = pm_hash_index_find(&g->index, hash, is_program, &(const wanted){g, program});

    if (number != PM_NO_ENTRY)
        return number;
    g->first[g->programs] = i;
    return pm_hash_index_add(&g->index, hash, g->programs) ? g->programs++ : PM_NO_ENTRY;
}

static bool group_samples(grouped *g)
{
    for (size_t i = 0; i < g->v->n; i++) {
        g->number[i] = number_of(g, i);
        if (g->number[i] == PM_NO_ENTRY)
            return false;
        g->end[g->number[i] + 1]++;
    }
    for (size_t k = 0; k < g->programs; k++)
        g->end[k + 1] += g->end[k];
    for (size_t i = 0; i < g->v->n; i++)
        g->sample[g->end[g->number[i]]++] = i;
    return true;
}

static pm_program_error error_of(const grouped *g, size_t program)
{
    pm_program_error e = {.program = g->v->samples[g->first[program]].sample->program,
                          .lo = INFINITY};
    double log_sum = 0;

    for (size_t k = program ? g->end[program - 1] : 0; k < g->end[program]; k++) {
        const pm_prediction *p = &g->v->samples[g->sample[k]];
        double ratio = p->predicted_s / p->measured_s;

        if (!(ratio > 0) || !isfinite(ratio))
            continue;
        g->errors[e.n++] = fabs(ratio - 1);
        log_sum += log(ratio);
        e.lo = fmin(e.lo, ratio);
        e.hi = fmax(e.hi, ratio);
    }
    if (e.n == 0)
        return e;
    gsl_sort(g->errors, 1, e.n);
    e.ratio = exp(log_sum / (double)e.n);
    e.mean = gsl_stats_mean(g->errors, 1, e.n);
    e.median = gsl_stats_median_from_sorted_data(g->errors, 1, e.n);
    e.largest = g->errors[e.n - 1];
    return e;
}

pm_program_error *pm_program_errors(const pm_validation *v, size_t *count)
{
    pm_program_error *list = calloc(v->n + 1, sizeof *list);
    size_t *numbers = calloc(v->n + 1, 4 * sizeof *numbers);
    double *errors = calloc(v->n + 1, sizeof *errors);
    grouped g = {.v = v, .first = numbers, .errors = errors};
    bool sound = list && numbers && errors;

    *count = 0;
    if (sound) {
        g.number = numbers + v->n + 1;
        g.end = numbers + 2 * (v->n + 1);
        g.sample = numbers + 3 * (v->n + 1);
        sound = group_samples(&g);
    }
    for (size_t k = 0; sound && k < g.programs; k++) {
        list[*count] = error_of(&g, k);
        *count += list[*count].n > 0;
    }
    pm_hash_index_clear(&g.index);
    free(numbers);
    free(errors);
    if (sound)
        return list;
    free(list);
    return NULL;
}
