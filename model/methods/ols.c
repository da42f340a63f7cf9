/* Ordinary least squares by singular value decomposition. See ols.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/methods/ols.h"

#include <float.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/gsl.h"

/* Limit of z-scores. A row that was not fitted can be very far away; the limit keeps sums of
 * z-scores finite. */
static const double FARTHEST = 1e100;

/* Returns the exponent of the power of two by which a column is divided, so that no square over- or
 * underflows. A power of two causes no rounding. */
static int exponent_of(const gsl_vector *column)
{
    double most = fmax(gsl_vector_max(column), -gsl_vector_min(column));
    int exponent = 0;

    frexp(most, &exponent);
    return exponent;
}

/* Computes mean and scale of each column. A constant column has scale 0, so its z-scores are 0.
 * work: scratch space for n numbers. */
static void find_scales(pm_ols *ols, const gsl_matrix *x, gsl_vector *work)
{
    for (size_t j = 0; j < ols->p; j++) {
        gsl_vector_const_view column = gsl_matrix_const_column(x, j);
        int exponent = exponent_of(&column.vector);
        double mean, sd, scale;

        for (size_t i = 0; i < ols->n; i++)
            gsl_vector_set(work, i, ldexp(gsl_matrix_get(x, i, j), -exponent));
        mean = gsl_stats_mean(work->data, work->stride, ols->n);
        sd = gsl_stats_sd_m(work->data, work->stride, ols->n, mean);
        scale = sd > 0 ? ldexp(1 / sd, -exponent) : 0;
        gsl_vector_set(ols->mean, j, ldexp(mean, exponent));
        gsl_vector_set(ols->scale, j, isfinite(scale) ? scale : 0);
    }
}

/* Returns the z-score of a value of column j. Half of the mean is subtracted from half of the
 * value, because the difference of two large values can overflow. */
static double z_score(const pm_ols *ols, size_t j, double value)
{
    double half = (value / 2 - gsl_vector_get(ols->mean, j) / 2) * gsl_vector_get(ols->scale, j);

    return fmin(fmax(2 * half, -FARTHEST), FARTHEST);
}

/* Computes the singular value decomposition a = [1 z] = U S V' by the algorithm for many more rows
 * than columns (Chan, ACM Trans. Math. Softw. 8, 1982). Keeps the directions whose singular values
 * are above rounding errors. x: scratch space with the shape of v. Returns false on failure. */
static bool decompose(pm_ols *ols, gsl_matrix *a, gsl_matrix *x, gsl_matrix *v, gsl_vector *s,
                      gsl_vector *work)
{
    double threshold;

    if (gsl_linalg_SV_decomp_mod(a, x, v, s, work) != GSL_SUCCESS)
        return false;
    threshold = gsl_vector_get(s, 0) * (double)ols->n * DBL_EPSILON;
    ols->rank = 0;
    while (ols->rank <= ols->p && gsl_vector_get(s, ols->rank) > threshold)
        ols->rank++;
    for (size_t k = 0; k < ols->rank; k++) {
        for (size_t i = 0; i < ols->n; i++)
            gsl_matrix_set(ols->u, i, k, gsl_matrix_get(a, i, k));
        for (size_t j = 0; j <= ols->p; j++)
            gsl_matrix_set(ols->v, j, k, gsl_matrix_get(v, j, k) / gsl_vector_get(s, k));
    }
    return true;
}

static void solve(pm_ols *ols, const gsl_vector *y)
{
    double sum = 0;

    gsl_vector_memcpy(ols->residual, y);
    for (size_t k = 0; k < ols->rank; k++) {
        gsl_vector_const_view u = gsl_matrix_const_column(ols->u, k);
        gsl_vector_const_view v = gsl_matrix_const_column(ols->v, k);
        double along;

        gsl_blas_ddot(&u.vector, y, &along);
        gsl_blas_daxpy(along, &v.vector, ols->coefficients);
        gsl_blas_daxpy(-along, &u.vector, ols->residual);
    }
    gsl_blas_ddot(ols->residual, ols->residual, &sum);
    ols->sigma = ols->n > ols->rank ? sqrt(sum / (double)(ols->n - ols->rank)) : 0;
}

