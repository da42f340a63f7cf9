/* Forests as candidates of a blend: of the time, and of the time over the source's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/methods/forest.h"

typedef struct {
    size_t n;
    double *value;      /* the responses in ascending order */
    double *reciprocal; /* exp(-value), relative to the first */
    double *weight;
} samples;

static samples samples_of(pm_memory *memory, const pm_forest *forest, const double *y, size_t n)
{
    const size_t *order = pm_forest_order(forest);
    samples s = {.n = n,
                 .value = pm_take(memory, n, sizeof *s.value),
                 .reciprocal = pm_take(memory, n, sizeof *s.reciprocal),
                 .weight = pm_take(memory, n, sizeof *s.weight)};

    for (size_t k = 0; k < n; k++) {
        s.value[k] = y[order[k]];
        s.reciprocal[k] = exp(s.value[0] - s.value[k]);
    }
    return s;
}

static double quantile(const samples *s, double q)
{
    pm_between_samples place = pm_quantile_place(s->weight, s->n, q);

    return pm_place_between(place, s->value[place.below], s->value[place.above]);
}

static pm_spread spread_of(const samples *s, double offset)
{
    return (pm_spread){.point = offset + s->value[pm_tilt(s->weight, s->reciprocal, s->n)],
                       .lo = offset + quantile(s, 0.05),
                       .hi = offset + quantile(s, 0.95)};
}

static void fill(pm_memory *memory, const pm_training *t, const pm_response *r, pm_candidate *c)
{
    pm_forest *forest = pm_forest_grow(memory, t, r->y);
    samples s = samples_of(memory, forest, r->y, t->n);

    for (size_t i = 0; i < t->n; i++) {
        pm_forest_weigh_train(forest, i, s.weight);
        c->inner[i] = spread_of(&s, r->offset[i]);
    }
    for (size_t i = 0; i < t->m; i++) {
        pm_forest_weigh_test(forest, i, s.weight);
        c->outer[i] = spread_of(&s, r->offset_test[i]);
    }
}

void pm_forest_family(pm_memory *memory, const pm_training *t, pm_candidates *list)
{
    for (size_t k = 0; k < t->responses; k++) {
        const pm_response *r = &t->response[k];

        if (strcmp(r->letter, "o") != 0)
            fill(memory, t, r, pm_candidates_add(memory, list, t, "rf", r->letter));
    }
}
