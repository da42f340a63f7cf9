/* Factored kernel matrices. See gram.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/methods/gram.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/gsl.h"

/* Computes the diagonal block of K^-1 that belongs to one program: rows and columns begin ... begin
 * + b - 1. It is (L^-1)_B' (L^-1)_B, where K = L L' and B are these columns of L^-1. Row sums start
 * at row `begin`, because L^-1 is 0 above. Only the lower triangle of the b x b matrix `block` is
 * filled. */
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

/* Factors k = L L' and replaces its lower triangle by L^-1. Returns false on failure. */
static bool invert_root(gsl_matrix *k)
{
    return gsl_linalg_cholesky_decomp1(k) == GSL_SUCCESS &&
           gsl_linalg_tri_invert(CblasLower, CblasNonUnit, k) == GSL_SUCCESS;
}

/* Computes for each program the inverse of its diagonal block of K^-1, and stores it in
 * gram->left_out. It is the covariance of the program's rows given all other programs. Returns
 * false if a block is not positive definite. */
static bool find_left_out(pm_gram *gram)
{
    double *block = gram->left_out;

    for (size_t g = 0; g < gram->groups; g++) {
        size_t begin = gram->start[g], b = gram->start[g + 1] - begin;
        gsl_matrix_view view = gsl_matrix_view_array(block, b, b);

        inverse_block(gram, begin, b, block);
        if (gsl_linalg_cholesky_decomp1(&view.matrix) != GSL_SUCCESS ||
            gsl_linalg_cholesky_invert(&view.matrix) != GSL_SUCCESS)
            return false;
        for (size_t i = 0; i < b; i++)
            gram->variance[begin + i] = block[i * b + i];
        block += b * b;
    }
    return true;
}

pm_gram *pm_gram_factor(pm_memory *memory, gsl_matrix *k, const size_t *start, size_t groups)
{
    pm_gram *gram = pm_take(memory, 1, sizeof *gram);
    size_t cells = 0;
    bool factored;

    for (size_t g = 0; g < groups; g++)
        cells += (start[g + 1] - start[g]) * (start[g + 1] - start[g]);
    *gram = (pm_gram){.n = k->size1,
                      .groups = groups,
                      .start = start,
                      .root = k,
                      .left_out = pm_take(memory, cells, sizeof(double)),
                      .variance = pm_take(memory, k->size1, sizeof(double))};
    pm_gsl_begin();
    factored = invert_root(k) && find_left_out(gram);
    pm_gsl_end();
    if (!factored)
        pm_leave(memory, PM_FAILED, "%zu rows have covariances that no inverse can be had of",
                 gram->n);
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

/* Adds a weighted sum of n rows of the n x m matrix `cross` to work[m]: work[j] += sum_k factor[k]
 * cross[k * m + j]. Four rows are added at a time to reduce memory traffic. */
static void add_columns(double *restrict work, const double *restrict factor,
                        const double *restrict cross, size_t n, size_t m)
{
    size_t k = 0;

    for (; k + 4 <= n; k += 4) {
        const double *column = cross + k * m;

        for (size_t j = 0; j < m; j++) {
            double sum = work[j];

            sum += factor[k] * column[j];
            sum += factor[k + 1] * column[m + j];
            sum += factor[k + 2] * column[2 * m + j];
            sum += factor[k + 3] * column[3 * m + j];
            work[j] = sum;
        }
    }
    for (; k < n; k++)
        for (size_t j = 0; j < m; j++)
            work[j] += factor[k] * cross[k * m + j];
}

void pm_gram_explained(const pm_gram *gram, const double *cross, size_t m, double *explained,
                       double *work)
{
    memset(explained, 0, m * sizeof *explained);
    for (size_t r = 0; r < gram->n; r++) {
        memset(work, 0, m * sizeof *work);
        add_columns(work, gsl_matrix_const_ptr(gram->root, r, 0), cross, r + 1, m);
        for (size_t j = 0; j < m; j++)
            explained[j] += work[j] * work[j];
    }
}