pm_ols *pm_ols_fit(pm_memory *memory, const gsl_matrix *x, const gsl_vector *y)
{
    size_t n = x->size1, p = x->size2, columns = p + 1;
    /* The decomposition needs at least as many rows as columns. Rows of zeros do not change it. */
    gsl_matrix *a = pm_take_matrix(memory, n > columns ? n : columns, columns);
    gsl_matrix *v = pm_take_matrix(memory, columns, columns);
    gsl_matrix *square = pm_take_matrix(memory, columns, columns);
    gsl_vector *s = pm_take_vector(memory, columns), *work = pm_take_vector(memory, columns);
    pm_ols *ols = pm_take(memory, 1, sizeof *ols);

    *ols = (pm_ols){.n = n,
                    .p = p,
                    .mean = pm_take_vector(memory, p),
                    .scale = pm_take_vector(memory, p),
                    .u = pm_take_matrix(memory, n, columns),
                    .v = pm_take_matrix(memory, columns, columns),
                    .coefficients = pm_take_vector(memory, columns),
                    .residual = pm_take_vector(memory, n)};
    if (n < 2)
        pm_leave(memory, PM_FAILED, "least squares needs two rows at least");
    find_scales(ols, x, ols->residual);
    for (size_t i = 0; i < n; i++) {
        gsl_matrix_set(a, i, 0, 1);
        for (size_t j = 0; j < p; j++)
            gsl_matrix_set(a, i, j + 1, z_score(ols, j, gsl_matrix_get(x, i, j)));
    }
    pm_gsl_begin();
    if (decompose(ols, a, square, v, s, work))
        solve(ols, y);
    pm_gsl_end();
    if (ols->rank == 0 || !isfinite(ols->sigma))
        pm_leave(memory, PM_FAILED, "least squares: %zu rows have no solution; are all finite?", n);
    return ols;
}

double pm_ols_at(const pm_ols *ols, const double *row, double *variance)
{
    double fit = gsl_vector_get(ols->coefficients, 0), sum = 0;

    for (size_t j = 0; j < ols->p; j++)
        fit += gsl_vector_get(ols->coefficients, j + 1) * z_score(ols, j, row[j]);
    for (size_t k = 0; variance && k < ols->rank; k++) {
        double along = gsl_matrix_get(ols->v, 0, k);

        for (size_t j = 0; j < ols->p; j++)
            along += gsl_matrix_get(ols->v, j + 1, k) * z_score(ols, j, row[j]);
        sum += along * along;
    }
    if (variance)
        *variance = sum;
    return fit;
}

/* Returns element (i, j) of the hat matrix H = U U'. */
static double hat(const pm_ols *ols, size_t i, size_t j)
{
    gsl_vector_const_view a = gsl_matrix_const_subrow(ols->u, i, 0, ols->rank);
    gsl_vector_const_view b = gsl_matrix_const_subrow(ols->u, j, 0, ols->rank);
    double product;

    gsl_blas_ddot(&a.vector, &b.vector, &product);
    return product;
}

double pm_ols_leverage(const pm_ols *ols, size_t i)
{
    return hat(ols, i, i);
}

/* Computes the residuals of the rows of group g by a new fit to all other rows. */
static void refit_without(pm_memory *memory, const gsl_matrix *x, const gsl_vector *y,
                          const size_t *group, size_t g, gsl_vector *residual)
{
    size_t n = x->size1, rest = 0;
    gsl_matrix *xr = pm_take_matrix(memory, n, x->size2);
    gsl_vector *yr = pm_take_vector(memory, n);
    pm_ols *ols;

    for (size_t i = 0; i < n; i++) {
        gsl_vector_const_view row = gsl_matrix_const_row(x, i);

        if (group[i] == g)
            continue;
        gsl_matrix_set_row(xr, rest, &row.vector);
        gsl_vector_set(yr, rest++, gsl_vector_get(y, i));
    }
    xr->size1 = yr->size = rest;
    ols = pm_ols_fit(memory, xr, yr);
    for (size_t i = 0; i < n; i++)
        if (group[i] == g)
            gsl_vector_set(residual, i,
                           gsl_vector_get(y, i) -
                               pm_ols_at(ols, gsl_matrix_const_ptr(x, i, 0), NULL));
}

/* Least pivot of I - H_BB for which the linear system is solved. Below it, the matrix counts as
 * singular: without the group's rows B, some combination of the variables would be undetermined. */
static const double SINGULAR = 1e-8;

/* Returns the dot product of columns k and l of ols->u over the m rows of a group. */
static double column_product(const pm_ols *ols, const size_t *rows, size_t m, size_t k, size_t l)
{
    double product = 0;

    for (size_t i = 0; i < m; i++)
        product += gsl_matrix_get(ols->u, rows[i], k) * gsl_matrix_get(ols->u, rows[i], l);
    return product;
}

