/* A prediction is the weighted mean of several models of the kernel time (candidates). Adds a model
 * to the list of candidates, and computes the distribution of its residuals. See training.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gsl/gsl_sort.h>
#include <stdio.h>
#include <string.h>

#include "model/training.h"

const pm_response *pm_training_response(const pm_training *t, char letter)
{
    for (size_t k = 0; k < t->responses; k++)
        if (t->response[k].letter[0] == letter)
            return &t->response[k];
    return NULL;
}

pm_candidate *pm_candidates_add(pm_memory *memory, pm_candidates *list, const pm_training *t,
                                const char *family, const char *letter)
{
    pm_candidate *c = &list->candidate[list->n];

    if (list->n == PM_MAX_CANDIDATES)
        pm_leave(memory, PM_FAILED, "a blend of more than %d candidates", PM_MAX_CANDIDATES);
    list->n++;
    snprintf(c->name, sizeof c->name, "%s%s", family, letter);
    c->over_line = letter[0] == 'l';
    c->inner = pm_take(memory, t->n, sizeof *c->inner);
    return c;
}

pm_spread pm_residual_spread(pm_memory *memory, const double *residual, size_t n)
{
    double *sorted = pm_take(memory, n, sizeof *sorted);
    double *reciprocal = pm_take(memory, n, sizeof *reciprocal);

    memcpy(sorted, residual, n * sizeof *sorted);
    gsl_sort(sorted, 1, n);
    pm_reciprocals(sorted, n, reciprocal);
    return pm_spread_of(sorted, NULL, reciprocal, n);
}
