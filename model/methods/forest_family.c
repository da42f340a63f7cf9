/* Forests as candidates of a blend: of the time, and of the time over the source's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "model/methods/forest.h"

static void fill(pm_memory *memory, const pm_training *t, const pm_response *r, pm_candidate *c)
{
    pm_forest *forest = pm_forest_grow(memory, t, r->y);
    const size_t *order = pm_forest_order(forest);
    double *value = pm_take(memory, t->n, sizeof *value); /* the responses in ascending order */
    double *reciprocal = pm_take(memory, t->n, sizeof *reciprocal);
    double *weight = pm_take(memory, t->n, sizeof *weight);

    for (size_t k = 0; k < t->n; k++)
        value[k] = r->y[order[k]];
    pm_reciprocals(value, t->n, reciprocal);
    for (size_t i = 0; i < t->n; i++) {
        pm_forest_weigh_train(forest, i, weight);
        c->inner[i] = pm_spread_moved(pm_spread_of(value, weight, reciprocal, t->n), r->offset[i]);
    }
    for (size_t i = 0; i < t->m; i++) {
        pm_forest_weigh_test(forest, i, weight);
        c->outer[i] =
            pm_spread_moved(pm_spread_of(value, weight, reciprocal, t->n), r->offset_test[i]);
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
