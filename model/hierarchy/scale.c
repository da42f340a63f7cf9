/* Estimates how much larger the prediction errors of a program on a GPU are than the model expects,
 * as a squared factor. See hierarchy.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each GPU g that the program was timed on is left out in turn and predicted from the others. r is
 * the vector of the program's residuals on all GPUs, and A is the inverse of its covariance matrix.
 * The prediction error on g is (A_gg)^-1 (A r)_g, and its covariance is (A_gg)^-1. Source:
 * Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006, 5.4.2, with blocks in
 * place of rows. The squared scale on g is the mean of error^2 / expected variance.
 *
 * The result is a weighted mean of the squared scales of all GPUs g. The weight of g is the
 * expected ratio of a kernel's residual on the target GPU to its residual on g, from 0 to 1
 * (kept.c). The mean also includes the value 1 with weight 1, as prior. So large errors on one
 * maker's GPUs say little about another maker's.
 */
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>

#include "base/gsl.h"
#include "model/hierarchy/parts.h"

typedef struct {
    const pm_hierarchy *h;
    const pm_effect_factored *known;
    pm_memory *memory;
    size_t *of;
} leaving;

/* Writes to l->of the indices a of the residuals in l->known that were measured on the GPU. Returns
 * their number. */
static size_t rows_of(const leaving *l, size_t gpu)
{
    size_t n = 0;

    for (size_t a = 0; a < l->known->n; a++)
        if (l->h->rows->of[l->known->row[a]].gpu == gpu)
            l->of[n++] = a;
    return n;
}

/* Returns the mean of error^2 / expected variance over the n residuals in l->of, which were
 * measured on one GPU. The error is that of a prediction from the other GPUs. Returns 1 if the
 * errors' covariance matrix is singular. */
static double off_by(leaving *l, size_t n)
{
    gsl_matrix *own = pm_take_matrix(l->memory, n, n);
    gsl_vector *error = pm_take_vector(l->memory, n);
    double sum = 0;

    for (size_t a = 0; a < n; a++) {
        for (size_t b = 0; b < n; b++)
            gsl_matrix_set(own, a, b, gsl_matrix_get(l->known->inverse, l->of[a], l->of[b]));
        gsl_vector_set(error, a, gsl_vector_get(l->known->weighted, l->of[a]));
    }
    if (gsl_linalg_cholesky_decomp1(own) != GSL_SUCCESS)
        return 1;
    gsl_linalg_cholesky_svx(own, error);
    gsl_linalg_cholesky_invert(own);
    for (size_t a = 0; a < n; a++) {
        const size_t row = l->of[a];
        const double wider = l->known->taken[row] - l->known->expected[row];
        const double least = l->h->effects.row[l->h->rows->of[l->known->row[row]].source];
        const double expected = fmax(gsl_matrix_get(own, a, a) - wider, least);

        sum += gsl_vector_get(error, a) * gsl_vector_get(error, a) / expected;
    }
    return sum / (double)n;
}

double pm_effect_scale(const pm_hierarchy *h, const pm_effect_factored *known,
                       const pm_profile *gpu, double *freedom, pm_memory *scratch)
{
    leaving l = {.h = h, .known = known, .memory = scratch};
    double sum = 1;

    *freedom = 1;
    l.of = pm_take(scratch, known->n, sizeof *l.of);
    for (size_t g = 0; g < h->rows->gpus; g++) {
        const size_t n = rows_of(&l, g);
        const double share = h->kept.share[pm_kinship_of(h->rows->profile[g], gpu)];

        if (n == 0 || share == 0)
            continue;
        if (isnan(known->off[g]))
            known->off[g] = off_by(&l, n);
        sum += share * known->off[g];
        *freedom += share;
    }
    return sum / *freedom;
}