/* Solves the linear system block * x = r and replaces r by x. Returns false if the block is
 * singular. */
static bool solve_in_place(gsl_matrix *block, gsl_permutation *order, gsl_vector *r)
{
    bool regular = true;
    int sign;

    gsl_linalg_LU_decomp(block, order, &sign);
    for (size_t i = 0; i < r->size; i++)
        regular = regular && fabs(gsl_matrix_get(block, i, i)) > SINGULAR;
    if (regular)
        gsl_linalg_LU_svx(block, order, r);
    return regular;
}

/* Computes residual r = (I - H_BB)^-1 e_B of a group's rows B in a fit without them, by a linear
 * system with as many equations as the group has rows. Returns false if it is singular. */
static bool solve_rows(const pm_ols *ols, const size_t *rows, gsl_matrix *block,
                       gsl_permutation *order, gsl_vector *r, gsl_vector *residual)
{
    for (size_t i = 0; i < r->size; i++) {
        gsl_vector_set(r, i, gsl_vector_get(ols->residual, rows[i]));
        for (size_t j = 0; j < r->size; j++)
            gsl_matrix_set(block, i, j, (i == j) - hat(ols, rows[i], rows[j]));
    }
    if (!solve_in_place(block, order, r))
        return false;
    for (size_t i = 0; i < r->size; i++)
        gsl_vector_set(residual, rows[i], gsl_vector_get(r, i));
    return true;
}

/* Computes the same residuals as solve_rows by a linear system with as many equations as the fit
 * has independent variables (its rank). It uses Woodbury's identity (I - U_B U_B')^-1 = I + U_B (I
 * - U_B' U_B)^-1 U_B'. Returns false if the system is singular. */
static bool solve_directions(const pm_ols *ols, const size_t *rows, size_t m, gsl_matrix *block,
                             gsl_permutation *order, gsl_vector *r, gsl_vector *residual)
{
    gsl_vector_set_zero(r);
    for (size_t k = 0; k < r->size; k++) {
        for (size_t i = 0; i < m; i++)
            *gsl_vector_ptr(r, k) +=
                gsl_matrix_get(ols->u, rows[i], k) * gsl_vector_get(ols->residual, rows[i]);
        for (size_t l = 0; l < r->size; l++)
            gsl_matrix_set(block, k, l, (k == l) - column_product(ols, rows, m, k, l));
    }
    if (!solve_in_place(block, order, r))
        return false;
    for (size_t i = 0; i < m; i++) {
        gsl_vector_const_view u = gsl_matrix_const_subrow(ols->u, rows[i], 0, r->size);
        double along;

        gsl_blas_ddot(&u.vector, r, &along);
        gsl_vector_set(residual, rows[i], gsl_vector_get(ols->residual, rows[i]) + along);
    }
    return true;
}

/* Computes the residuals of the m rows of a group in a fit without them, by the smaller one of the
 * two linear systems. Returns false if it is singular. */
static bool solve_block(pm_memory *memory, const pm_ols *ols, const size_t *rows, size_t m,
                        gsl_vector *residual)
{
    size_t size = m < ols->rank ? m : ols->rank;
    gsl_permutation order = {size, pm_take(memory, size, sizeof *order.data)};
    gsl_matrix *block = pm_take_matrix(memory, size, size);
    gsl_vector *r = pm_take_vector(memory, size);

    return size == m ? solve_rows(ols, rows, block, &order, r, residual)
                     : solve_directions(ols, rows, m, block, &order, r, residual);
}

void pm_ols_leave_out(pm_memory *memory, const pm_ols *ols, const gsl_matrix *x,
                      const gsl_vector *y, const size_t *group, size_t groups, gsl_vector *residual)
{
    size_t *rows = pm_take(memory, ols->n, sizeof *rows);
    size_t *end = pm_take(memory, groups + 1, sizeof *end);

    /* Counting sort of rows by group: afterwards, the rows of group g end before rows[end[g]]. */
    for (size_t i = 0; i < ols->n; i++)
        end[group[i] + 1]++;
    for (size_t g = 0; g < groups; g++)
        end[g + 1] += end[g];
    for (size_t i = 0; i < ols->n; i++)
        rows[end[group[i]]++] = i;
    for (size_t g = 0; g < groups; g++) {
        size_t begin = g > 0 ? end[g - 1] : 0;

        if (end[g] > begin && !solve_block(memory, ols, rows + begin, end[g] - begin, residual))
            refit_without(memory, x, y, group, g, residual);
    }
}
