/* Forests as candidates of a blend: of the time, and of the time over the source's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "forest.h"

typedef struct {
    size_t n;
    double *value;      /* the responses in ascending order */
    double *reciprocal; /* exp(-value), relative to the first */
    double *weight;
} samples;

static pm_status prepare(samples *s, const pm_forest *forest, const double *y, size_t n,
                         pm_error *err)
{
    const size_t *order = pm_forest_order(forest);

    *s = (samples){.n = n,
                   .value = calloc(n, sizeof *s->value),
                   .reciprocal = calloc(n, sizeof *s->reciprocal),
                   .weight = calloc(n, sizeof *s->weight)};
    if (!s->value || !s->reciprocal || !s->weight)
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", n);
    for (size_t k = 0; k < n; k++) {
        s->value[k] = y[order[k]];
        s->reciprocal[k] = exp(s->value[0] - s->value[k]);
    }
    return PM_OK;
}

static void release(samples *s)
{
    free(s->value);
    free(s->reciprocal);
    free(s->weight);
}

static double quantile(const samples *s, double q)
{
    pm_place place = pm_quantile_place(s->weight, s->n, q);

    return pm_place_between(place, s->value[place.below], s->value[place.above]);
}

static pm_spread spread_of(const samples *s, double offset)
{
    return (pm_spread){.point = offset + s->value[pm_tilt(s->weight, s->reciprocal, s->n)],
                       .lo = offset + quantile(s, 0.05),
                       .hi = offset + quantile(s, 0.95)};
}

static pm_status fill(const pm_training *t, const pm_response *r, pm_candidate *c, pm_error *err)
{
    pm_forest *forest = pm_forest_grow(t, r->y, err);
    samples s = {0};
    pm_status status = forest ? prepare(&s, forest, r->y, t->n, err) : PM_FAILED;

    for (size_t i = 0; status == PM_OK && i < t->n; i++) {
        pm_forest_weigh_train(forest, i, s.weight);
        c->inner[i] = spread_of(&s, r->offset[i]);
    }
    for (size_t i = 0; status == PM_OK && i < t->m; i++) {
        pm_forest_weigh_test(forest, i, s.weight);
        c->outer[i] = spread_of(&s, r->offset_test[i]);
    }
    release(&s);
    pm_forest_free(forest);
    return status;
}

pm_status pm_forest_family(const pm_training *t, pm_candidates *list, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t k = 0; status == PM_OK && k < t->responses; k++) {
        const pm_response *r = &t->response[k];
        pm_candidate *c;

        if (strcmp(r->letter, "o") == 0)
            continue;
        c = pm_candidates_add(list, t, "rf", r->letter, err);
        status = c ? fill(t, r, c, err) : PM_FAILED;
    }
    return status;
}
