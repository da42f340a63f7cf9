/* Factored kernel matrices. See gram.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "gram.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"

void pm_gram_free(pm_gram *gram)
{
    if (!gram)
        return;
    gsl_matrix_free(gram->root);
    free(gram->left_out);
    free(gram->variance);
    free(gram);
}

/* (K^-1)_BB = (L^-1)_B' (L^-1)_B over the rows begin ... n of L^-1, whose columns before `begin`
 * end above them. The b x b result's lower triangle. */
static void inverse_block(const pm_gram *gram, size_t begin, size_t b, double *block)
{
    memset(block, 0, b * b * sizeof *block);
    for (size_t r = begin; r < gram->n; r++) {
        const double *row = gsl_matrix_const_ptr(gram->root, r, begin);
        size_t length = r - begin + 1 < b ? r - begin + 1 : b;

        for (size_t i = 0; i < length; i++)
            for (size_t j = 0; j <= i; j++)
                block[i * b + j] += row[i] * row[j];
    }
}

/* The blocks inverted once more. */
static void find_left_out(pm_gram *gram)
{
    double *block = gram->left_out;

    for (size_t g = 0; g < gram->groups; g++) {
        size_t begin = gram->start[g], b = gram->start[g + 1] - begin;
        gsl_matrix_view view = gsl_matrix_view_array(block, b, b);

        inverse_block(gram, begin, b, block);
        gsl_linalg_cholesky_decomp1(&view.matrix);
        gsl_linalg_cholesky_invert(&view.matrix);
        for (size_t i = 0; i < b; i++)
            gram->variance[begin + i] = block[i * b + i];
        block += b * b;
    }
}

pm_gram *pm_gram_factor(gsl_matrix *k, const size_t *start, size_t groups, pm_error *err)
{
    pm_gram *gram = calloc(1, sizeof *gram);
    size_t cells = 0;

    for (size_t g = 0; g < groups; g++)
        cells += (start[g + 1] - start[g]) * (start[g + 1] - start[g]);
    if (gram)
        *gram = (pm_gram){.n = k->size1,
                          .groups = groups,
                          .start = start,
                          .root = k,
                          .left_out = calloc(cells, sizeof(double)),
                          .variance = calloc(k->size1, sizeof(double))};
    if (!gram || !gram->left_out || !gram->variance) {
        pm_fail(err, PM_FAILED, "out of memory for %zu rows", k->size1);
        if (!gram)
            gsl_matrix_free(k);
        pm_gram_free(gram);
        return NULL;
    }
    gsl_linalg_cholesky_decomp1(k);
    gsl_linalg_tri_invert(CblasLower, CblasNonUnit, k);
    find_left_out(gram);
    return gram;
}

void pm_gram_solve(const pm_gram *gram, const double *x, double *a, double *work)
{
    memset(a, 0, gram->n * sizeof *a);
    for (size_t r = 0; r < gram->n; r++) {
        const double *row = gsl_matrix_const_ptr(gram->root, r, 0);
        double sum = 0;

        for (size_t j = 0; j <= r; j++)
            sum += row[j] * x[j];
        work[r] = sum;
    }
    for (size_t r = 0; r < gram->n; r++) {
        const double *row = gsl_matrix_const_ptr(gram->root, r, 0);

        for (size_t j = 0; j <= r; j++)
            a[j] += row[j] * work[r];
    }
}

void pm_gram_leave_out(const pm_gram *gram, const double *a, double *residual)
{
    const double *block = gram->left_out;

    for (size_t g = 0; g < gram->groups; g++) {
        size_t begin = gram->start[g], b = gram->start[g + 1] - begin;

        for (size_t i = 0; i < b; i++) {
            double sum = 0;

            for (size_t j = 0; j < b; j++)
                sum += block[i * b + j] * a[begin + j];
            residual[begin + i] = sum;
        }
        block += b * b;
    }
}

void pm_gram_explained(const pm_gram *gram, const double *cross, size_t m, double *explained,
                       double *work)
{
    memset(explained, 0, m * sizeof *explained);
    for (size_t r = 0; r < gram->n; r++) {
        const double *row = gsl_matrix_const_ptr(gram->root, r, 0);

        memset(work, 0, m * sizeof *work);
        for (size_t k = 0; k <= r; k++) {
            double factor = row[k];
            const double *column = cross + k * m;

            for (size_t j = 0; j < m; j++)
                work[j] += factor * column[j];
        }
        for (size_t j = 0; j < m; j++)
            explained[j] += work[j] * work[j];
    }
}
