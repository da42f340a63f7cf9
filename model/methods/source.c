/* Model `sd`, one of the models whose predictions are blended: the time of a kernel is its time on
 * the source GPU (another GPU on which it was measured) times one factor for all programs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For two similar devices, this is the most accurate candidate. More complex models mostly learn
 * from a few programs with large residuals, and become worse for all others. The factor minimizes
 * the expected relative error (spread.h), so a few outliers hardly change it. Each program has the
 * same weight. The candidate uses the response `d`.
 */
#include <gsl/gsl_sort.h>

#include "model/training.h"

/* Logarithms of the ratios of target time to source time of the training rows, in ascending
 * order. */
typedef struct {
    const pm_response *over;
    /* ratio[k]: k-th smallest logarithm. reciprocal[k]: exp(-ratio[k]) times a constant
     * (pm_reciprocals). weight[k]: weight of the row to which ratio[k] belongs. All three have n
     * numbers. */
    double *ratio, *reciprocal, *weight;
    /* row[i]: index of the training row to which ratio i belongs */
    size_t *row;
    pm_spread spread;
} scaled;

/* Returns the distribution of the log ratios over all programs except number `without`; t->groups:
 * over all programs. Each program has the same weight. */
static pm_spread spread_without(const scaled *s, const pm_training *t, size_t without)
{
    for (size_t k = 0; k < t->n; k++) {
        const size_t group = t->group[s->row[k]];

        s->weight[k] = group == without ? 0 : 1 / (double)(t->start[group + 1] - t->start[group]);
    }
    return pm_spread_of(s->ratio, s->weight, s->reciprocal, t->n);
}

static void *fit(pm_memory *memory, const pm_training *t, pm_candidates *list)
{
    scaled *s = pm_take(memory, 1, sizeof *s);
    pm_candidate *c;

    s->over = pm_training_response(t, 'd');
    if (!s->over || t->groups < 2)
        return s;
    s->ratio = pm_take(memory, t->n, sizeof *s->ratio);
    s->reciprocal = pm_take(memory, t->n, sizeof *s->reciprocal);
    s->weight = pm_take(memory, t->n, sizeof *s->weight);
    s->row = pm_take(memory, t->n, sizeof *s->row);
    gsl_sort_index(s->row, s->over->y, 1, t->n);
    for (size_t k = 0; k < t->n; k++)
        s->ratio[k] = s->over->y[s->row[k]];
    pm_reciprocals(s->ratio, t->n, s->reciprocal);
    c = pm_candidates_add(memory, list, t, "s", s->over->letter);
    c->simple = true;
    for (size_t group = 0; group < t->groups; group++) {
        const pm_spread unseen = spread_without(s, t, group);

        for (size_t i = t->start[group]; i < t->start[group + 1]; i++)
            c->inner[i] = pm_spread_moved(unseen, s->over->offset[i]);
    }
    s->spread = spread_without(s, t, t->groups);
    return s;
}

static void predict(pm_memory *memory, const pm_training *t, const void *model, pm_candidates *list)
{
    const scaled *s = model;
    const pm_response *over = pm_training_response(t, 'd');

    (void)memory;
    for (size_t i = 0; list->n > 0 && list->candidate[0].outer && i < t->m; i++)
        list->candidate[0].outer[i] = pm_spread_moved(s->spread, over->offset_test[i]);
}

const pm_family pm_source_family = {.fit = fit, .predict = predict};
